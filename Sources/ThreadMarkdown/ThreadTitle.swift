package import ThreadModel

/// The title of a thread to which the user gave none, and the words of the thread from which it was made.
package struct ThreadTitle: Sendable {
  package let text: String
  /// `nil` if the title was not made from a post's text.
  package let source: Source?

  /// The words of a post from which a title was made.
  package struct Source: Sendable {
    package let post: PostID
    /// The offset in Unicode scalars at which the words end in the post's text, including their punctuation.
    package let end: Int
    /// Whether the text may be divided there, because a sentence, a line or a clause ends, and contains nothing before but the title, a counter or a
    /// few handles. The words can then be set as a heading, with the rest of the text below it.
    package let isHeading: Bool
    /// Whether the title contains all of the text before that offset, except a counter.
    package let isWhole: Bool
    /// Whether it ends within a sentence, and therefore with an ellipsis.
    package let isCut: Bool
  }

  /// The content warning that serves as the title, as content behind a warning is shown only on request.
  package let warning: String?

  /// Creates a title from the headline of the first post, or else from its first sentence, cut at a clause if it is long. If the first post has no
  /// words, the next one with words is used; a post with a content warning is titled by the warning, and a thread without words by its author and its
  /// day.
  package init(of thread: UnrolledThread, in localization: Localization, by calendar: SiteCalendar) {
    var isFirst = true
    for case .post(let threadPost) in thread.items.prefix(Self.mostPosts) {
      let post = threadPost.post
      func dated(_ text: String) -> String {
        post.createdAt.map { text + localization.text(.listSeparator) + calendar.day($0) } ?? text
      }
      if let warning = PlainText.nonEmptyLine(post.contentWarning) {
        let line = PlainText.shortened(warning, to: TitleCutter.longest)
        // Short warnings are used for many threads, so the date is added.
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

  /// In characters; a longer content warning describes this one thread.
  private static let longestLabel = 40

  /// The number of posts in which words are searched for.
  private static let mostPosts = 8

  /// Returns the first sentence of a post on one line; its content warning if it has one; empty if it has no words.
  static func opening(of post: Post) -> String {
    if let warning = PlainText.nonEmptyLine(post.contentWarning) { return warning }
    return TitleCutter.cut(post, keepsSeries: false)?.text
      ?? PlainText.singleLine(post.words.prefix(TitleCutter.longest))
  }
}

extension UnrolledThread {
  /// The first post of the main line that is not missing.
  var firstPost: Post? {
    for case .post(let threadPost) in items { return threadPost.post }
    return nil
  }
}

/// The first words of a thread as its heading, and the text of their post after them, so that a page whose title is the beginning of its text does
/// not show the words twice.
struct ThreadOpening {
  let post: Post
  let heading: InlineText
  let rest: InlineText

  /// `nil` if the title was not made from the first post's first words, or if something has to precede these: a warning, a notice, or the post that
  /// it answers.
  ///
  /// - Parameters:
  ///   - source: The words from which the title was made.
  ///   - besideTitle: Whether the title is shown elsewhere, in place of the heading, and must then contain all of it.
  ///   - counters: The counters that are removed from the posts' texts.
  ///   - language: The thread's language.
  init?(
    of thread: UnrolledThread, _ source: ThreadTitle.Source?, besideTitle: Bool, counters: CounterSequence?,
    language: String?
  ) {
    guard let source, source.isHeading, source.isWhole || !besideTitle, thread.context == nil,
      case .post(let first)? = thread.items.first,
      first.post.id == source.post, first.post.contentWarning == nil, first.post.removal == nil,
      first.post.withheld == nil, PlainText.nonEmptyLine(first.post.title) == nil,
      LanguageTag.valid(first.post.language).map({ $0 == language }) ?? true
    else { return nil }
    let text = counters?.stripped(first.post) ?? first.post.text
    let end = source.end - (counters?.headLength(of: first.post) ?? 0)
    let scalars = text.text.unicodeScalars
    guard end > 0, let cut = scalars.index(scalars.startIndex, offsetBy: end, limitedBy: scalars.endIndex),
      !text.entities.contains(where: { $0.range.lowerBound < end && end < $0.range.upperBound }),
      !text.text[..<cut].contains(where: \.isNewline), !Self.tears(scalars[..<cut], scalars[cut...])
    else { return nil }
    post = first.post
    heading = text.dropping(head: 0, tail: scalars.count - end)
    rest = text.dropping(head: end + Self.lengthOfBreak(scalars[cut...]), tail: 0)
  }

  /// Whether a heading and the text below it cannot be read separately: the heading opens a quotation or a bracket that the text closes, or the text
  /// begins with a closing mark or consists of punctuation.
  private static func tears(
    _ heading: Substring.UnicodeScalarView, _ rest: Substring.UnicodeScalarView
  ) -> Bool {
    guard let first = rest.first(where: { !$0.isWhiteSpace }) else { return false }
    if isClosing(first) || rest.isPunctuation { return true }
    // The marks of a quotation differ by language, and in some languages the closing mark of others opens it, but they come in pairs.
    if heading.count(where: isQuotationMark) % 2 == 1, rest.contains(where: isQuotationMark) { return true }
    var depth = 0
    for scalar in heading {
      switch scalar.properties.generalCategory {
      case .openPunctuation where !isQuotationMark(scalar): depth += 1
      case .closePunctuation: depth = max(0, depth - 1)  // smileys close brackets that nothing opened
      default: break
      }
    }
    return depth > 0 && rest.contains { $0.properties.generalCategory == .closePunctuation }
  }

  private static func isClosing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .closePunctuation, .finalPunctuation: true
    default: false
    }
  }

  private static func isQuotationMark(_ scalar: Unicode.Scalar) -> Bool {
    "\"“”„«»".unicodeScalars.contains(scalar)
  }

  /// Returns the length of the white space that the break below the heading stands for: spaces and up to two line breaks. Further line breaks and the
  /// indentation of the next line belong to the text, unless nothing else follows.
  private static func lengthOfBreak(_ rest: Substring.UnicodeScalarView) -> Int {
    guard rest.contains(where: { !$0.isWhiteSpace }) else { return rest.count }
    var length = 0
    var index = rest.startIndex
    for breaks in 0... {
      let spaces = rest[index...].prefix { $0.isWhiteSpace && !$0.isLineEnd }
      let behind = rest[spaces.endIndex...]
      guard breaks < 2, behind.first?.isLineEnd == true else { return breaks == 0 ? spaces.count : length }
      let lineEnd = behind.starts(with: ["\r", "\n"]) ? 2 : 1
      length += spaces.count + lineEnd
      index = behind.index(behind.startIndex, offsetBy: lineEnd)
    }
    return length
  }
}
