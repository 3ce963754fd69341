package import ThreadModel

/// The first words of a thread as plain text, for indexes, feeds and previews.
package enum ThreadExcerpt {
  /// Scalars of a post that are looked at.
  private static let window = 2000

  /// At most `limit` characters on one line, from as many posts of the main line as it takes; empty where there are no
  /// words. A post behind a content warning gives only the warning, and nothing where the post before it has the same.
  ///
  /// - Parameter title: what `ThreadTitle` made of the same thread, where that stands above the excerpt: the excerpt goes
  ///   on behind it, unless nothing follows or the title was shortened.
  package static func make(from thread: UnrolledThread, after title: String = "", limit: Int = 200) -> String
  {
    let whole = words(of: thread, upTo: limit + title.utf8.count)
    return PlainText.shortened(rest(of: whole, after: title), to: limit)
  }

  /// The beginning of any other text on one line: at most `limit` characters of it.
  package static func make(from text: String, limit: Int = 200) -> String {
    PlainText.shortened(PlainText.singleLine(text), to: limit)
  }

  /// What a title leaves out between the first sentence and the next.
  private static func isSentenceEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", ":", "!", "?", "。", " ": true
    default: false
    }
  }

  private static func rest(of text: String, after title: String) -> String {
    guard !title.isEmpty, text.utf8.starts(with: title.utf8) else { return text }
    let rest = text.unicodeScalars[text.utf8.index(text.startIndex, offsetBy: title.utf8.count)...]
    // What ends within a word is not the first sentence.
    guard let next = rest.first, isSentenceEnd(next) else { return text }
    let words = rest.drop(while: isSentenceEnd)
    return words.isEmpty ? text : String(words)
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

  private static func words(of thread: UnrolledThread, upTo limit: Int) -> String {
    var excerpt = ""
    var warning: String?
    for case .post(let threadPost) in thread.items {
      let post = threadPost.post
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
