package import ThreadModel

/// The first words of a thread as plain text, for indexes, feeds and previews.
package enum ThreadExcerpt {
  /// Scalars of a post that are looked at.
  private static let window = 2000

  /// At most `limit` characters on one line, from as many posts of the main line as it takes; empty where there are no
  /// words. A post behind a content warning gives only the warning.
  package static func make(from thread: UnrolledThread, limit: Int = 200) -> String {
    var excerpt = ""
    for case .post(let threadPost) in thread.items {
      let post = threadPost.post
      let text = PlainText.nonEmptyLine(post.contentWarning).map { $0[...] } ?? post.text.withoutFurniture
      let line = PlainText.singleLine(
        text.utf8.count <= window ? text : Substring(text.unicodeScalars.prefix(window)))
      guard !line.isEmpty else { continue }
      excerpt += excerpt.isEmpty ? line : " " + line
      if PlainText.isLonger(excerpt, than: limit) { break }
    }
    return PlainText.shortened(excerpt, to: limit)
  }
}
