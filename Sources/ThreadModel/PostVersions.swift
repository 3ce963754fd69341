/// Maps each id to the id of the post's latest version, on networks where an edit makes a new id. Only this type decides which version is the latest.
///
/// A post lists the ids of its earlier versions. An entry counts only if the earlier version is older, so that versions never form circles, and if
/// it is not another author's post. If two posts replace the same post, the later one counts.
package struct PostVersions<ID: Hashable & Sendable>: Sendable {
  /// Maps each earlier version to a later one, and after `resolve()` to the last known one.
  private var later: [ID: ID] = [:]
  private let precedes: @Sendable (ID, ID) -> Bool
  private var isSettled = true

  /// - Parameter precedes: whether the first of two ids was or may have been created before the second.
  package init(_ precedes: @escaping @Sendable (ID, ID) -> Bool) { self.precedes = precedes }

  /// Adds the earlier versions that a post lists.
  ///
  /// - Parameter isPossible: whether an earlier version may be by the same author.
  package mutating func add(
    _ earlier: some Sequence<ID>, replacedBy id: ID, isPossible: (ID) -> Bool = { _ in true }
  ) {
    for one in earlier where one != id && precedes(one, id) && isPossible(one) {
      if let known = later[one], !precedes(known, id) { continue }
      later[one] = id
      isSettled = false
    }
  }

  /// Maps each version directly to the last one. Every step of a chain is followed once, however long the chain is.
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

  /// Whether no edits are known.
  package var isEmpty: Bool { later.isEmpty }

  /// Returns the id of the latest version of a post.
  package func latest(_ id: ID) -> ID {
    guard !later.isEmpty, var next = later[id] else { return id }
    while !isSettled, let further = later[next] { next = further }
    return next
  }

  /// Whether a later version is known.
  package func isSuperseded(_ id: ID) -> Bool { !later.isEmpty && later[id] != nil }

  /// All earlier versions, each mapped to its replacement.
  package var replaced: [ID: ID] { later }
}
