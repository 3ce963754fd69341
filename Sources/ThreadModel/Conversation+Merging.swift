extension Conversation {
  /// This conversation with what `other` knows: the union of both, field by field, losing nothing known.
  ///
  /// Of two values for one field the one observed later wins, and `other`'s where times are equal or unknown. A
  /// post that is known beats a tombstone for it, unless it was removed after it was last seen. The lists come out sorted by id, so that the result does not depend on
  /// the order in which facts arrived.
  package func merged(with other: Conversation) -> Conversation {
    var result = self
    result.posts = Self.union(posts, other.posts, id: \.id) { $0.merged(with: $1) }
    let tombstones = Self.union(self.tombstones, other.tombstones, id: \.id) { $0.merged(with: $1) }
    let removals = Dictionary(
      tombstones.compactMap { stone in stone.removedAt.map { (stone.id, $0) } }, uniquingKeysWith: max)
    result.posts.removeAll { $0.isRemoved(by: removals) }
    let own = Set(result.posts.map(\.id))
    result.related = Self.union(related, other.related, id: \.id) { $0.merged(with: $1) }
    result.related.removeAll { $0.isRemoved(by: removals) }
    let twice = Dictionary(
      result.related.filter { own.contains($0.id) }.map { ($0.id, $0) },
      uniquingKeysWith: { $0.merged(with: $1) })
    if !twice.isEmpty {
      for index in result.posts.indices {
        if let post = twice[result.posts[index].id] {
          result.posts[index] = post.merged(with: result.posts[index])
        }
      }
      result.related.removeAll { own.contains($0.id) }
    }
    result.authors = Self.union(authors, other.authors, id: \.id) { $0.merged(with: $1) }
    let known = own.union(result.related.map(\.id))
    result.tombstones = tombstones.filter { !known.contains($0.id) }
    result.provenance = Array(Set(provenance + other.provenance)).sorted {
      ($0.source.rawValue, $0.fetchedAt?.milliseconds ?? 0) < (
        $1.source.rawValue, $1.fetchedAt?.milliseconds ?? 0
      )
    }
    result.coverage = coverage.merged(with: other.coverage)
    return result
  }

  private static func union<Element, ID: Hashable & Comparable>(
    _ first: [Element], _ second: [Element], id: (Element) -> ID, merge: (Element, Element) -> Element
  ) -> [Element] {
    var byID: [ID: Element] = [:]
    for element in first + second {
      let key = id(element)
      byID[key] = byID[key].map { merge($0, element) } ?? element
    }
    return byID.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension Post {
  /// Whether it was found to be gone after it was last seen.
  fileprivate func isRemoved(by removals: [PostID: Timestamp]) -> Bool {
    guard let removal = removals[id] else { return false }
    return lastSeen.map { $0 <= removal } ?? true
  }
}

extension Coverage {
  /// What is known of a thread's reach after a second look at it: a fetch knows its own, which an imported file does not.
  func merged(with other: Coverage) -> Coverage {
    if other.isEmpty { return self }
    if isEmpty { return other }
    if foundBy != nil, other.foundBy == nil { return self }
    if let mine = checkedAt, let theirs = other.checkedAt, mine > theirs { return self }
    var result = other
    result.expectedPosts = other.expectedPosts ?? expectedPosts
    if other.foundBy == nil, other.limits.isEmpty { result.limits = limits }
    result.checkedAt = Timestamp.later(checkedAt, other.checkedAt)
    return result
  }
}

extension Conversation {
  /// Whether this one, which `other` was merged into, differs from it in nothing but when archives were made that hold the same.
  package func saysNoMore(than other: Conversation) -> Bool {
    guard posts.count == other.posts.count, authors.count == other.authors.count,
      related.count == other.related.count
    else { return false }
    var result = self
    result.provenance = other.provenance
    for index in posts.indices { result.posts[index].archive?.date = other.posts[index].archive?.date }
    for index in related.indices { result.related[index].archive?.date = other.related[index].archive?.date }
    for index in authors.indices { result.authors[index].archive?.date = other.authors[index].archive?.date }
    return result == other
  }
}
