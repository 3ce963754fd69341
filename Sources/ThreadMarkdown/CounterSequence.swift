import ThreadModel

/// The counters of a thread's posts, where they are counters: a lone `1/2` is a fraction as often.
struct CounterSequence {
  private let counters: [PostID: ThreadCounter]

  /// Empty unless the numbers go up by one with the place in the main line, gaps counted, from a single start; at least two
  /// posts and half of them have one, and those that give a total give the same.
  init(of thread: UnrolledThread) {
    var found: [(place: Int, id: PostID, counter: ThreadCounter)] = []
    var posts = 0
    for (place, item) in thread.items.enumerated() {
      guard case .post(let threadPost) = item else { continue }
      posts += 1
      if let counter = ThreadCounter(in: threadPost.post.text.text[...]) {
        found.append((place, threadPost.post.id, counter))
      }
    }
    let offsets = Set(found.map { $0.counter.number - $0.place })
    let totals = Set(found.compactMap(\.counter.total))
    let isSequence = found.count >= 2 && found.count * 2 >= posts && offsets.count == 1 && totals.count <= 1
    counters =
      isSequence
      ? Dictionary(found.map { ($0.id, $0.counter) }, uniquingKeysWith: { first, _ in first }) : [:]
  }

  /// Scalars that are taken off the start of the post's text.
  func headLength(of post: Post) -> Int {
    guard let counter = counters[post.id], counter.side == .head else { return 0 }
    return counter.length
  }

  /// The post's text without its counter.
  func stripped(_ post: Post) -> InlineText {
    guard let counter = counters[post.id] else { return post.text }
    switch counter.side {
    case .head: return post.text.dropping(head: counter.length, tail: 0)
    case .tail: return post.text.dropping(head: 0, tail: counter.length)
    }
  }
}
