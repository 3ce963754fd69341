extension Conversation {
  /// This conversation with what `other` knows: the union of both, field by field, losing nothing known.
  ///
  /// Of two values for one field the one observed later wins, and `other`'s where times are equal or unknown. A
  /// post that is known beats a tombstone for it. The lists come out sorted by id, so that the result does not depend on
  /// the order in which facts arrived.
  package func merged(with other: Conversation) -> Conversation {
    var result = self
    result.posts = Self.union(posts, other.posts, id: \.id) { $0.merged(with: $1) }
    let own = Set(result.posts.map(\.id))
    result.related = Self.union(related, other.related, id: \.id) { $0.merged(with: $1) }
    for post in result.related where own.contains(post.id) {
      if let index = result.posts.firstIndex(where: { $0.id == post.id }) {
        result.posts[index] = post.merged(with: result.posts[index])
      }
    }
    result.related.removeAll { own.contains($0.id) }
    result.authors = Self.union(authors, other.authors, id: \.id) { $0.merged(with: $1) }
    let known = own.union(result.related.map(\.id))
    result.tombstones = Self.union(tombstones, other.tombstones, id: \.id) { $0.merged(with: $1) }
      .filter { !known.contains($0.id) }
    result.provenance = Array(Set(provenance + other.provenance)).sorted {
      ($0.source.rawValue, $0.fetchedAt?.milliseconds ?? 0) < (
        $1.source.rawValue, $1.fetchedAt?.milliseconds ?? 0
      )
    }
    result.coverage.expectedPosts = other.coverage.expectedPosts ?? coverage.expectedPosts
    result.coverage.limits = other.coverage.limits.isEmpty ? coverage.limits : other.coverage.limits
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
