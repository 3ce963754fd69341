import Basics
package import InterfaceText
package import ThreadModel

/// The title of a thread without a title by the user, and the words of the thread from which it was created.
package struct ThreadTitle: Sendable {
  package let text: String
  /// `nil` if the title was not created from a post's text.
  package let source: Source?

  /// The words of a post from which a title was created.
  package struct Source: Sendable {
    package let post: PostID
    /// The offset in Unicode scalars at which the words end in the post's text, including their punctuation.
    package let end: Int
    /// Whether the text may be divided there: a sentence, a line or a clause ends, and only the title, a counter or a few handles precede.
    /// The words can then be set as a heading, with the rest of the text below it.
    package let isHeading: Bool
    /// Whether the title contains all of the text before that offset, except a counter.
    package let isWhole: Bool
    /// Whether it ends within a sentence, and therefore with an ellipsis.
    package let isCut: Bool
  }

  /// The content warning that serves as the title, because content behind a warning is shown only on request.
  package let warning: String?

  /// Creates a title from the headline of the first post or, without a headline, from its first sentence, which is cut at a clause if it is
  /// long. If the first post has no words, the next one with words is used. The title of a post with a content warning is the warning, and
  /// the title of a thread without words consists of its author and its day.
  package init(of thread: UnrolledThread, in localization: Localization, by calendar: SiteCalendar) {
    var isFirst = true
    for case .post(let threadPost) in thread.items.prefix(Self.mostPosts) {
      let post = threadPost.post
      func dated(_ text: String) -> String {
        guard let date = post.createdAt.map({ calendar.day($0) }) else { return text }
        // A date in a language of the other direction is isolated (UAX #9), so that its parts keep their order.
        let isIsolated = LanguageTag.isRightToLeft(localization.language) != text.holdsRightToLeft
        return text + localization.text(.listSeparator) + (isIsolated ? "\u{2068}\(date)\u{2069}" : date)
      }
      if let warning = post.warningLine {
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
    let handle = PlainText.nonEmptyLine(thread.author.handle).map { "@" + $0.asHandle }
    guard let name = handle ?? PlainText.nonEmptyLine(thread.author.name) else {
      self.init(text: localization.text(.thread), source: nil)
      return
    }
    guard let date = thread.firstPost?.createdAt else {
      self.init(text: localization.text(.threadBy, ["name": name]), source: nil)
      return
    }
    let key: StringKey = thread.postCount > 1 ? .threadByOn : .postByOn
    self.init(text: localization.text(key, ["name": name, "date": calendar.day(date)]), source: nil)
  }

  private init(text: String, source: Source?, warning: String? = nil) {
    self.text = text
    self.source = source
    self.warning = warning
  }

  /// In characters. A longer content warning describes only this thread.
  private static let longestLabel = 40

  /// The number of posts in which words are searched for.
  private static let mostPosts = 8

  /// Returns the first sentence of a post on one line; its content warning if it has one; empty if it has no words.
  static func opening(of post: Post) -> String {
    if let warning = post.warningLine { return warning }
    if let cut = TitleCutter.cut(post, keepsSeries: false) { return cut.text }
    let text = PostScalars(post)
    return PlainText.singleLine(text.string(text.words.prefix(TitleCutter.longest)))
  }
}

extension UnrolledThread {
  /// The first post of the main line that is not missing.
  var firstPost: Post? {
    for case .post(let threadPost) in items { return threadPost.post }
    return nil
  }
}
