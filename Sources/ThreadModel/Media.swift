import Basics

/// A photo, a video, a GIF or a sound that a post shows.
package struct Media: Hashable, Sendable {
  /// The network's key of it: what a merge goes by.
  package var id: String
  package var kind: MediaKind
  /// Where the network keeps the picture or the sound, or the video itself where there are no variants.
  package var url: String?
  /// The still picture of a video or a GIF, the picture of a sound.
  package var posterURL: String?
  /// What the author wrote for those who cannot see it; `nil` where they wrote nothing.
  package var altText: String?
  /// Pixels.
  package var width: Int?
  /// Pixels.
  package var height: Int?
  package var durationMilliseconds: Int?
  /// The encodings of a video, as the network lists them.
  package var variants: [MediaVariant]
  /// What is said in a video, as text that goes with it.
  package var captions: [MediaCaptions]
  /// The copy in the store's media folder, by file name; `nil` where there is none.
  package var file: String?
  /// Whether that copy is the one of the author's archive, which can be better than what the network serves.
  package var isFileFromArchive: Bool
  /// The poster's copy in the store's media folder, by file name.
  package var posterFile: String?
  /// Smaller copies of a photo in the store's media folder, narrowest first: what a small screen fetches.
  package var sizes: [MediaSize]
  /// The place among the post's media that a observation gave it, from 0, where that is not its place in the list: observations may show
  /// different ones.
  package var position: Int?
  /// What the network said and this model has no word for.
  package var extra: JSONObject

  package init(id: String, kind: MediaKind, url: String? = nil) {
    self.id = id
    self.kind = kind
    self.url = url
    self.variants = []
    self.captions = []
    self.sizes = []
    self.isFileFromArchive = false
    self.extra = [:]
  }
}

/// One encoding of a video.
package struct MediaVariant: Hashable, Sendable {
  package var url: String
  /// A MIME type, such as `video/mp4`.
  package var contentType: String?
  /// Bits a second; 0 is what GIFs have, and is not "unknown".
  package var bitrate: Int?

  package init(url: String, contentType: String? = nil, bitrate: Int? = nil) {
    self.url = url
    self.contentType = contentType
    self.bitrate = bitrate
  }
}

/// What is said in a video, in one language, for those who do not hear it or do not know the language: a file of WebVTT.
package struct MediaCaptions: Hashable, Sendable {
  /// BCP 47, as the author said it.
  package var language: String
  /// Where the network keeps the file.
  package var url: String
  /// The copy in the store's media folder, by file name; `nil` where there is none.
  package var file: String?

  package init(language: String, url: String, file: String? = nil) {
    self.language = language
    self.url = url
    self.file = file
  }
}

/// A smaller copy of a photo.
package struct MediaSize: Hashable, Sendable {
  /// Its name in the store's media folder.
  package var file: String
  /// Pixels.
  package var width: Int
  /// Pixels.
  package var height: Int

  package init(file: String, width: Int, height: Int) {
    self.file = file
    self.width = width
    self.height = height
  }
}

package struct MediaKind: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let photo: MediaKind = "photo"
  package static let video: MediaKind = "video"
  /// A short silent video that loops.
  package static let gif: MediaKind = "gif"
  package static let audio: MediaKind = "audio"
}

extension Media {
  /// The variant to play: the best MP4, which every browser plays; a stream playlist is none.
  package var bestVideo: MediaVariant? {
    variants
      .filter { $0.contentType == "video/mp4" || ($0.contentType == nil && $0.url.hasByteSuffix(".mp4")) }
      .max { ($0.bitrate ?? -1, $1.url) < ($1.bitrate ?? -1, $0.url) }
  }
}
