import ThreadModel

/// The post that each of the author's posts continues.
///
/// The author's shown posts are the nodes, numbered in the order in which they were written. Every chain of nodes ends at a node whose link
/// is not `continues`.
struct ReplyGraph {
  /// The predecessor of one of the author's posts.
  enum Link: Equatable {
    /// A different node: a self-reply.
    case continues(Int)
    /// None: it is the conversation's first post, or continues the hidden first post.
    case opens
    /// An unknown post of the same author.
    case follows(missing: PostID)
    /// A known or unknown post of another author.
    case answers(PostID)
    /// Unknown: the post is not a reply but is not the first post, or the data form a circle.
    case unplaced
  }

  /// For each node, its index among the known posts.
  let positions: [Int]
  private(set) var links: [Link] = []
  /// The conversation's first post, if it is a node.
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

  /// Returns the link of the post at `position`, skipping hidden posts in between.
  ///
  /// - Parameter resolved: The results for hidden posts by index, so that each is visited once, however many posts continue it.
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
        // If there are more steps than posts, the posts form a circle.
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

  /// The result of one step from a post to the post that it answers.
  private enum Step {
    case ends(Link)
    /// The index of a hidden post.
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

  /// Returns the link to a missing parent. It depends on the parent's author, as far as a tombstone or the replies to the parent name the
  /// author.
  ///
  /// If the author is unknown, the parent is assumed to be by the thread's author, because a thread consists mostly of self-replies.
  /// Treating the rest of a thread as an answer to an unknown post would hide it, while an answer shown after a gap can still be read.
  private static func link(toMissing id: PostID, among known: KnownPosts) -> Link {
    if let author = known.author(of: id), author != known.authorID { return .answers(id) }
    return .follows(missing: id)
  }

  /// Breaks every circle of replies at the conversation's first post, or else at the earliest post.
  private mutating func openCircles() {
    // A reply later than its parent cannot close a circle; valid data contain only such replies.
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
