import ThreadModel

/// Finds a place for those of the author's chains whose parent is unknown.
///
/// The id of a missing post is known, but not which post it continued. If ids grow with time, the best guess is the latest post on the main
/// line that was written before the missing post. Otherwise, and for a chain whose first post names no parent, it is the latest post before
/// that first post. Chains are placed from the earliest on, and each may lengthen the line for the next.
struct Placement {
  private(set) var parents: [Int?]
  private let length: [Int]

  /// The number of the line that contains a node; `nil` for nodes of side branches and of chains not yet placed.
  private var line: [Int?]
  /// The number of posts on a node's line from its start to the node.
  private var count: [Int]
  /// The number of posts of each line.
  private var lineLengths: [Int] = []
  private var next: [Int?]

  /// - Parameter lines: The first nodes of the lines to which chains may be added.
  init(parents: [Int?], forest: Forest, lines: [Int]) {
    self.parents = parents
    length = forest.length
    next = forest.next
    line = Array(repeating: nil, count: parents.count)
    count = Array(repeating: 0, count: parents.count)
    for start in lines { openLine(from: start) }
  }

  /// Assigns a parent to each chain of `loose`, identified by its first node. The parent is `otherwise` if no post on a line is earlier. If
  /// `otherwise` is `nil`, the chain becomes a separate line.
  mutating func place(_ loose: [Int], of graph: ReplyGraph, known: KnownPosts, otherwise: Int?) {
    var latest = otherwise
    var passed = 0
    for chain in Self.chains(loose, of: graph, known: known) {
      while passed < graph.positions.count, graph.positions[passed] < chain.place {
        if line[passed] != nil { latest = passed }
        passed += 1
      }
      if let latest {
        attach(chain.first, to: latest)
      } else {
        openLine(from: chain.first)
      }
    }
  }

  /// Returns each chain with the index before which it is placed, in order. The missing post before the chain precedes the post at that
  /// index.
  private static func chains(
    _ loose: [Int], of graph: ReplyGraph, known: KnownPosts
  ) -> [(place: Int, first: Int)] {
    let chains = loose.map { first in
      let missing = graph.missing(before: first)
      let place = missing.flatMap { known.place(ofMissing: $0) }
      return (place: place ?? graph.positions[first], missing: place == nil ? nil : missing, first: first)
    }
    let sorted = chains.sorted { one, other in
      if one.place != other.place { return one.place < other.place }
      if one.missing == other.missing { return one.first < other.first }
      guard let left = one.missing, let right = other.missing else { return one.missing != nil }
      return left < right
    }
    return sorted.map { ($0.place, $0.first) }
  }

  private mutating func openLine(from start: Int) {
    lineLengths.append(0)
    draw(from: start, on: lineLengths.count - 1, after: 0)
  }

  /// Attaches a chain below a node. It continues the node's line if it is longer than the present continuation.
  private mutating func attach(_ first: Int, to node: Int) {
    parents[first] = node
    guard let line = line[node] else { return }
    let rest = lineLengths[line] - count[node]
    guard length[first] > rest || (length[first] == rest && first < next[node] ?? first) else { return }
    var erased = next[node]
    while let each = erased {
      self.line[each] = nil
      erased = next[each]
    }
    next[node] = first
    draw(from: first, on: line, after: count[node])
  }

  private mutating func draw(from start: Int, on line: Int, after posts: Int) {
    var posts = posts
    var node: Int? = start
    while let each = node {
      // A node that represents no post has length 0 at the end of a line, and otherwise the length of the next node.
      if length[each] > (next[each].map { length[$0] } ?? 0) { posts += 1 }
      self.line[each] = line
      count[each] = posts
      node = next[each]
    }
    lineLengths[line] = posts
  }
}
