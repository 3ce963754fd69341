import ThreadModel

/// The posts of a thread's main line that begin with a heading.
///
/// A single short line at the beginning of a post may be a greeting. So lines are headings only if several posts begin with one, and in a
/// short thread only if most posts do.
struct ThreadHeadings {
  private var headings: [PostID: ThreadHeading] = [:]

  /// - Parameter thread: The first post is left out, because the page begins with it.
  init(of thread: UnrolledThread) {
    let posts = thread.mainPosts
    var count = 0
    for post in posts.dropFirst().lazy.map(\.post) {
      if let heading = ThreadHeading(of: post) {
        headings[post.id] = heading
        count += 1
      } else if PlainText.nonEmptyLine(post.title) != nil {
        count += 1
      }
    }
    let isLong = posts.count >= ThreadOutline.fewestPosts
    if count < ThreadOutline.fewestHeadings || !isLong && 2 * count < posts.count - 1 { headings = [:] }
  }

  /// Returns the text of a post, divided into its heading and the rest; `nil` if it does not begin with a heading.
  ///
  /// - Parameters:
  ///   - text: The text of the post without its counter.
  ///   - counterLength: The number of scalars that were removed from the start of the text.
  func divided(_ post: Post, _ text: InlineText, counterLength: Int) -> DividedText? {
    guard let heading = headings[post.id] else { return nil }
    let scalars = text.text.unicodeScalars
    let (start, end) = (heading.range.lowerBound - counterLength, heading.range.upperBound - counterLength)
    let isComplete =
      !post.media.isEmpty || post.quotes != nil || post.card != nil || post.poll != nil
      || heading.range.upperBound < post.text.text.unicodeScalars.count
    guard start >= 0, isComplete,
      let first = scalars.index(scalars.startIndex, offsetBy: start, limitedBy: scalars.endIndex),
      scalars[..<first].allSatisfy(\.isWhiteSpace),
      let cut = scalars.index(first, offsetBy: end - start, limitedBy: scalars.endIndex)
    else { return nil }
    func divides(_ place: Int) -> Bool {
      !text.entities.contains { $0.range.lowerBound < place && place < $0.range.upperBound }
    }
    guard divides(start), divides(end) else { return nil }
    let tail = scalars.distance(from: cut, to: scalars.endIndex)
    var divided = DividedText(
      heading: text.dropping(head: start, tail: tail),
      rest: text.dropping(head: end + ThreadOpening.lengthOfBreak(scalars[cut...]), tail: 0))
    let endOfNumber = start + heading.numberLength
    if heading.numberLength > 0, endOfNumber < end, divides(endOfNumber) {
      divided.number = text.dropping(head: start, tail: tail + end - endOfNumber)
      let blanks = scalars[scalars.index(first, offsetBy: heading.numberLength)...].prefix(
        while: \.isWhiteSpace)
      divided.heading = text.dropping(head: endOfNumber + blanks.count, tail: tail)
    }
    return divided
  }

  /// A post's text that begins with a heading.
  struct DividedText {
    /// The number of the heading with its punctuation; `nil` if it has none.
    var number: InlineText?
    /// The heading without its number.
    var heading: InlineText
    var rest: InlineText
  }
}
