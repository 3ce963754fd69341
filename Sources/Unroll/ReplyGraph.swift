import ThreadModel

/// What each of the author's posts continues.
///
/// The shown posts of the author are its nodes, numbered in the order in which they were written; every chain of them ends at a node
/// whose link is something else than `continues`.
struct ReplyGraph {
  /// What stands before one of the author's posts.
  enum Link: Equatable {
    /// Another node: a self-reply.
    case continues(Int)
    /// Nothing: it is the conversation's first post, or continues that one while it is hidden.
    case opens
    /// A post of the author's own that is not known.
    case follows(missing: PostID)
    /// Somebody else's post, known or not.
    case answers(PostID)
    /// Nobody knows: it answers nothing and yet is not the first, or the data lead in a circle.
    case unplaced
  }

  /// The position among the known posts of each node.
  let positions: [Int]
  private(set) var links: [Link] = []
  /// The conversation's first post, where it is a node.
  let root: Int?

  init(_ known: KnownPosts) {
    positions = known.posts.indices.filter(known.isShown)
    var nodes = Array(repeating: -1, count: known.posts.count)
    for (node, position) in positions.enumerated() { nodes[position] = node }
    let root = known.position(of: known.rootID).map { nodes[$0] }
    self.root = root == -1 ? nil : root
    var resolved: [Int: Link] = [:]
    links = positions.map { Self.link(of: $0, among: known, nodes: nodes, &resolved) }
    openCircles()
  }

  /// What the post at `position` continues, hidden posts in between left out.
  ///
  /// - Parameter resolved: The same for hidden posts by their positions, so that each is passed once, however many posts
  ///   continue it.
  private static func link(
    of position: Int, among known: KnownPosts, nodes: [Int], _ resolved: inout [Int: Link]
  ) -> Link {
    var passed: [Int] = []
    var child = position
    var link = step(from: child, among: known, nodes: nodes)
    while case .passes(let hidden) = link {
      if let found = resolved[hidden] {
        link = .ends(found)
      } else if passed.count == known.hiddenIDs {
        // More than there are: they form a circle.
        link = .ends(.unplaced)
      } else {
        passed.append(hidden)
        child = hidden
        link = step(from: child, among: known, nodes: nodes)
      }
    }
    guard case .ends(let result) = link else { return .unplaced }
    for hidden in passed { resolved[hidden] = result }
    return result
  }

  /// What one step from a post to what it answers leads to.
  private enum Step {
    case ends(Link)
    /// The hidden post at a position.
    case passes(Int)
  }

  private static func step(from child: Int, among known: KnownPosts, nodes: [Int]) -> Step {
    guard let parent = known.posts[child].inReplyTo else {
      return .ends(known.posts[child].id == known.rootID ? .opens : .unplaced)
    }
    guard let position = known.parents[child] else {
      return .ends(link(toMissing: known.latest(parent), among: known))
    }
    guard known.posts[position].authorID == known.authorID else {
      return .ends(.answers(known.posts[position].id))
    }
    return nodes[position] >= 0 ? .ends(.continues(nodes[position])) : .passes(position)
  }

  /// The parent is not here, so who wrote it decides, as far as a tombstone or those who answered it say.
  ///
  /// Where nothing does, it is taken for the author's own: a thread is mostly self-replies, and setting the rest of one
  /// apart as an answer to nobody would hide it, while an answer shown after a gap can still be read.
  private static func link(toMissing id: PostID, among known: KnownPosts) -> Link {
    if let author = known.author(of: id), author != known.authorID { return .answers(id) }
    return .follows(missing: id)
  }

  /// Ends every circle of replies at the conversation's first post, or else at the earliest.
  private mutating func openCircles() {
    // A reply that is later than its parent cannot close a circle; in sound data there is nothing else.
    let isAscending = links.indices.allSatisfy {
      if case .continues(let parent) = links[$0] { parent < $0 } else { true }
    }
    guard !isAscending else { return }
    var walks = Array(repeating: -1, count: links.count)
    for start in links.indices {
      var node = start
      while walks[node] == -1, case .continues(let parent) = links[node] {
        walks[node] = start
        node = parent
      }
      guard walks[node] == start, case .continues(var member) = links[node] else { continue }
      var end = node
      while member != node, case .continues(let next) = links[member] {
        if end != root, member < end || member == root { end = member }
        member = next
      }
      links[end] = end == root ? .opens : .unplaced
    }
  }
}
