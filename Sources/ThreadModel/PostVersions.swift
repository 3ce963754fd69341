/// Which id a post has now, on networks where an edit makes a new one: the one place that decides which version is the latest.
///
/// A post names the ids of its earlier versions. Such a claim counts where it can be true: the earlier version was there before, so that
/// versions never lead in circles, and nobody's post replaces another's. Of two that replace the same one, the later does.
package struct PostVersions<ID: Hashable & Sendable>: Sendable {
  /// From each earlier version to a later one: to the last known, once they are settled.
  private var later: [ID: ID] = [:]
  private let precedes: @Sendable (ID, ID) -> Bool
  private var isSettled = true

  /// - Parameter precedes: whether the first of two ids was given out before the second, or can have been.
  package init(_ precedes: @escaping @Sendable (ID, ID) -> Bool) { self.precedes = precedes }

  /// Takes a post's word for its earlier versions.
  ///
  /// - Parameter isPossible: whether an earlier one can be the same author's, as far as anybody knows.
  package mutating func add(
    _ earlier: some Sequence<ID>, replacedBy id: ID, isPossible: (ID) -> Bool = { _ in true }
  ) {
    for one in earlier where one != id && precedes(one, id) && isPossible(one) {
      if let known = later[one], !precedes(known, id) { continue }
      later[one] = id
      isSettled = false
    }
  }

  /// Lets each version lead to the last at once, however long the chain: every step is taken once.
  package mutating func resolve() {
    guard !isSettled else { return }
    isSettled = true
    var ends: [ID: ID] = [:]
    ends.reserveCapacity(later.count)
    for start in later.keys where ends[start] == nil {
      var path: [ID] = []
      var id = start
      while ends[id] == nil, let next = later[id] {
        path.append(id)
        id = next
      }
      let end = ends[id] ?? id
      for step in path { ends[step] = end }
    }
    later = ends
  }

  /// Whether nothing was edited.
  package var isEmpty: Bool { later.isEmpty }

  /// The id that a post has now.
  package func latest(_ id: ID) -> ID {
    guard !later.isEmpty, var next = later[id] else { return id }
    while !isSettled, let further = later[next] { next = further }
    return next
  }

  /// Whether a later version is known.
  package func isSuperseded(_ id: ID) -> Bool { !later.isEmpty && later[id] != nil }

  /// Every earlier version with the one that it leads to.
  package var replaced: [ID: ID] { later }
}
