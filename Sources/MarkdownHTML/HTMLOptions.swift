/// What the HTML of one document depends on beside its Markdown.
package struct HTMLOptions: Sendable, Equatable {
  /// How elements without content and attributes without a value are written. What is XML can be read as HTML, too.
  package enum Syntax: Sendable, Equatable {
    case html, xml
  }

  package var syntax = Syntax.html
  /// Whether a picture that links to itself, to be seen in full, is a link: not in a book, where it can only be shown.
  package var linksPictures = true
  /// Whether pictures say that they may be loaded late.
  package var loadsLazily = true
  /// Whether the text is read away from its site and without anything beside it: relative links and pictures are their words.
  package var standsAlone = false
  /// Fragments that begin with this are ids of the whole page, which get no `idPrefix`.
  package var pageIDStart: String?
  /// Added to the level of every heading, so that they nest under the page's own; 6 is the deepest.
  package var headingOffset: Int
  /// What is known of images and videos, by their URL as the Markdown's destination reads after its escapes.
  package var media: [String: MediaInfo]
  /// The site's own address. Links to its host, relative links and fragments carry no `rel`; all others do.
  package var baseURL: String?
  /// The least level of a heading: 2 below a page's own title.
  package var highestHeading = 1
  /// What stands in the place of a destination of a link or an image, as it reads after its escapes: addresses of the site itself.
  package var destinations: [String: String] = [:]
  /// Whether headings have ids, made of their words, for links to them.
  package var namesHeadings = false
  /// Whether links out of the site are its owner's: others tell search engines that the site does not answer for them.
  package var vouchesForLinks = false
  /// Whether raw HTML is written as it stands, and no comment means anything: for pages whose author answers for the site, too.
  package var keepsHTML = false
  /// What the controls of a page are called: by these a reader opens pictures large, what a warning stands before, and media that are marked as
  /// sensitive. `nil` where there are none, as in feeds and books, which show all of it and have no style sheet of ours.
  package var controls: ControlNames?
  /// Put before every id of a section and after the `#` of every link to a fragment, so that several bodies can share a page.
  package var idPrefix: String
  /// Put before the `#` of every link to a fragment, for a body that is read away from its page, as in a feed.
  package var pageURL: String
  /// The `sizes` of an image with a `srcset`.
  package var imageSizes: String
  /// How wide the text's column is at its widest, in rem; `nil` where nobody knows. Pictures in a row have their shares of it.
  package var columnWidth: Int?
  /// The same for an image that shares its row with others.
  package var sharedImageSizes: String

  /// The language of the document and of the words around its texts, where they are two; `nil` where they are one, or nobody
  /// knows.
  package var languages: DocumentLanguages?
  /// BCP 47: of the site's own words, for sections that name another language; `nil` where nobody knows.
  package var wordsLanguage: String?

  package init(
    headingOffset: Int = 0, media: [String: MediaInfo] = [:], baseURL: String? = nil, idPrefix: String = "",
    pageURL: String = "", imageSizes: String = "100vw", sharedImageSizes: String = "50vw"
  ) {
    self.headingOffset = headingOffset
    self.media = media
    self.baseURL = baseURL
    self.idPrefix = idPrefix
    self.pageURL = pageURL
    self.imageSizes = imageSizes
    self.sharedImageSizes = sharedImageSizes
  }
}

/// A document that holds words of two languages: its texts are in one, and what the site says about them in another.
///
/// Sections in the site's words say so by `lang`; what holds these and the texts alike is marked at each paragraph.
package struct DocumentLanguages: Sendable, Equatable {
  /// BCP 47: of the document, and so of every text that does not say otherwise.
  package var texts: String
  /// BCP 47: of dates, notes, headings of sections.
  package var words: String

  package init(texts: String, words: String) {
    self.texts = texts
    self.words = words
  }
}

/// The words on what a page's readers can press.
package struct ControlNames: Sendable, Equatable {
  /// Opens a picture large.
  package var enlarge: String
  /// Closes it.
  package var close: String
  /// Shows sensitive media.
  package var show: String

  package init(enlarge: String, close: String, show: String) {
    self.enlarge = enlarge
    self.close = close
    self.show = show
  }
}

/// What HTML says of an image, a video or a sound and Markdown cannot.
package struct MediaInfo: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case image
    case video
    case audio
  }

  /// The same image at another width.
  package struct Source: Sendable, Equatable {
    package var url: String
    /// In pixels.
    package var width: Int

    package init(url: String, width: Int) {
      self.url = url
      self.width = width
    }
  }

  /// What is said in a video, in one language.
  package struct Captions: Sendable, Equatable {
    /// Of a file of WebVTT.
    package var url: String
    /// BCP 47.
    package var language: String
    /// What a player's menu says.
    package var label: String

    package init(url: String, language: String, label: String) {
      self.url = url
      self.language = language
      self.label = label
    }
  }

  package var kind: Kind
  /// In pixels.
  package var width: Int?
  /// In pixels.
  package var height: Int?
  /// Shown before a video plays, where the Markdown names no image of its own.
  package var posterURL: String?
  /// The MIME type of a video or a sound.
  package var contentType: String?
  /// A GIF: a video without sound that begins again when it ends.
  package var isLooping: Bool
  package var sources: [Source]
  package var captions: [Captions] = []

  package init(
    kind: Kind = .image, width: Int? = nil, height: Int? = nil, posterURL: String? = nil,
    contentType: String? = nil, isLooping: Bool = false, sources: [Source] = []
  ) {
    self.kind = kind
    self.width = width
    self.height = height
    self.posterURL = posterURL
    self.contentType = contentType
    self.isLooping = isLooping
    self.sources = sources
  }
}
