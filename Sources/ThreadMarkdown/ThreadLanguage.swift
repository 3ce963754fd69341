import ThreadModel

extension UnrolledThread {
  /// What most posts of the main line are written in; the first of those that are equal; `nil` where no post says.
  var language: String? {
    // A thread has few languages, which are searched in turn.
    var counts: [(tag: String, posts: Int)] = []
    for case .post(let threadPost) in items {
      guard let tag = LanguageTag.valid(threadPost.post.language) else { continue }
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
