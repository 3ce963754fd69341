import ThreadModel

/// The first words of a thread as its heading, and the rest of their post's text, so that a page whose title is the beginning of its text
/// does not show the words twice.
struct ThreadOpening {
  let post: Post
  let heading: InlineText
  let rest: InlineText

  /// `nil` if the title was not created from the first post's first words, or if something must precede these: a warning, a notice, or the
  /// post that it answers.
  ///
  /// - Parameters:
  ///   - source: The words from which the title was created.
  ///   - besideTitle: Whether the title is shown elsewhere, in place of the heading, and must then contain all of it.
  ///   - counters: The counters that are removed from the posts' texts.
  ///   - language: The thread's language.
  init?(
    of thread: UnrolledThread, _ source: ThreadTitle.Source?, besideTitle: Bool, counters: CounterSequence?,
    language: String?
  ) {
    guard let source, source.isHeading, source.isWhole || !besideTitle, thread.context == nil,
      case .post(let first)? = thread.items.first,
      first.post.id == source.post, first.post.warningLine == nil, first.post.removal == nil,
      first.post.withheld == nil, PlainText.nonEmptyLine(first.post.title) == nil,
      LanguageTag.valid(first.post.language).map({ $0 == language }) ?? true
    else { return nil }
    let text = counters?.stripped(first.post) ?? first.post.text
    let end = source.end - (counters?.headLength(of: first.post) ?? 0)
    let scalars = text.text.unicodeScalars
    guard end > 0, let cut = scalars.index(scalars.startIndex, offsetBy: end, limitedBy: scalars.endIndex),
      !text.entities.contains(where: { $0.range.lowerBound < end && end < $0.range.upperBound }),
      !text.text[..<cut].contains(where: \.isNewline), !Self.belongsToHeading(scalars[cut...])
    else { return nil }
    post = first.post
    heading = text.dropping(head: 0, tail: scalars.count - end)
    rest = text.dropping(head: end + Self.lengthOfBreak(scalars[cut...]), tail: 0)
  }

  /// Whether a text cannot be read without the words before it: it begins with a closing mark, or consists of punctuation.
  private static func belongsToHeading(_ rest: Substring.UnicodeScalarView) -> Bool {
    guard let first = rest.first(where: { !$0.isWhiteSpace }) else { return false }
    return first.punctuation == .closePunctuation || first.punctuation == .finalPunctuation
      || rest.isPunctuation
  }

  /// Returns the length of the white space that the break below the heading replaces: spaces and up to two line breaks. Further line breaks
  /// and the indentation of the next line belong to the text, unless nothing else follows.
  static func lengthOfBreak(_ rest: Substring.UnicodeScalarView) -> Int {
    let gap = Array(rest.prefix(while: \.isWhiteSpace))
    if gap.count == rest.count { return gap.count }
    var length = gap.firstIndex(where: \.isLineEnd) ?? gap.count
    for _ in 0..<2 {
      guard let lineEnd = gap[length...].firstIndex(where: { !$0.isWhiteSpace || $0.isLineEnd }) else {
        break
      }
      length = lineEnd + (gap[lineEnd...].starts(with: ["\r", "\n"]) ? 2 : 1)
    }
    return length
  }
}
