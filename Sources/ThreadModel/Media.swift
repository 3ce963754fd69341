import Basics

/// A photo, a video, a GIF or a sound file in a post.
package struct Media: Hashable, Sendable {
  /// The network's key for the attachment; observations are merged by it.
  package var id: String
  package var kind: MediaKind
  /// The network's URL of the image or the sound file, or of the video itself if it has no variants.
  package var url: String?
  /// The URL of the preview image of a video or a GIF, or of the cover image of a sound file.
  package var posterURL: String?
  /// The author's description for people who cannot see the attachment; `nil` if the author wrote none.
  package var altText: String?
  /// Pixels.
  package var width: Int?
  /// Pixels.
  package var height: Int?
  /// The average color of a photo, as `#` and six lowercase hexadecimal digits of sRGB; `nil` if unknown.
  package var color: String?
  package var durationMilliseconds: Int?
  /// The encodings of a video, as the network lists them.
  package var variants: [MediaVariant]
  /// The captions of a video, one file per language.
  package var captions: [MediaCaptions]
  /// The copy in the store's media folder, by file name; `nil` if there is no copy.
  package var file: String?
  /// Whether `file` comes from the author's archive. Its quality can be better than the network's.
  package var isFileFromArchive: Bool
  /// The poster's copy in the store's media folder, by file name.
  package var posterFile: String?
  /// Copies of a photo in the store's media folder in other widths and formats; within a format, narrowest first.
  package var sizes: [MediaSize]
  /// The position among the post's media, from 0, if it differs from the position in this list: an observation may lack some of the media.
  package var position: Int?
  /// Fields from the network that this model does not define.
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
  /// Bits per second. GIFs have 0, which does not mean "unknown".
  package var bitrate: Int?

  package init(url: String, contentType: String? = nil, bitrate: Int? = nil) {
    self.url = url
    self.contentType = contentType
    self.bitrate = bitrate
  }
}

/// The captions of a video in one language, as a WebVTT file.
package struct MediaCaptions: Hashable, Sendable {
  /// A BCP 47 tag, as the author stated it.
  package var language: String
  /// The network's URL of the file.
  package var url: String
  /// The copy in the store's media folder, by file name; `nil` if there is no copy.
  package var file: String?

  package init(language: String, url: String, file: String? = nil) {
    self.language = language
    self.url = url
    self.file = file
  }
}

/// A copy of a photo in another width or format.
package struct MediaSize: Hashable, Sendable {
  /// The file's name in the store's media folder.
  package var file: String
  /// Pixels.
  package var width: Int
  /// Pixels.
  package var height: Int
  /// The MIME type of a copy for browsers that support it, such as `image/avif`; `nil` for a copy that every browser shows.
  package var format: String?

  package init(file: String, width: Int, height: Int, format: String? = nil) {
    self.file = file
    self.width = width
    self.height = height
    self.format = format
  }
}

package struct MediaKind: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let photo: MediaKind = "photo"
  package static let video: MediaKind = "video"
  /// A short video without sound that loops.
  package static let gif: MediaKind = "gif"
  package static let audio: MediaKind = "audio"
}

extension Media {
  /// The variant to play: the best MP4, because every browser plays MP4. Streaming playlists are not considered.
  package var bestVideo: MediaVariant? {
    variants
      .filter { $0.contentType == "video/mp4" || ($0.contentType == nil && $0.url.hasByteSuffix(".mp4")) }
      .max { ($0.bitrate ?? -1, $1.url) < ($1.bitrate ?? -1, $0.url) }
  }
}

extension Media: StoredRecord {
  package static let noun = "media"
  package static func blank(on platform: Platform) -> Self { Self(id: "", kind: .photo) }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("alt_text", \.altText, .words)
    try visitor.field("captions", \.captions)
    try visitor.field("color", \.color)
    try visitor.field("duration_ms", \.durationMilliseconds)
    try visitor.field("extra", \.extra)
    try visitor.field("file", \.file, .ownMerge)
    try visitor.field("file_from_archive", \.isFileFromArchive, .ownMerge)
    try visitor.field("height", \.height, .ownMerge)
    try visitor.field("id", \.id, [.required, .nonEmpty, .ownMerge])
    try visitor.field("kind", \.kind, [.required, .ownMerge])
    try visitor.field("position", \.position, [.natural, .ownMerge])
    try visitor.field("poster_file", \.posterFile, .ownMerge)
    try visitor.field("poster_url", \.posterURL)
    try visitor.field("sizes", \.sizes, .ownMerge)
    try visitor.field("url", \.url)
    try visitor.field("variants", \.variants)
    try visitor.field("width", \.width, .ownMerge)
  }
}

extension MediaSize: StoredRecord {
  package static let noun = "media size"
  package static func blank(on platform: Platform) -> Self { Self(file: "", width: 0, height: 0) }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("file", \.file, [.required, .nonEmpty])
    try visitor.field("format", \.format, .nonEmpty)
    try visitor.field("height", \.height, .required)
    try visitor.field("width", \.width, .required)
  }
}

extension MediaCaptions: StoredRecord {
  package static let noun = "set of captions"
  package static func blank(on platform: Platform) -> Self { Self(language: "", url: "") }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("file", \.file, .nonEmpty)
    try visitor.field("language", \.language, [.required, .nonEmpty])
    try visitor.field("url", \.url, [.required, .nonEmpty])
  }
}

extension MediaVariant: StoredRecord {
  package static let noun = "media variant"
  package static func blank(on platform: Platform) -> Self { Self(url: "") }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("bitrate", \.bitrate)
    try visitor.field("content_type", \.contentType)
    try visitor.field("url", \.url, .required)
  }
}

extension Media {
  /// Its name for the owner of a site: its file in the store, or else its URL or id.
  package var shortName: String { file ?? url ?? id }

  /// Whether it is a picture without a description by its author.
  package var lacksAltText: Bool { kind == .photo && (altText ?? "").allSatisfy(\.isWhitespace) }
}
