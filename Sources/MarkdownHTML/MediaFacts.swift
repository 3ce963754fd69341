/// The known facts of a picture, a video or a sound.
package struct MediaFacts: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case image
    case video
    case audio
  }

  package var kind: Kind
  /// In pixels.
  package var width: Int?
  /// In pixels.
  package var height: Int?
  /// The still picture of a video, or the picture of a sound.
  package var poster: String?
  /// The MIME type of a video or a sound.
  package var contentType: String?
  /// The duration of a sound.
  package var durationMilliseconds: Int?
  /// The captions of a video.
  package var captions: [Captions] = []
  /// Whether it is a GIF, which plays repeatedly without sound.
  package var isLooping: Bool
  /// The average color of a picture, which pages show until it is loaded, as `#` and six hexadecimal digits.
  package var color: String?
  /// The same picture in several widths, including the original, narrowest first; empty if there is only one width. Sources of the same
  /// format are together, and those without a format come first.
  package var sources: [Source]

  /// The captions of a video in one language.
  package struct Captions: Sendable, Equatable {
    /// The URL of the WebVTT file.
    package var url: String
    /// A BCP 47 tag.
    package var language: String
    /// The language's name in the language itself.
    package var label: String

    package init(url: String, language: String, label: String) {
      self.url = url
      self.language = language
      self.label = label
    }
  }

  /// A picture at one of its widths.
  package struct Source: Sendable, Equatable {
    package var url: String
    /// In pixels.
    package var width: Int
    /// The MIME type of a source for browsers that support it; `nil` for one that every browser shows.
    package var format: String?

    package init(url: String, width: Int, format: String? = nil) {
      self.url = url
      self.width = width
      self.format = format
    }
  }

  package init(
    kind: Kind = .image, width: Int? = nil, height: Int? = nil, poster: String? = nil,
    contentType: String? = nil,
    isLooping: Bool = false, sources: [Source] = []
  ) {
    self.kind = kind
    self.width = width
    self.height = height
    self.poster = poster
    self.contentType = contentType
    self.isLooping = isLooping
    self.sources = sources
  }
}
