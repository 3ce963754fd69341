package import Basics

/// A thread as one CommonMark document, with data that HTML needs and Markdown cannot express.
package struct ThreadDocument: Sendable, Equatable {
  /// The maximum length of a document in bytes, the same as in `MarkdownHTML`. It is checked here too, so that writing stops early: a post quoted by
  /// a thousand posts is written a thousand times.
  package static let maximumLength = 16 << 20

  /// YAML front matter, a blank line, the body; ends with a newline.
  package var markdown: UTF8Buffer
  /// The offset of the body in `markdown`, in bytes.
  package var bodyStart: Int
  /// The BCP 47 tag in the front matter; `nil` if unknown.
  package var language: String?
  /// The known facts of images and videos, by their URL as it reads in the Markdown's destination after unescaping.
  package var media: [String: MediaFacts]
  /// The addresses of the sounds among them, each once, in the order of the document.
  package var sounds: [String] = []
  /// The hosts (`pbs.twimg.com`) of all media that the page loads from elsewhere by https, sorted, for its Content-Security-Policy. Each is an ASCII
  /// host in lower case, optionally with a port.
  package var externalMediaHosts: [String]
  /// Whether the heading consists of the first words of the first post, which are then not repeated in the post.
  package var headingIsText = false
  /// The number of media without a description by their author.
  package var missingAltTexts: Int

  /// The Markdown after the front matter.
  package var body: ArraySlice<UInt8> { markdown.bytes[bodyStart...] }
}

/// The known facts of a picture, a video or a sound.
package struct MediaFacts: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case image
    case video
    case audio
  }

  package var kind: Kind
  /// Pixels.
  package var width: Int?
  /// Pixels.
  package var height: Int?
  /// The still picture of a video, or the picture of a sound.
  package var poster: String?
  /// The MIME type of a video or a sound.
  package var contentType: String?
  /// The duration of a sound.
  package var durationMilliseconds: Int?
  /// What is said in a video.
  package var captions: [Captions] = []
  /// Whether it is a GIF, which plays repeatedly without sound.
  package var isLooping: Bool
  /// The same picture in several widths, including the original, narrowest first; empty if there is only one width.
  package var sources: [Source]

  /// What is said in a video, in one language.
  package struct Captions: Sendable, Equatable {
    /// The address of the WebVTT file.
    package var url: String
    /// A BCP 47 tag.
    package var language: String
    /// The language's name in the language itself.
    package var label: String
  }

  /// A picture at one of its widths.
  package struct Source: Sendable, Equatable {
    package var url: String
    /// Pixels.
    package var width: Int

    package init(url: String, width: Int) {
      self.url = url
      self.width = width
    }
  }

  package init(
    kind: Kind, width: Int? = nil, height: Int? = nil, poster: String? = nil, contentType: String? = nil,
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
