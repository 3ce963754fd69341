import Basics
import InterfaceText
import MarkdownHTML
import Templates
package import ThreadModel

/// Composes a thread's document: which components it has, their order, and which of them contain others.
///
/// The types in `Components/` define the content of a single component.
struct ThreadComposer {
  private var document: DocumentWriter
  /// `nil` if counters are kept.
  private let counters: CounterSequence?
  private var longQuotes = LongQuotes()
  private var notes: [PostID: String] = [:]
  private var threadAuthor: Author?
  /// The time of the post whose date was shown last.
  private var lastDate: Timestamp?
  /// The numbers of the main line's posts, from 1; empty if there is only one post.
  private var numbers: [PostID: Int] = [:]
  /// The warning that precedes the whole thread instead of each of its posts.
  private var sharedWarning: String?
  /// Whether the next post of the author is the first one, or follows a post by somebody else.
  private var changesAuthor = true
  /// The first words of the first post and the rest of it, if these words are the heading.
  private var opening: ThreadOpening?
  /// `nil` if templates do not show headings.
  private var headings: ThreadHeadings?

  private var options: MarkdownOptions { document.options }
  private var components: ThreadComponents { document.components }
  private var localization: Localization { document.localization }

  init(_ document: DocumentWriter, counters: CounterSequence?) {
    self.document = document
    self.counters = counters
  }

  mutating func compose(_ thread: UnrolledThread, meta: ThreadMeta) throws(ThreadMarkdownError) {
    notes = meta.words.notes
    threadAuthor = thread.author
    let main = thread.mainPosts
    if main.count > 1 {
      for item in main where numbers[item.post.id] == nil { numbers[item.post.id] = numbers.count + 1 }
    }
    if components.setsOpening {
      opening = ThreadOpening(
        of: thread, meta.titleSource, besideTitle: !options.showsTitle, counters: counters,
        language: document.language)
    }
    if components.setsHeadings { headings = ThreadHeadings(of: thread) }
    try document.append(HeaderComponent(thread: thread, source: meta.source, opening: opening))
    try ownersWords(.introduction, meta.words.introduction)
    if let sentence = thread.completeness.sentence(in: localization) {
      try document.append(NoteComponent([sentence]))
    }
    if let context = thread.context { try self.context(context) }
    if let warned = Self.postOfSharedWarning(thread.items),
      let warning = warned.warningLine
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

  consuming func finish() -> ThreadDocument {
    let headingIsText = opening != nil && options.showsTitle
    return document.finish(headingIsText: headingIsText)
  }

  /// Returns the output of `body`, removed from the document: the content of a component that contains others.
  private mutating func content(
    _ body: (inout ThreadComposer) throws(ThreadMarkdownError) -> Void
  ) throws(ThreadMarkdownError) -> UTF8Buffer {
    let outer = document.beginContent()
    try body(&self)
    return document.endContent(outer)
  }

  /// Writes a text of the site's owner, if any. It is Markdown from a trusted source and stays unchanged, except that posts and threads of
  /// the site take the place of their URLs.
  private mutating func ownersWords(_ kind: ComponentKind, _ text: String?) throws(ThreadMarkdownError) {
    guard let text else { return }
    // Texts that cannot be parsed were reported before.
    let urls = (try? MarkdownHTML.soleURLs(of: Array(text.utf8))) ?? []
    guard !urls.isEmpty else { return try document.append(kind, ["content": .markup(UTF8Buffer(text))]) }
    // Not split at Characters, because CR LF is one of them.
    var lines = text.split(atBytes: "\n", omittingEmptySubsequences: false).map { UTF8Buffer(String($0)) }
    for url in urls {
      guard let embedded = options.links.embedded(url.url) else {
        lines[url.line - 1] = UTF8Buffer("<\(url.url)>")
        continue
      }
      let inside = try content { composer throws(ThreadMarkdownError) in try composer.embed(embedded) }
      // Empty lines separate it from other blocks.
      var shown = UTF8Buffer("\n")
      shown.append(inside)
      shown.append("\n")
      lines[url.line - 1] = shown
    }
    var words = UTF8Buffer()
    for (position, line) in lines.enumerated() {
      if position > 0 { words.append("\n") }
      words.append(line)
    }
    try document.append(kind, ["content": .markup(words)])
  }

  /// Writes a post or a thread of the site in a text of the owner.
  mutating func embed(_ embedded: Embedded) throws(ThreadMarkdownError) {
    switch embedded {
    case .post(let quote):
      if case .post(_, let author, _) = quote { threadAuthor = author }
      try embed(quote, depth: 0)
    case .thread(let thread):
      var values: TemplateObject = [
        "title_link": MarkdownPieces.link(PlainText.shortened(thread.title, to: 200), safe: thread.url)
      ]
      if !thread.excerpt.isEmpty { values["description"] = .text(thread.excerpt) }
      let facts = [thread.author] + (thread.published.map { [options.calendar.day($0)] } ?? [])
      values["host"] = .text(facts.joined(separator: " · "))
      try document.append(.card, values)
    }
  }

  // MARK: - The author's posts

  /// Writes a line of the thread: its posts, followed by their side branches, and its gaps.
  private mutating func items(_ items: [ThreadItem], author: Author) throws(ThreadMarkdownError) {
    var earlier: Timestamp?
    for item in items {
      switch item {
      case .post(let threadPost):
        try document.append(PauseComponent(from: earlier, to: threadPost.post.createdAt))
        earlier = threadPost.post.createdAt ?? earlier
        try post(threadPost, author: author)
        if !notes.isEmpty { try ownersWords(.remark, notes[threadPost.post.id]) }
        for branch in threadPost.branches { try self.branch(branch, author: author) }
      case .gap(let gap):
        try document.append(GapComponent(gap: gap, author: author))
      }
    }
  }

  /// Writes a post of the author: a section with an anchor.
  private mutating func post(_ threadPost: ThreadPost, author: Author) throws(ThreadMarkdownError) {
    let post = threadPost.post
    let inside = try content { composer throws(ThreadMarkdownError) in
      var text = composer.counters?.stripped(post) ?? post.text
      if let opening = composer.opening, opening.post.id == post.id { text = opening.rest }
      let divided = composer.headings?.divided(
        post, text, counterLength: composer.counters?.headLength(of: post) ?? 0)
      try composer.parts(
        of: post, text: divided?.rest ?? text, divided: divided, quote: threadPost.quote, author: author,
        depth: 0)
      if composer.options.showsPermalinks { try composer.permalink(post, author: author) }
    }
    var values: TemplateObject = [
      "anchor": .text(MarkdownPieces.anchor(post.id.value)), "content": .markup(inside),
    ]
    if components.showsBylines, options.repeatsBylines, changesAuthor {
      values["byline"] = .object(PostByline(author: author).values(in: &document))
    }
    changesAuthor = false
    if components.showsMetrics {
      let metrics = PostMetricsList(post: post).values(in: localization)
      values["metrics"] = .list(metrics)
      values["has_metrics"] = .bool(!metrics.isEmpty)
    }
    try document.append(.post, values)
  }

  private mutating func permalink(_ post: Post, author: Author) throws(ThreadMarkdownError) {
    try document.append(
      PermalinkComponent(
        post: post, author: author, previous: lastDate, number: numbers[post.id], count: numbers.count))
    lastDate = post.createdAt ?? lastDate
  }

  /// Writes a further continuation by the author, below the post where it leaves the main line.
  private mutating func branch(_ branch: SideBranch, author: Author) throws(ThreadMarkdownError) {
    let inside = try content { composer throws(ThreadMarkdownError) in
      try composer.items(branch.items, author: author)
    }
    try document.append(
      .branch,
      [
        "anchor": .text(MarkdownPieces.anchor(branch.label)), "label": .text(branch.label),
        "content": .markup(inside),
      ])
  }

  // MARK: - The parts of a post

  /// Writes the parts of a post in order. They are the same for a post of the thread and for a quoted post.
  ///
  /// - Parameters:
  ///   - text: The text without its heading.
  ///   - divided: The heading of the text, if it has one.
  ///   - depth: The number of quotes that contain it.
  private mutating func parts(
    of post: Post, text: InlineText, divided: ThreadHeadings.DividedText? = nil, quote: Quote?,
    author: Author?, depth: Int
  ) throws(ThreadMarkdownError) {
    try document.append(NoteComponent(noticesOf: post, by: options.calendar, in: localization))
    guard let warning = post.warningLine, warning != sharedWarning else {
      return try unwarned(
        post, text: text, divided: divided, quote: quote, author: author, depth: depth)
    }
    try self.warning(warning, emoji: post.emoji) { composer throws(ThreadMarkdownError) in
      try composer.unwarned(post, text: text, quote: quote, author: author, depth: depth)
    }
  }

  /// Writes the part of a post that follows its warning.
  private mutating func unwarned(
    _ post: Post, text: InlineText, divided: ThreadHeadings.DividedText? = nil, quote: Quote?,
    author: Author?, depth: Int
  ) throws(ThreadMarkdownError) {
    let parted = post.card.flatMap { PartedLink(text, from: $0, options) }
    try document.append(TextComponent(text: parted?.rest ?? text, post: post, divided: divided))
    // A content warning also precedes the media. On some networks, it is what marks them as sensitive.
    if post.isSensitive, post.warningLine == nil {
      try sensitive { composer throws(ThreadMarkdownError) in
        try composer.document.appendMedia(of: post, author: author)
      }
    } else {
      try document.appendMedia(of: post, author: author)
    }
    if let poll = post.poll {
      try document.append(PollComponent(poll: poll, post: post))
    } else if post.lacksPoll {
      try document.append(
        NoteComponent([localization.text(.pollMissing, ["network": post.id.platform.displayName])]))
    }
    if let card = post.card {
      try document.append(CardComponent(card: card, link: parted?.link))
      if let copy = options.archived?.copy(ofDead: card.url, at: post.createdAt) {
        try document.append(AttachmentComponent(localization.text(.archivedCopy), safe: copy))
      }
    }
    if let quote { try embed(quote, depth: depth) }
  }

  /// Writes content folded behind the author's warning.
  ///
  /// - Parameter emoji: the emoji that may occur in the warning.
  private mutating func warning(
    _ warning: String, emoji: [CustomEmoji],
    _ body: (inout ThreadComposer) throws(ThreadMarkdownError) -> Void
  ) throws(ThreadMarkdownError) {
    let inside = try content(body)
    try document.append(
      .warning,
      [
        "text": document.line(localization.text(.contentWarning, ["text": warning]), with: emoji),
        "content": .markup(inside),
      ])
  }

  /// Writes media that their author or the network marked as sensitive, behind a notice.
  private mutating func sensitive(
    _ body: (inout ThreadComposer) throws(ThreadMarkdownError) -> Void
  ) throws(ThreadMarkdownError) {
    let inside = try content(body)
    guard !inside.bytes.isEmpty else { return }
    try document.append(.sensitive, ["content": .markup(inside)])
  }

  /// Returns the first post, if all posts of the thread's line, including side branches, have the same warning. The warning is then shown
  /// once, before all posts. `nil` if there is only one post, or if any post's warning differs.
  private static func postOfSharedWarning(_ items: [ThreadItem]) -> Post? {
    var posts = 0
    var warned: Post?
    func agrees(_ items: [ThreadItem]) -> Bool {
      items.allSatisfy { item in
        guard case .post(let threadPost) = item else { return true }
        guard let warning = threadPost.post.warningLine,
          warned.map({ $0.warningLine == warning }) ?? true
        else { return false }
        warned = warned ?? threadPost.post
        posts += 1
        return threadPost.branches.allSatisfy { agrees($0.items) }
      }
    }
    return agrees(items) && posts > 1 ? warned : nil
  }

  // MARK: - Posts by others

  /// Writes the post that the first post answers, if the thread does not begin its conversation.
  private mutating func context(_ quote: Quote) throws(ThreadMarkdownError) {
    let inside = try content { composer throws(ThreadMarkdownError) in
      try composer.embed(quote, depth: 0, subject: .subjectAnswered)
    }
    try document.append(.context, ["content": .markup(inside)])
  }

  /// Writes the author's answers to others, apart from the main line: each question, then the answer.
  private mutating func answers(_ answers: [Answer], author: Author) throws(ThreadMarkdownError) {
    let inside = try content { composer throws(ThreadMarkdownError) in
      for answer in answers {
        try composer.embed(answer.inReplyTo, depth: 0, subject: .subjectAnswered)
        composer.changesAuthor = true
        try composer.items(answer.items, author: author)
      }
    }
    try document.append(.answers, ["content": .markup(inside)])
  }

  /// Writes replies by others to the thread, in a section after it.
  private mutating func replies(_ replies: [Reply]) throws(ThreadMarkdownError) {
    let inside = try content { composer throws(ThreadMarkdownError) in
      for reply in replies { try composer.reply(reply) }
    }
    var count = 0
    for reply in replies { reply.forEachPost { _ in count += 1 } }
    try document.append(
      .replies, ["content": .markup(inside), "count": .text(localization.count(count, .countReplies))])
  }

  /// Writes a reply, and within it the replies to it. Unrolling limits the depth.
  private mutating func reply(_ reply: Reply) throws(ThreadMarkdownError) {
    let post = reply.post
    let inside = try content { composer throws(ThreadMarkdownError) in
      try composer.parts(of: post, text: post.text, quote: reply.quote, author: reply.author, depth: 0)
    }
    let below = try content { composer throws(ThreadMarkdownError) in
      for reply in reply.replies { try composer.reply(reply) }
    }
    var values: TemplateObject = [
      "anchor": .text(MarkdownPieces.anchor(post.id.value)),
      "name": document.shownName(reply.author),
      "handle_link": document.handleLink(reply.author),
      "by_author": .bool(reply.isByAuthor),
      "content": .markup(inside),
      "date_link": document.dateLink(post.createdAt, document.address(of: post, by: reply.author)),
    ]
    if let addressee = reply.addressee { values["to"] = .text(document.shortName(addressee)) }
    if !below.isEmpty { values["replies"] = .markup(below) }
    try document.append(.reply, values)
  }

  // MARK: - Quotes

  /// Writes a post that another one shows or answers, as a block quote.
  ///
  /// - Parameters:
  ///   - depth: The number of quotes that already contain it.
  ///   - subject: The name for it if it is missing.
  private mutating func embed(
    _ quote: Quote, depth: Int, subject: StringKey = .subjectQuoted
  ) throws(ThreadMarkdownError) {
    guard depth < UnrolledThread.deepestQuote, !repeatsAtLength(quote) else { return try quoteLink(quote) }
    if case .tombstone(let tombstone, let author) = quote, let page = options.links.page(ofMissing: tombstone)
    {
      return try linkToShown(page, author, tombstone, subject: subject)
    }
    let inside = try content { composer throws(ThreadMarkdownError) in
      switch quote {
      case .post(let post, let author, let inner):
        try composer.quote(post, author: author, inner: inner, depth: depth + 1)
      case .tombstone(let tombstone, let author):
        try composer.missingQuote(tombstone, author: author, subject: subject)
      }
    }
    try document.append(.embed, ["quote": .markup(inside.prefixingLines(with: "> "))])
  }

  private mutating func repeatsAtLength(_ quote: Quote) -> Bool {
    guard case .post(let post, _, _) = quote else { return false }
    return longQuotes.repeats(post)
  }

  private mutating func quote(
    _ post: Post, author: Author?, inner: Quote?, depth: Int
  ) throws(ThreadMarkdownError) {
    let inside = try content { composer throws(ThreadMarkdownError) in
      try composer.parts(of: post, text: post.text, quote: inner, author: author, depth: depth)
    }
    var values = TemplateObject()
    values["name"] = document.shownName(author)
    values["handle_link"] = document.handleLink(author)
    let address = options.links.page(of: post) ?? document.address(of: post, by: author)
    values["date_link"] = document.dateLink(post.createdAt, address)
    if let edited = post.editedAt { values["edited"] = .text(options.calendar.day(edited)) }
    values["content"] = .markup(inside)
    try document.append(.quote, values)
  }

  /// Writes a link in place of a post that this conversation lacks and another page of the site shows.
  private mutating func linkToShown(
    _ page: String, _ author: Author?, _ tombstone: Tombstone, subject: StringKey
  ) throws(ThreadMarkdownError) {
    let name =
      author.map { document.name($0) } ?? PlainText.nonEmptyLine(tombstone.handle).map { "@" + $0.asHandle }
    let label =
      subject == .subjectQuoted
      ? name.map { localization.text(.quotedPostBy, ["name": $0]) } ?? localization.text(subject)
      : localization.text(subject)
    try document.append(AttachmentComponent(label, safe: page))
  }

  private mutating func missingQuote(
    _ tombstone: Tombstone, author: Author?, subject: StringKey
  ) throws(ThreadMarkdownError) {
    var values = TemplateObject()
    values["missing"] = .text(tombstone.sentence(on: subject, in: localization))
    values["handle_link"] = document.handleLink(author, else: tombstone.handle)
    if let address = document.address(of: tombstone, by: author) {
      values["post_link"] = MarkdownPieces.link(tombstone.linkLabel(in: localization), safe: address)
    }
    values["archived_link"] = document.archivedLink(
      of: tombstone, by: author,
      isOwn: (author?.id ?? tombstone.authorID).map { $0 == threadAuthor?.id }
        ?? (tombstone.handle != nil && tombstone.handle == threadAuthor?.handle))
    try document.append(.quote, values)
  }

  /// Writes a link in place of a quote that is nested too deeply.
  private mutating func quoteLink(_ quote: Quote) throws(ThreadMarkdownError) {
    switch quote {
    case .post(let post, let author, _):
      let label = localization.text(.quotedPostBy, ["name": document.name(author)])
      let address = options.links.page(of: post) ?? document.address(of: post, by: author)
      try document.append(AttachmentComponent(label, safe: address))
    case .tombstone(let tombstone, let author):
      if let page = options.links.page(ofMissing: tombstone) {
        return try linkToShown(page, author, tombstone, subject: .subjectQuoted)
      }
      let label = tombstone.clause(on: .subjectQuoted, in: localization)
      try document.append(AttachmentComponent(label, safe: document.address(of: tombstone, by: author)))
    }
  }
}

/// Records which long posts a page has quoted. From the second time on, they are links: reading them twice is tedious, and a page of posts
/// that all quote the same long post would grow by its length with each of them.
package struct LongQuotes: Sendable {
  private var seen: Set<PostID> = []

  package init() {}

  /// Whether a post is long and was quoted before; records that it is quoted now.
  package mutating func repeats(_ post: Post) -> Bool {
    if seen.contains(post.id) { return true }
    if post.isLong { seen.insert(post.id) }
    return false
  }
}

extension Post {
  /// Whether the post takes about as much space as the longest text that X allows.
  fileprivate var isLong: Bool {
    var room = texts([text.text]).reduce(0) { $0 + $1.utf8.count }
    room += text.entities.count * 50 + media.count * 200 + (poll?.options.count ?? 0) * 50
    room += (card?.title?.utf8.count ?? 0) + (card?.summary?.utf8.count ?? 0)
    return room > 20_000
  }
}
