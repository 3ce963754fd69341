package import Basics

/// A thread as one CommonMark document, with what HTML needs to know and Markdown cannot say.
package struct ThreadDocument: Sendable, Equatable {
  /// The most bytes of a document, as many as `MarkdownHTML` takes. Said here, too, so that writing ends there: what a thousand posts quote
  /// stands there a thousand times.
  package static let maximumLength = 16 << 20

  /// YAML front matter, a blank line, the body; ends with a newline.
  package var markdown: UTF8Buffer
  /// Where the body starts in `markdown`: bytes.
  package var bodyStart: Int
  /// BCP 47, as the front matter has it; `nil` where nobody knows.
  package var language: String?
  /// What is known of images and videos, by their URL as the Markdown's destination reads after its escapes.
  package var media: [String: MediaFacts]
  /// The sounds among them, each once, in the order of the document.
  package var sounds: [String] = []
  /// The hosts (`pbs.twimg.com`) of everything that a page made of this loads from elsewhere by https, sorted: for its
  /// Content-Security-Policy. Each is an ASCII host in lower case and maybe a port, and nothing else.
  package var externalMediaHosts: [String]
  /// Whether its heading is the first words of the first post, which do not stand there again.
  package var headingIsText = false
  /// Pictures, videos and GIFs whose author described none of them.
  package var missingAltTexts: Int

  /// The Markdown after the front matter.
  package var body: ArraySlice<UInt8> { markdown.bytes[bodyStart...] }
}

/// What is known of one picture or video.
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
  /// How long a sound is.
  package var durationMilliseconds: Int?
  /// What is said in a video.
  package var captions: [Captions] = []
  /// A GIF: plays without sound, over and over.
  package var isLooping: Bool
  /// The same picture in several widths, itself among them, narrowest first; empty where there is only the one.
  package var sources: [Source]

  /// What is said in a video, in one language.
  package struct Captions: Sendable, Equatable {
    /// Of a file of WebVTT.
    package var url: String
    /// BCP 47.
    package var language: String
    /// What the language calls itself.
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
