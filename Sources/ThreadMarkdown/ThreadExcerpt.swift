package import ThreadModel

/// The first words of a thread as plain text, for indexes, feeds and previews.
package enum ThreadExcerpt {
  /// Scalars of a post that are looked at.
  private static let window = 2000

  /// At most `limit` characters on one line, from as many posts of the main line as it takes; empty where there are no
  /// words. A post behind a content warning gives only the warning, and nothing where the post before it has the same.
  ///
  /// - Parameter title: What the same thread is called, where that stands above the excerpt: the excerpt goes on where the title
  ///   ends, and is empty where nothing follows.
  package static func make(from thread: UnrolledThread, after title: ThreadTitle? = nil, limit: Int = 200)
    -> String
  {
    PlainText.shortened(words(of: thread, after: title, upTo: limit), to: limit)
  }

  /// The beginning of any other text on one line: at most `limit` characters of it.
  package static func make(from text: String, limit: Int = 200) -> String {
    PlainText.shortened(PlainText.singleLine(text), to: limit)
  }

  /// What follows a title in its own text, without what ended the title; behind a title that was cut, with an ellipsis before it.
  private static func rest(of text: InlineText, after source: ThreadTitle.Source, isCut: Bool) -> String {
    let words = text.openingWords(keepsSeries: true)
    let scalars = text.text.unicodeScalars
    guard
      let end = scalars.index(scalars.startIndex, offsetBy: source.end, limitedBy: words.endIndex)
    else { return "" }
    let rest = text.text[end..<words.endIndex].unicodeScalars.drop(while: endsOrLeadsOn).prefix(window)
    let line = withoutLastTags(PlainText.singleLine(Substring(rest)))
    // Tags alone are shown beside the excerpt.
    guard line.utf8.first != UInt8(ascii: "#") || line.contains(" ") else { return "" }
    return isCut && !line.isEmpty ? "… " + line : line
  }

  /// What stands between a title and what follows it.
  private static func endsOrLeadsOn(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", ",", ";", ":", "!", "?", "…", "–", "—", "-", "|", "。", "、", "，", "؛", "،", "👉", "👇", "➡",
      "🧵", "\u{FE0F}", "\u{1F3FB}"..."\u{1F3FF}":
      true
    default: scalar.isWhiteSpace
    }
  }

  /// Without the hashtags that a line ends with, which an index shows beside the excerpt; `#1` is a word.
  private static func withoutLastTags(_ line: String) -> String {
    var end = line.endIndex
    while let space = line.utf8[..<end].lastIndex(of: UInt8(ascii: " ")) {
      let word = line.utf8[line.utf8.index(after: space)..<end]
      guard word.first == UInt8(ascii: "#"), let second = word.dropFirst().first,
        !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
      else { break }
      end = space
    }
    return end == line.endIndex ? line : String(line[..<end])
  }

  private static func words(
    of thread: UnrolledThread, after title: ThreadTitle?, upTo limit: Int
  ) -> String {
    var excerpt = ""
    var warning: String?
    var source = title?.source
    for case .post(let threadPost) in thread.items {
      let post = threadPost.post
      if let start = source {
        guard post.id == start.post else { continue }
        source = nil
        if PlainText.nonEmptyLine(post.contentWarning) == nil {
          excerpt = rest(of: post.text, after: start, isCut: title?.text.hasSuffix("…") ?? false)
          if PlainText.isLonger(excerpt, than: limit) { break }
          continue
        }
      }
      let before = warning
      warning = PlainText.nonEmptyLine(post.contentWarning)
      if warning != nil, warning == before { continue }
      let text = warning.map { $0[...] } ?? post.text.withoutFurniture
      let line = withoutLastTags(
        PlainText.singleLine(
          text.utf8.count <= window ? text : Substring(text.unicodeScalars.prefix(window))))
      guard !line.isEmpty else { continue }
      excerpt += excerpt.isEmpty ? line : " " + line
      if PlainText.isLonger(excerpt, than: limit) { break }
    }
    return excerpt
  }
}
