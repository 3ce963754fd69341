import ThreadModel

/// Decides which of the author's chains form the thread, and which are answers beside it.
///
/// In the author's own conversation, the thread is the tree of the first post. In another author's conversation, each chain begins as an
/// answer, and the thread is the longest chain, or the earliest of several longest ones. Chains whose parents are missing are placed by
/// time.
struct Outline {
  /// The nodes of the reply graph, and `opening` if it exists.
  let forest: Forest
  /// The first node of the main line; `nil` if no post of the author is shown.
  let start: Int?
  /// A node that represents the conversation's first post if that is missing or hidden.
  let opening: Int?
  /// Another author's post that the main line answers.
  let context: PostID?
  /// The author's other chains: their first nodes and the posts that these answer, in order.
  let answers: [(first: Int, inReplyTo: PostID)]
  /// The number of posts placed only by the time at which they were written, because their parents are unknown.
  let placedByID: Int

  init(_ graph: ReplyGraph, known: KnownPosts) {
    let opening = graph.root == nil && !Self.isBegunByAnother(graph, known: known) ? graph.links.count : nil
    var parents = Self.parents(graph, opening: opening, rootID: known.rootID)
    let own = opening ?? graph.root.map { Self.top(of: $0, parents) }

    var forest = Forest(parents: parents, unwritten: opening)
    let loose = parents.indices.filter { $0 != own && parents[$0] == nil && graph.isLoose($0) }
    if !loose.isEmpty {
      let lines = own.map { [$0] } ?? parents.indices.filter { parents[$0] == nil && !graph.isLoose($0) }
      var placement = Placement(parents: parents, forest: forest, lines: lines)
      placement.place(loose, of: graph, known: known, otherwise: own)
      parents = placement.parents
      forest = Forest(parents: parents, unwritten: opening)
    }

    let tops = parents.indices.filter { parents[$0] == nil }
    // If all posts of the author's own chain are missing, only the author's answers to others can be read.
    let isEmpty = own.map { $0 == opening && forest.next[$0] == nil } ?? true
    let others = isEmpty ? tops.filter { $0 != own } : []
    let start = others.max { (forest.length[$0], $1) < (forest.length[$1], $0) } ?? own
    self.forest = forest
    self.start = start
    self.opening = opening
    self.context = start.flatMap { graph.answered(by: $0) }
    self.answers = tops.filter { $0 != start && $0 != opening }.map { top in
      (first: top, inReplyTo: graph.answered(by: top) ?? graph.missing(before: top) ?? known.rootID)
    }
    self.placedByID = graph.links.count { $0 == .unplaced }
  }

  /// Whether the conversation belongs to another author. This is decided by its first post. If that post's author is unknown, the
  /// conversation belongs to another author if everything that the author wrote here ultimately answers other authors.
  private static func isBegunByAnother(_ graph: ReplyGraph, known: KnownPosts) -> Bool {
    if let author = known.author(of: known.rootID) { return author != known.authorID }
    return !graph.links.isEmpty
      && graph.links.allSatisfy { link in
        switch link {
        case .continues, .answers: true
        case .opens, .follows, .unplaced: false
        }
      }
  }

  private static func parents(_ graph: ReplyGraph, opening: Int?, rootID: PostID) -> [Int?] {
    var parents = graph.links.map { link in
      switch link {
      case .continues(let parent): parent
      case .opens: opening
      case .follows(let id): id == rootID ? opening : nil
      case .answers, .unplaced: nil as Int?
      }
    }
    if opening != nil { parents.append(nil) }
    return parents
  }

  private static func top(of node: Int, _ parents: [Int?]) -> Int {
    var node = node
    while let parent = parents[node] { node = parent }
    return node
  }
}

extension ReplyGraph {
  /// Returns another author's post that a node answers.
  func answered(by node: Int) -> PostID? {
    guard links.indices.contains(node), case .answers(let id) = links[node] else { return nil }
    return id
  }

  /// Returns the author's missing post that a node follows.
  func missing(before node: Int) -> PostID? {
    guard links.indices.contains(node), case .follows(let id) = links[node] else { return nil }
    return id
  }

  /// Whether the post before a node is unknown.
  func isLoose(_ node: Int) -> Bool {
    guard links.indices.contains(node) else { return false }
    switch links[node] {
    case .follows, .unplaced: return true
    case .opens, .continues, .answers: return false
    }
  }
}
