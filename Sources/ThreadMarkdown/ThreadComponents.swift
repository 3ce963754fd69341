import Basics
package import Templates
package import ThreadModel

/// The components that a thread is made of, each with its template: threads in, CommonMark documents out.
///
/// Made once for a site and used from all workers: rendering reads nothing but this and its arguments.
package struct ThreadComponents: Sendable {
  /// The names of all templates, one a component, as in `templates/<name>.mustache`.
  package static let templateNames: [String] = ComponentName.allCases.map(\.name)

  /// The names of all values that components are given, as docs/theming.md has them: so that a slip in a template can be told. A test
  /// compares them with what the code gives and with that page.
  package static let valueNames: Set<String> = [
    "alt", "anchor", "avatar", "by_author", "byline", "content", "count", "date", "date_link",
    "description", "dir", "edited", "first", "full", "handle", "handle_link", "has_metrics", "headline",
    "host", "image", "images", "label", "lang", "link", "meter", "metrics", "missing", "name", "name_link",
    "number",
    "opening", "options", "paragraphs", "percent", "post_link", "poster", "posts", "quote", "replies",
    "share",
    "src", "summary", "text", "title", "title_link", "to", "url", "votes", "winner",
  ]

  package let templates: TemplateSet
  /// In the order of the cases.
  private let entries: [TemplateSet.Entry]
  /// Whether templates show whose post each one is, faces, and what became of it: what none shows is not made, and no picture
  /// of it copied.
  let showsBylines: Bool
  let showsAvatars: Bool
  let showsCardImages: Bool
  /// Whether servers' own emoji are pictures.
  package let showsEmoji: Bool
  let showsMetrics: Bool
  /// Whether the header sets the thread's first words as the heading: where it does not, they have to stand in their post.
  let setsOpening: Bool

  /// - Parameters:
  ///   - templates: Templates of the kind `.markdown`; a site's own stand in it in place of ours.
  ///   - showsAvatars: `false` where templates are given no picture of a person, whether they show one or not.
  ///   - showsCardImages: `false` where previews of linked pages are given no picture.
  ///   - showsEmoji: `false` where a server's own emoji are words.
  /// - Throws: Where a component has no template.
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
    var entries: [TemplateSet.Entry] = []
    for name in Self.templateNames {
      guard let entry = templates.entry(name) else { throw .missingTemplate(name) }
      entries.append(entry)
    }
    self.entries = entries
  }

  /// The thread as one document. The same arguments give the same bytes.
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

  /// The components that templates are of.
  package static let names = ComponentName.allCases.map(\.name)

  /// Whether a template of this name is a component's, or called by another template.
  package func uses(_ name: String) -> Bool {
    Self.names.contains(name) || templates.calledTemplates.contains(name)
  }

  /// Names of the words that templates put in.
  package var usedWords: Set<String> { templates.usedWords }

  func entry(_ name: ComponentName) -> TemplateSet.Entry { entries[name.rawValue] }
}

/// What a document shows of one value of the model by a template of its own. All that needs thought is done here, and the template puts it in
/// place: so the words of a component, its links and the media it loads stand together.
protocol Component {
  static var name: ComponentName { get }

  /// What the template sees; `nil` where there is nothing to show. Media that it shows are noted in `document`.
  func values(in document: inout DocumentWriter) -> TemplateObject?
}

/// A component, called what its template is called; its raw value is its place among all of them.
enum ComponentName: Int, CaseIterable {
  case header, note, context, post, text, images, video, audio, attachment, poll, card, embed, quote,
    permalink, gap, pause,
    branch, answers, replies, reply, introduction, afterword, remark, warning, sensitive

  var name: String { "\(self)" }
}

/// Why a thread could not be written as Markdown: a template's mistake, but for a thread that is too long.
package enum ThreadMarkdownError: Error, Equatable, CustomStringConvertible {
  /// A component has no template; every set must hold all of `ThreadComponents.templateNames`.
  case missingTemplate(String)
  /// A template could not be rendered, in the template engine's words.
  case template(String)
  /// More than `ThreadDocument.maximumLength` came of it.
  case tooLong

  package var description: String {
    switch self {
    case .missingTemplate(let name):
      "The template “\(name)” is missing: every component needs one, so put templates/\(name).mustache back."
    case .template(let message):
      message
    case .tooLong:
      "The document has more than \(ThreadDocument.maximumLength) bytes, the most that is rendered."
    }
  }
}
