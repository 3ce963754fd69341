package import ThreadModel

/// Which long posts a page has quoted already: those are a link from then on. Nobody wants to read them twice, and a page of posts that all quote one
/// would be as long as their number times that one.
package struct LongQuotes: Sendable {
  private var seen: Set<PostID> = []

  package init() {}

  /// Whether a post is long and was quoted before; notes that it is quoted now.
  package mutating func repeats(_ post: Post) -> Bool {
    if seen.contains(post.id) { return true }
    if post.isLong { seen.insert(post.id) }
    return false
  }
}

extension Post {
  /// Whether it takes about as much room as the longest text that X takes.
  fileprivate var isLong: Bool {
    var room = text.text.utf8.count + (title?.utf8.count ?? 0) + (contentWarning?.utf8.count ?? 0)
    room += text.entities.count * 50 + media.reduce(0) { $0 + 200 + ($1.altText?.utf8.count ?? 0) }
    room += poll?.options.reduce(0) { $0 + 50 + $1.label.utf8.count } ?? 0
    room += (card?.title?.utf8.count ?? 0) + (card?.summary?.utf8.count ?? 0)
    return room > 20_000
  }
}
