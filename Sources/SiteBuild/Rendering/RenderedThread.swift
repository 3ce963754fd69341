import Basics
import MarkdownHTML
import SearchIndex
import SiteOutput
import SiteWorkspace
import ThreadModel

/// A rendered thread with everything that a build needs of it, on this or on another machine.
struct RenderedThread: Sendable {
  let keys: ConversationKeys
  let built: ThreadRecord.Built
  /// The words for the search; `nil` on a site without a search.
  let terms: SearchTerms?
  /// Without markers.
  let markdown: UTF8Buffer
  let html: DocumentHTML

  /// The record for the next build.
  var record: ThreadRecord { ThreadRecord(keys: keys, built: built) }

  /// Renders a thread.
  init(
    rendering conversation: Conversation, _ keys: ConversationKeys, _ settings: ThreadSelection.Settings,
    stem: String, by worker: ThreadWorker, _ selection: ThreadSelection, _ analyzer: inout SearchAnalyzer
  ) throws(PipelineError) {
    let rendered = try worker.render(conversation, stem: stem, settings: settings)
    let terms = rendered.search.map { analyzer.terms(of: $0) }
    let copies = selection.copies(settings)
    var thread = rendered.thread
    thread.topics = terms?.topics ?? []
    thread.page.copies = copies.map { ThreadPage.Copy($0) }
    let people = Set(conversation.authors.map(\.id) + [conversation.authorID]).sorted()
    self.init(
      keys: keys,
      built: ThreadRecord.Built(
        thread: thread, settings: settings.digest(copies: copies), people: people,
        peopleDigest: worker.authors.digest(of: people), lostWords: rendered.lostWords),
      terms: terms, markdown: rendered.markdown, html: rendered.html)
  }

  private init(
    keys: ConversationKeys, built: ThreadRecord.Built, terms: SearchTerms?, markdown: UTF8Buffer,
    html: DocumentHTML
  ) {
    self.keys = keys
    self.built = built
    self.terms = terms
    self.markdown = markdown
    self.html = html
  }
}

extension RenderedThread: Record {
  static let fields = RecordFields(
    { keys, built, terms, markdown, header, body in
      RenderedThread(
        keys: keys, built: built, terms: terms, markdown: markdown,
        html: DocumentHTML(header: header, body: body))
    }, \.keys, \.built, \.terms, \.markdown, \.html.header, \.html.body)
}
