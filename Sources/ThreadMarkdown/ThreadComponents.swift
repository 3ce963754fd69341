import Basics
import InterfaceText
import MarkdownHTML
package import Templates
package import ThreadModel

/// The components of threads, each with its template. They convert threads into CommonMark documents.
///
/// A value is created once per site and shared by all workers: rendering reads only this value and its arguments.
package struct ThreadComponents: Sendable {
  /// The names of the components that have templates, as in `templates/<name>.mustache`.
  package static let templateNames = ComponentKind.allCases.filter(\.hasTemplate).map(\.name)

  /// The names of all values that components provide, as documented in docs/reference/theming.md, so that misspelled names in a template can be
  /// reported. A test compares them with the values in the code and with that page.
  package static let valueNames: Set<String> = [
    "alt", "anchor", "archived_link", "avatar", "by_author", "byline", "content", "count", "date",
    "date_link",
    "description", "dir", "edited", "first", "full", "handle", "handle_link", "has_metrics", "heading",
    "heading_number", "headline", "host", "image", "images", "label", "lang", "link", "meter", "metrics",
    "missing", "name", "name_link",
    "new_day", "number", "opening", "options", "paragraphs", "percent", "post_link", "poster", "posts",
    "quote", "reading_time", "replies",
    "share",
    "src", "summary", "text", "title", "title_link", "to", "url", "votes", "weeks", "winner",
  ]

  package let templates: TemplateSet
  /// The templates of components, by their raw values.
  private let entries: [TemplateSet.Entry?]
  /// Whether templates show the authors of single posts, avatars, and metrics. Values that no template shows are not computed, and their
  /// pictures are not copied.
  let showsBylines: Bool
  let showsAvatars: Bool
  let showsCardImages: Bool
  /// Whether custom emoji of servers are shown as pictures.
  package let showsEmoji: Bool
  let showsMetrics: Bool
  /// Whether the header shows the thread's first words as the heading. Otherwise these must stay in their post.
  let setsOpening: Bool
  /// Whether texts show their first lines as headings. Otherwise these must stay in their text.
  let setsHeadings: Bool
  let showsReadingTime: Bool

  /// - Parameters:
  ///   - templates: Templates of the kind `.markdown`; a site's own templates replace the built-in ones.
  ///   - showsAvatars: `false` if templates get no pictures of people, whether they would show them or not.
  ///   - showsCardImages: `false` if previews of linked pages get no picture.
  ///   - showsEmoji: `false` if custom emoji of servers are shown as text.
  /// - Throws: If a component has no template.
  package init(
    templates: TemplateSet, showsAvatars: Bool = true, showsCardImages: Bool = true,
    showsEmoji: Bool = true
  ) throws(ThreadMarkdownError) {
    self.templates = templates
    showsBylines = templates.mentions("byline")
    self.showsAvatars = showsAvatars && templates.mentions("avatar")
    self.showsCardImages = showsCardImages
    self.showsEmoji = showsEmoji
    showsMetrics = templates.mentions("metrics")
    setsOpening = templates.mentions("opening")
    setsHeadings = templates.mentions("heading")
    showsReadingTime = templates.mentions("reading_time")
    entries = ComponentKind.allCases.map { $0.hasTemplate ? templates.entry($0.name) : nil }
    for kind in ComponentKind.allCases where kind.hasTemplate { _ = try entry(kind) }
  }

  /// Returns the thread as one document. The same arguments produce the same bytes.
  package func render(
    _ thread: UnrolledThread, meta: ThreadMeta, options: MarkdownOptions
  ) throws(ThreadMarkdownError) -> ThreadDocument {
    let language = LanguageTag.valid(meta.language) ?? thread.language
    let document = DocumentWriter(
      components: self, options: options,
      title: PlainText.nonEmptyLine(meta.title) ?? options.localization.text(.thread),
      language: language,
      frontMatter: FrontMatter.of(thread, meta: meta, language: language, localization: options.localization))
    var composer = ThreadComposer(
      document, counters: options.stripsCounters ? CounterSequence(of: thread) : nil)
    try composer.compose(thread, meta: meta)
    return composer.finish()
  }

  /// Renders a post or a thread of the site as a separate document, for a page of the owner.
  ///
  /// - Parameter language: the BCP 47 tag of the page.
  package func render(
    _ embedded: Embedded, language: String, options: MarkdownOptions
  ) throws(ThreadMarkdownError) -> ThreadDocument {
    let document = DocumentWriter(
      components: self, options: options, title: "", language: LanguageTag.valid(language),
      frontMatter: UTF8Buffer())
    var composer = ThreadComposer(document, counters: nil)
    try composer.embed(embedded)
    return composer.finish()
  }

  /// Whether a template of this name belongs to a component, or is called by another template.
  package func uses(_ name: String) -> Bool {
    Self.templateNames.contains(name) || templates.calledTemplates.contains(name)
  }

  /// The names of the localized words that templates use.
  package var usedWords: Set<String> { templates.usedWords }

  func entry(_ kind: ComponentKind) throws(ThreadMarkdownError) -> TemplateSet.Entry {
    guard let entry = entries[kind.rawValue] else { throw .missingTemplate(kind.name) }
    return entry
  }
}

/// A part of a document that shows one value of the model with one template. The component computes everything, and the template only
/// arranges it. So the words of a component, its links and the media it loads are in one place.
protocol Component {
  static var kind: ComponentKind { get }

  /// Returns the values for the template; `nil` if there is nothing to show. Media that are shown are recorded in `document`.
  func values(in document: inout DocumentWriter) -> TemplateObject?
}

/// An error of writing a thread as Markdown: a template's mistake, or a thread that is too long.
package enum ThreadMarkdownError: Error, Equatable, CustomStringConvertible {
  /// A component has no template. Every set must contain all of `ThreadComponents.templateNames`.
  case missingTemplate(String)
  /// A template could not be rendered. The text comes from the template engine.
  case template(String)
  /// The document would be longer than `MarkdownHTML.maximumLength`.
  case tooLong

  package var description: String {
    switch self {
    case .missingTemplate(let name):
      "The template “\(name)” is missing: every component needs one, so put templates/\(name).mustache back."
    case .template(let message):
      message
    case .tooLong:
      "The document has more than \(MarkdownHTML.maximumLength) bytes, the most that is rendered."
    }
  }
}
