import ThreadModel

extension UnrolledThread {
  /// What most posts of the main line are written in; the first of those that are equal; `nil` where no post says.
  package var language: String? {
    // A thread has few languages, which are searched in turn.
    var counts: [(tag: String, posts: Int)] = []
    for item in items {
      guard let tag = LanguageTag.valid(item.language) else { continue }
      if let index = counts.firstIndex(where: { $0.tag == tag }) {
        counts[index].posts += 1
      } else {
        counts.append((tag, 1))
      }
    }
    var most: (tag: String, posts: Int)?
    for count in counts where count.posts > most?.posts ?? 0 { most = count }
    return most?.tag
  }
}

extension ThreadItem {
  /// What its post is written in, as the network said it; `nil` for a gap.
  fileprivate var language: String? {
    if case .post(let threadPost) = self { threadPost.post.language } else { nil }
  }
}
