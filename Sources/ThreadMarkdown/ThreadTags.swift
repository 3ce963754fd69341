package import ThreadModel

/// Collects the hashtags of a thread's author.
package enum ThreadTags {
  /// Returns the tags of all the author's posts, in reading order, without the `#`. If a tag has several spellings, the first is used.
  package static func make(from thread: UnrolledThread) -> [String] {
    var seen: Set<String> = []
    var tags: [String] = []
    thread.forEachAuthorPost { post in
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
