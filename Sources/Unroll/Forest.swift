/// The trees that the parents form, with the longest path down from every node.
struct Forest {
  /// The next node of the same line; `nil` at the end of a line.
  private(set) var next: [Int?]
  /// The number of posts from a node to the end of its line, including the node.
  private(set) var length: [Int]
  private var firstChild: [Int?]
  private var nextSibling: [Int?]

  /// - Parameters:
  ///   - parents: The parent of every node, without circles.
  ///   - unwritten: A node that represents no post and is not counted.
  init(parents: [Int?], unwritten: Int?) {
    let count = parents.count
    next = Array(repeating: nil, count: count)
    firstChild = next
    nextSibling = next
    length = Array(repeating: 1, count: count)
    if let unwritten { length[unwritten] = 0 }
    for node in parents.indices.reversed() {
      guard let parent = parents[node] else { continue }
      nextSibling[node] = firstChild[parent]
      firstChild[parent] = node
    }
    for node in Self.childrenFirst(parents) {
      guard let parent = parents[node] else { continue }
      let through = length[node] + (parent == unwritten ? 0 : 1)
      let rival = next[parent]
      // If several continuations are equally long, the earliest belongs to the line.
      if rival == nil || through > length[parent] || (through == length[parent] && node < rival ?? node) {
        length[parent] = through
        next[parent] = node
      }
    }
  }

  /// Returns the continuations that do not belong to the node's line, in order.
  func forks(at node: Int) -> [Int] {
    var forks: [Int] = []
    var child = firstChild[node]
    while let fork = child {
      if fork != next[node] { forks.append(fork) }
      child = nextSibling[fork]
    }
    return forks
  }

  /// Returns all nodes, each after its children.
  private static func childrenFirst(_ parents: [Int?]) -> [Int] {
    var waiting = Array(repeating: 0, count: parents.count)
    for case let parent? in parents { waiting[parent] += 1 }
    var order = parents.indices.filter { waiting[$0] == 0 }
    order.reserveCapacity(parents.count)
    var read = 0
    while read < order.count {
      if let parent = parents[order[read]] {
        waiting[parent] -= 1
        if waiting[parent] == 0 { order.append(parent) }
      }
      read += 1
    }
    return order
  }
}
