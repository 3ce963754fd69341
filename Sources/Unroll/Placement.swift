import ThreadModel

/// Finds a place for chains of the author's whose parent is not known.
///
/// A missing post tells its id and nothing of what it continued. Ids count upwards, so the best guess is the latest post
/// on the main line that has a lower id; a chain whose first post names no parent is placed the same way by that post's
/// own id. Chains are placed from the lowest id up, and each may lengthen the line for the next.
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

  /// Gives each chain of `loose`, named by its first node, a parent; `otherwise` where no post on a line has a lower id, and
  /// where that is `nil` the chain becomes a line of its own.
  mutating func place(_ loose: [Int], of graph: ReplyGraph, known: KnownPosts, otherwise: Int?) {
    func id(_ node: Int) -> PostID { known.posts[graph.positions[node]].id }
    let chains = loose.map { (id: graph.missing(before: $0) ?? id($0), first: $0) }
      .sorted { ($0.id, $0.first) < ($1.id, $1.first) }
    var latest = otherwise
    var passed = 0
    for chain in chains {
      while passed < graph.positions.count, id(passed) < chain.id {
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
