package import Basics

/// The options on which the HTML of one document depends.
package struct HTMLOptions: Sendable, Equatable {
  /// The form of empty elements and of attributes without a value. The XML form is also valid HTML.
  package enum Syntax: Sendable, Equatable {
    case html, xml
  }

  package var syntax = Syntax.html
  /// Whether a picture that links to itself in full size is written as a link. `false` in a book, which can only show it.
  package var linksPictures = true
  /// Whether pictures get `loading="lazy"`.
  package var loadsLazily = true
  /// Whether the document is read without its site and its other files. Relative links and pictures are then replaced by their words.
  package var standsAlone = false
  /// Fragments with this prefix are ids of the whole page, which get no `idPrefix`.
  package var pageIDStart: String?
  /// Added to the level of every heading, so that headings nest below the page's. The result is at most 6.
  package var headingOffset: Int
  /// The known facts of images and videos, by their URL as it reads in the Markdown's destination after unescaping.
  package var media: [String: MediaFacts]
  /// The site's URL. Links to its host, relative links and fragments have no `rel`; all others do.
  package var baseURL: String?
  /// The highest allowed level of a heading: 2 if the page has a title above.
  package var highestHeading = 1
  /// Replacements for destinations of links and images, by the unescaped destination: URLs of the site itself.
  package var destinations: [String: String] = [:]
  /// HTML that replaces the paragraphs that begin in these lines, from 1: posts that the owner's text shows.
  package var replacements: [Int: UTF8Buffer] = [:]
  /// Whether headings get ids, derived from their words, so that links can lead to them.
  package var namesHeadings = false
  /// Whether a heading with an id is a link to itself, from which readers copy its URL.
  package var linksHeadings = false
  /// Whether boxes that may scroll, code and tables, can have the focus, so that the keyboard scrolls them in every browser.
  package var focusesBoxes = false
  /// Whether tables in GitHub's dialect are read; for pages whose author is the site's owner.
  package var readsTables = false
  /// Whether external links are the owner's. Other external links tell search engines that the site does not endorse them.
  package var vouchesForLinks = false
  /// Whether raw HTML is written unchanged and comments have no special meaning; for pages whose author is the site's owner.
  package var keepsHTML = false
  /// The labels of a page's controls, which open pictures in full size, and reveal content behind a warning and sensitive media. `nil` if
  /// the document has no controls, as in feeds and books, which show all content and do not use this program's style sheet.
  package var controls: ControlNames?
  /// Prefixed to every id of a section and to every fragment in a link, so that several bodies can be on one page.
  package var idPrefix: String
  /// Prefixed to the `#` of every link to a fragment, for a body that is read outside its page, as in a feed.
  package var pageURL: String
  /// The text column of the page, for the `sizes` of an image with a `srcset`; `nil` if unknown.
  package var column: TextColumn?

  /// The languages of the document and of the site's wording in it, if they differ; `nil` if they are equal or unknown.
  package var languages: DocumentLanguages?
  /// The BCP 47 tag of the site's wording, for sections in a different language; `nil` if unknown.
  package var wordsLanguage: String?

  package init(
    headingOffset: Int = 0, media: [String: MediaFacts] = [:], baseURL: String? = nil, idPrefix: String = "",
    pageURL: String = ""
  ) {
    self.headingOffset = headingOffset
    self.media = media
    self.baseURL = baseURL
    self.idPrefix = idPrefix
    self.pageURL = pageURL
  }
}

/// The text column of a page. In narrower windows, text and pictures have the window's width.
package struct TextColumn: Sendable, Equatable {
  /// In rem.
  package var width: Int
  /// The width in rem of the narrowest window that shows the column in its full width.
  package var windowWidth: Int

  package init(width: Int, windowWidth: Int) {
    self.width = width
    self.windowWidth = windowWidth
  }
}

/// The languages of a document in two languages: that of its texts, and that of the site's wording about them.
///
/// Sections in the site's language have a `lang` attribute. In sections with both languages, each paragraph is marked.
package struct DocumentLanguages: Sendable, Equatable {
  /// The BCP 47 tag of the document, and thereby of every text without a different one.
  package var texts: String
  /// The BCP 47 tag of dates, notes, headings of sections.
  package var words: String

  package init(texts: String, words: String) {
    self.texts = texts
    self.words = words
  }
}

/// The labels of a page's controls.
package struct ControlNames: Sendable, Equatable {
  /// The label of the control that opens a picture in full size.
  package var enlarge: String
  /// The label of the control that closes the picture.
  package var close: String
  /// The label of the control that reveals sensitive media.
  package var show: String

  package init(enlarge: String, close: String, show: String) {
    self.enlarge = enlarge
    self.close = close
    self.show = show
  }
}
