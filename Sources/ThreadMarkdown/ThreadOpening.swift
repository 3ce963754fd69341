import ThreadModel

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
