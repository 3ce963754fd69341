extension Conversation {
  /// This conversation with what `other` knows: the union of both, field by field, losing nothing known.
  ///
  /// Of two values for one field the one observed later wins, and where times are equal or unknown the one whose text sorts last. A
  /// post that is known beats a tombstone for it, unless it was removed after it was last seen. The posts come out in their order, and the other lists sorted by id. So the
  /// result does not depend on the order in which facts arrived, nor on how many came at once (posts that were removed, and
  /// seen again later, apart: what was seen of them before the removal may be gone).
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
          result.posts[index] = result.posts[index].merged(with: post)
        }
      }
      result.related.removeAll { own.contains($0.id) }
    }
    result.posts = PostOrder.sorted(result.posts)
    result.related = PostOrder.sorted(result.related)
    result.authors = Self.union(authors, other.authors, id: \.id) { $0.merged(with: $1) }
    let known = own.union(result.related.map(\.id))
    result.tombstones = tombstones.filter { !known.contains($0.id) }
    result.provenance = Provenance.union(provenance, other.provenance)
    result.coverage = coverage.merged(with: other.coverage)
    return result
  }

  private static func union<Element, ID: Hashable & Comparable>(
    _ first: [Element], _ second: [Element], id: (Element) -> ID, merge: (Element, Element) -> Element
  ) -> [Element] {
    var positions: [ID: Int] = [:]
    positions.reserveCapacity(first.count + second.count)
    var elements: [Element] = []
    elements.reserveCapacity(max(first.count, second.count))
    for part in [first, second] {
      for element in part {
        let key = id(element)
        if let position = positions[key] {
          elements[position] = merge(elements[position], element)
        } else {
          positions[key] = elements.count
          elements.append(element)
        }
      }
    }
    // Lists are stored sorted, so that there is seldom anything to do.
    let isSorted = zip(elements, elements.dropFirst()).allSatisfy { id($0) < id($1) }
    return isSorted ? elements : elements.sorted { id($0) < id($1) }
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
  /// What is known of a thread's reach after a second look at it: a fetch knows its own, which an imported file does not, and
  /// the later of two knows better. One of them is taken whole, as its limits are about how it found its posts.
  package func merged(with other: Coverage) -> Coverage {
    func order(_ coverage: Coverage) -> (Int64, Int, Int, Int, String, String) {
      let limits = coverage.limits
      return (
        coverage.foundBy == nil ? .min : coverage.checkedAt?.milliseconds ?? .min + 1,
        coverage.foundBy?.sight ?? -1,
        // A file that says nothing of limits knows of none; a fetch that names none had none.
        coverage.foundBy == nil ? limits.count : -limits.count, coverage.expectedPosts ?? -1,
        coverage.foundBy?.rawValue ?? "",
        // What else differs, so that the choice is one and the same.
        "\(coverage.checkedAt?.milliseconds ?? -1) "
          + limits.map { "\($0.kind.rawValue) \($0.day ?? "")" }.joined(separator: "\n")
      )
    }
    return order(self) < order(other) ? other : self
  }
}

extension FindingMethod {
  /// How much of a thread it sees, from 0.
  fileprivate var sight: Int {
    [Self.climbing, .timeline, .recentSearch, .fullSearch].firstIndex(of: self) ?? 0
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
    for index in posts.indices { result.posts[index].takeDates(of: other.posts[index]) }
    for index in related.indices { result.related[index].takeDates(of: other.related[index]) }
    for index in authors.indices {
      result.authors[index].archive?.date = other.authors[index].archive?.date
      result.authors[index].older = result.authors[index].older.dated(like: other.authors[index].older)
    }
    return result == other
  }
}

extension Post {
  fileprivate mutating func takeDates(of other: Post) {
    guard archive != nil else { return }
    change { facts in
      facts.archive?.date = other.archive?.date
      facts.older = facts.older.dated(like: other.older)
    }
  }
}

extension [String: SightingTime] {
  /// The same with the other's dates of archives: what the other saw with the rest, this one saw in an archive before the last.
  fileprivate func dated(like other: Self) -> Self {
    var result = self
    for (field, time) in self where time.isFromArchive {
      result[field] = other[field].flatMap { $0.isFromArchive ? $0 : time }
    }
    return result
  }
}
