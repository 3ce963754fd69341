package import ThreadModel

/// What a thread is called where the user gives it no name, and which words of the thread that is.
package struct ThreadTitle: Sendable {
  package let text: String
  /// `nil` where the title was not made of a post's text.
  package let source: Source?

  /// The words of a post that a title is.
  package struct Source: Sendable {
    package let post: PostID
    /// Where they end in the post's text, with the punctuation that belongs to them: Unicode scalars.
    package let end: Int
    /// Whether the text may be parted there, as at the end of a sentence, of a line or of a clause, and all that stands before is
    /// the title, a counter or a few handles: so that it can be set as a heading, and the rest of the text below it.
    package let isHeading: Bool
    /// Whether the title is all that the text says up to there, but for a counter.
    package let isWhole: Bool
    /// Whether it ends within a sentence, and so with an ellipsis.
    package let isCut: Bool
  }

  /// The content warning that the thread is called by, since nothing that stands behind one is shown without being asked for.
  package let warning: String?

  /// The headline of the first post, else its first sentence, cut at a clause if it is long; a first post without words is called
  /// by the next one that has some, one with a content warning by that, and a thread without words by its author and its day.
  package init(of thread: UnrolledThread, in localization: Localization, by calendar: SiteCalendar) {
    var isFirst = true
    for case .post(let threadPost) in thread.items.prefix(Self.mostPosts) {
      let post = threadPost.post
      func dated(_ text: String) -> String {
        post.createdAt.map { text + localization.text(.listSeparator) + calendar.day($0) } ?? text
      }
      if let warning = PlainText.nonEmptyLine(post.contentWarning) {
        let line = PlainText.shortened(warning, to: TitleCutter.longest)
        // People put the same few words on many threads.
        self.init(
          text: PlainText.isLonger(line, than: Self.longestLabel) ? line : dated(line), source: nil,
          warning: warning)
        return
      }
      if let title = PlainText.nonEmptyLine(post.title) {
        self.init(text: PlainText.shortened(title, to: TitleCutter.longest), source: nil)
        return
      }
      if let cut = TitleCutter.cut(post, keepsSeries: isFirst) {
        self.init(
          text: cut.needsDate ? dated(cut.text) : cut.text,
          source: Source(
            post: post.id, end: cut.end, isHeading: cut.isClean && isFirst && !cut.needsDate,
            isWhole: cut.isWhole, isCut: cut.isCut))
        return
      }
      isFirst = false
    }
    let name =
      PlainText.nonEmptyLine(thread.author.handle).map { "@" + $0 }
      ?? PlainText.nonEmptyLine(thread.author.name)
    guard let name else {
      self.init(text: localization.text(.thread), source: nil)
      return
    }
    if let date = thread.firstPost?.createdAt {
      let key: StringKey = thread.postCount > 1 ? .threadByOn : .postByOn
      self.init(
        text: localization.text(key, ["name": name, "date": calendar.day(date)]), source: nil)
    } else {
      self.init(text: localization.text(.threadBy, ["name": name]), source: nil)
    }
  }

  private init(text: String, source: Source?, warning: String? = nil) {
    self.text = text
    self.source = source
    self.warning = warning
  }

  /// A content warning of more characters says what this one thread is about.
  private static let longestLabel = 40

  /// So many posts are looked at for words.
  private static let mostPosts = 8

  /// The first sentence of a post on one line; its content warning where it has one, empty where it has no words.
  static func opening(of post: Post) -> String {
    if let warning = PlainText.nonEmptyLine(post.contentWarning) { return warning }
    return TitleCutter.cut(post, keepsSeries: false)?.text
      ?? PlainText.singleLine(post.words.prefix(TitleCutter.longest))
  }
}

extension UnrolledThread {
  /// The first post of the main line that is here.
  var firstPost: Post? {
    for case .post(let threadPost) in items { return threadPost.post }
    return nil
  }
}

/// The first words of a thread as its heading, and what follows them in their post: so that a page which is called what its text
/// begins with does not say it twice.
struct ThreadOpening {
  let post: Post
  let heading: InlineText
  let rest: InlineText

  /// `nil` where the title is none of the first post's first words, or where something has to stand before these: a warning, a notice,
  /// or what the post answers.
  ///
  /// - Parameters:
  ///   - source: What the title was made of.
  ///   - besideTitle: Whether the title stands elsewhere, in place of the heading, and has to say all of it.
  ///   - counters: Which counters are taken from the posts' texts.
  ///   - language: Of the thread.
  init?(
    of thread: UnrolledThread, _ source: ThreadTitle.Source?, besideTitle: Bool, counters: CounterSequence?,
    language: String?
  ) {
    guard let source, source.isHeading, source.isWhole || !besideTitle, thread.context == nil,
      case .post(let first)? = thread.items.first,
      first.post.id == source.post, first.post.contentWarning == nil, first.post.departure == nil,
      first.post.withheld == nil, PlainText.nonEmptyLine(first.post.title) == nil,
      LanguageTag.valid(first.post.language).map({ $0 == language }) ?? true
    else { return nil }
    let text = counters?.stripped(first.post) ?? first.post.text
    let end = source.end - (counters?.headLength(of: first.post) ?? 0)
    let scalars = text.text.unicodeScalars
    guard end > 0, let cut = scalars.index(scalars.startIndex, offsetBy: end, limitedBy: scalars.endIndex),
      !text.entities.contains(where: { $0.range.lowerBound < end && end < $0.range.upperBound }),
      !text.text[..<cut].contains(where: \.isNewline)
    else { return nil }
    let spaces = scalars[cut...].prefix { $0.isWhiteSpace }.count
    post = first.post
    heading = text.dropping(head: 0, tail: scalars.count - end)
    rest = text.dropping(head: end + spaces, tail: 0)
  }
}
