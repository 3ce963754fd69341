package import ThreadModel

/// The hashtags of a thread's author.
package enum ThreadTags {
  /// Those of all posts of the author, in reading order, without the `#`; of one tag in several spellings the first.
  package static func make(from thread: UnrolledThread) -> [String] {
    var seen: Set<String> = []
    var tags: [String] = []
    thread.forEachPost { post in
      for entity in post.text.entities {
        guard case .hashtag(let raw, _) = entity.kind, let tag = PlainText.nonEmptyLine(raw),
          seen.insert(tag.lowercased()).inserted
        else { continue }
        tags.append(tag)
      }
    }
    return tags
  }
}

extension UnrolledThread {
  /// Calls `body` with every post of the author in reading order: main line, side branches in their places, answers.
  func forEachPost(_ body: (Post) -> Void) {
    Self.forEachPost(in: items, body)
    for answer in answers { Self.forEachPost(in: answer.items, body) }
  }

  private static func forEachPost(in items: [ThreadItem], _ body: (Post) -> Void) {
    for case .post(let threadPost) in items {
      body(threadPost.post)
      for branch in threadPost.branches { forEachPost(in: branch.items, body) }
    }
  }
}
