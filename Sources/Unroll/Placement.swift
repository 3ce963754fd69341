import ThreadModel

/// Finds a place for chains of the author's whose parent is not known.
///
/// A missing post tells its id and nothing of what it continued. Where ids grow with time, the best guess is the latest post on the
/// main line that was written before it; elsewhere, and for a chain whose first post names no parent, it is the latest before that first post.
/// Chains are placed from the earliest on, and each may lengthen the line for the next.
struct Placement {
  private(set) var parents: [Int?]
  private let length: [Int]

  /// The line that a node lies on, by number; `nil` for nodes of side branches and of chains not placed yet.
  private var line: [Int?]
  /// How many posts a node's line has from its start up to the node.
  private var count: [Int]
  /// The posts of each line.
  private var lineLengths: [Int] = []
  private var next: [Int?]

  /// - Parameter lines: The first nodes of the lines that chains may be added to.
  init(parents: [Int?], forest: Forest, lines: [Int]) {
    self.parents = parents
    length = forest.length
    next = forest.next
    line = Array(repeating: nil, count: parents.count)
    count = Array(repeating: 0, count: parents.count)
    for start in lines { openLine(from: start) }
  }

  /// Gives each chain of `loose`, named by its first node, a parent; `otherwise` where no post on a line is earlier, and where that is
  /// `nil` the chain becomes a line of its own.
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

  /// Each chain with the position that it stands before, in their order: the missing post before it comes before what stands there.
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

  /// Puts a chain below a node, and on the node's line where it is longer than what follows there by now.
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
      // A node that stands for no post has length 0 at the end of a line, and otherwise as much as the next one.
      if length[each] > (next[each].map { length[$0] } ?? 0) { posts += 1 }
      self.line[each] = line
      count[each] = posts
      node = next[each]
    }
    lineLengths[line] = posts
  }
}
