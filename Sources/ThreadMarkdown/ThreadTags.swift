package import ThreadModel

/// Collects the hashtags of a thread's author.
package enum ThreadTags {
  /// Returns the tags of all the author's posts, in reading order, without the `#`. If a tag has several spellings, the first is used.
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
  /// Calls `body` with each post of the author in reading order: main line, side branches at their places, and answers, including those
  /// among the replies of others.
  func forEachPost(_ body: (Post) -> Void) {
    Self.forEachPost(in: items, body)
    for answer in answers { Self.forEachPost(in: answer.items, body) }
    for reply in replies { reply.forEachPost { if $0.isByAuthor { body($0.post) } } }
  }

  private static func forEachPost(in items: [ThreadItem], _ body: (Post) -> Void) {
    for item in items {
      item.withPost(to: body)
      for branch in item.branches { forEachPost(in: branch.items, body) }
    }
  }
}

// Each accessor gets one value of an item, so that the compiler reads it in place. A loop that binds the whole post copies it, and a post
// has about forty reference counts.
extension ThreadItem {
  fileprivate func withPost(to body: (Post) -> Void) {
    if case .post(let threadPost) = self { body(threadPost.post) }
  }

  /// The branches of the item's post; empty for a gap.
  fileprivate var branches: [SideBranch] {
    if case .post(let threadPost) = self { threadPost.branches } else { [] }
  }
}
