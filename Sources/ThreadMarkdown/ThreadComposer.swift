import Templates
import ThreadModel
import UTF8Text

/// One thread on its way to Markdown: what has been written, and what was learnt of its media.
///
/// Each component is an extension of this in a file of its own: it makes a `TemplateObject` of a value of the model, in
/// which all that needs thought is done, and its template only puts that in place.
struct ThreadComposer {
  let components: ThreadComponents
  let options: MarkdownOptions
  /// The thread's title, on one line.
  let title: String
  /// The thread's own language; posts name theirs where it differs.
  let language: String?
  /// `nil` where counters are left alone.
  let counters: CounterSequence?

  /// Whether the thread's own language is written from right to left.
  let runsRightToLeft: Bool

  var output = UTF8Buffer()
  private var renderer: TemplateRenderer
  var media: [String: MediaFacts] = [:]
  var hosts: Set<String> = []
  var sounds: [String] = []
  var missingAltTexts = 0
  var longQuotes = LongQuotes()
  private var notes: [PostID: String] = [:]
  /// Of the post whose date was shown last.
  var lastDate: Timestamp?
  /// The places of the main line's posts, counted from one; empty where there is only one.
  private(set) var numbers: [PostID: Int] = [:]
  /// The warning that stands before the whole thread, and not before each of its posts.
  private(set) var sharedWarning: String?
  /// The first words of the first post, where they are the heading, and the rest of it.
  private(set) var opening: ThreadOpening?

  init(
    components: ThreadComponents, options: MarkdownOptions, title: String, language: String?,
    counters: CounterSequence?
  ) {
    self.components = components
    self.options = options
    self.title = title
    self.language = language
    self.counters = counters
    runsRightToLeft = language.map(LanguageTag.isRightToLeft) ?? false
    renderer = TemplateRenderer(components.templates)
  }

  mutating func compose(_ thread: UnrolledThread, meta: ThreadMeta) throws(ThreadMarkdownError) {
    notes = meta.words.notes
    let main = thread.mainPosts
    if main.count > 1 {
      for item in main where numbers[item.post.id] == nil { numbers[item.post.id] = numbers.count + 1 }
    }
    if components.setsOpening {
      opening = ThreadOpening(
        of: thread, meta.titleSource, besideTitle: !options.showsTitle, counters: counters,
        language: language)
    }
    try header(thread, source: meta.source)
    try ownersWords(.introduction, meta.words.introduction)
    try completeness(thread.completeness)
    if let context = thread.context { try self.context(context) }
    if let warned = postOfSharedWarning(thread.items),
      let warning = PlainText.nonEmptyLine(warned.contentWarning)
    {
      sharedWarning = warning
      try self.warning(warning, emoji: warned.emoji) { composer throws(ThreadMarkdownError) in
        try composer.items(thread.items, author: thread.author)
      }
      sharedWarning = nil
    } else {
      try items(thread.items, author: thread.author)
    }
    if !thread.answers.isEmpty { try answers(thread.answers, author: thread.author) }
    try ownersWords(.afterword, meta.words.afterword)
    if !thread.replies.isEmpty { try replies(thread.replies) }
  }

  /// A line of the thread: its posts with their side branches behind them, and its gaps.
  mutating func items(_ items: [ThreadItem], author: Author) throws(ThreadMarkdownError) {
    var earlier: Timestamp?
    for item in items {
      switch item {
      case .post(let threadPost):
        try pause(from: earlier, to: threadPost.post.createdAt)
        earlier = threadPost.post.createdAt ?? earlier
        try post(threadPost, author: author)
        if !notes.isEmpty { try ownersWords(.remark, notes[threadPost.post.id]) }
        for branch in threadPost.branches { try self.branch(branch, author: author) }
      case .gap(let gap):
        try self.gap(gap)
      }
    }
  }

  consuming func finish(bodyStart: Int) -> ThreadDocument {
    // Components end with a blank line; the document ends with a newline.
    if output.count > bodyStart + 1, output.bytes[output.count - 2] == UInt8(ascii: "\n") {
      output.bytes.removeLast()
    }
    return ThreadDocument(
      markdown: output, bodyStart: bodyStart, language: language, media: media, sounds: sounds,
      externalMediaHosts: hosts.sorted(), headingIsText: opening != nil && options.showsTitle,
      missingAltTexts: missingAltTexts)
  }

  // MARK: - For the components

  /// Appends a component, and one blank line behind it whatever its template ends with.
  mutating func append(_ name: ComponentName, _ values: TemplateObject) throws(ThreadMarkdownError) {
    let start = output.count
    do {
      try renderer.render(components.entry(name), values, into: &output)
    } catch {
      throw .template(error.description)
    }
    guard output.count <= ThreadDocument.maximumLength else { throw .tooLong }
    output.removeTrailingNewlines(downTo: start)
    if output.count > start { output.append("\n\n" as StaticString) }
  }

  /// What `body` writes, taken out of the output, without the blank line at its end: the content of a component that
  /// holds others.
  mutating func content(
    _ body: (inout ThreadComposer) throws(ThreadMarkdownError) -> Void
  ) throws(ThreadMarkdownError) -> UTF8Buffer {
    // Room for most posts, so that it does not grow step by step.
    var inner = UTF8Buffer(capacity: 2048)
    swap(&inner, &output)
    try body(&self)
    swap(&inner, &output)
    inner.removeTrailingNewlines(downTo: 0)
    return inner
  }
}

extension UTF8Buffer {
  /// Takes newlines off the end, as long as more than `count` bytes are left.
  fileprivate mutating func removeTrailingNewlines(downTo count: Int) {
    while bytes.count > count, bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
  }
}
