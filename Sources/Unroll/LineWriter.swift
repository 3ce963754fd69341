import ThreadModel

/// Converts lines of the reply graph into items, with quotes, gaps and labeled side branches.
struct LineWriter {
  let known: KnownPosts
  let graph: ReplyGraph
  let outline: Outline
  let quotes: Quotes

  /// The number of posts written so far, branches included.
  private(set) var postsWritten = 0
  /// The missing posts of the gaps written so far, each once, even if several branches begin at it.
  private(set) var gapsWritten: [PostID: Tombstone] = [:]
  /// The number of labeled branches so far that leave a line which is not itself a branch.
  private var topBranches = 0

  init(known: KnownPosts, graph: ReplyGraph, outline: Outline, quotes: Quotes) {
    self.known = known
    self.graph = graph
    self.outline = outline
    self.quotes = quotes
  }

  mutating func mainLine() -> [ThreadItem] {
    guard let start = outline.start else { return [] }
    guard start == outline.opening else {
      // The first post is missing even if no post here follows it.
      if outline.opening != nil, !known.isHidden(known.rootID) { _ = gap(known.rootID) }
      return line(from: start, after: gaps(before: start), "")
    }
    let opening = known.isHidden(known.rootID) ? [] : [gap(known.rootID)]
    guard let first = outline.forest.next[start] else { return opening.map { .gap($0) } }
    let rivals = outline.forest.forks(at: start).map { (first: $0, gaps: opening + gaps(before: $0)) }
    return line(from: first, after: opening + gaps(before: first), besides: rivals, "")
  }

  /// Returns an answer's items. The post that it answers is shown separately, even if it is a missing post of the author.
  ///
  /// The labels of its branches continue the earlier ones, so that each is unique in the thread.
  mutating func answerLine(from first: Int) -> [ThreadItem] {
    line(from: first, after: [], "")
  }

  /// A branch to write: its first node, and the gaps before it.
  private typealias Fork = (first: Int, gaps: [Gap])

  /// The maximum nesting of branches. A branch that leaves a branch of the deepest level is written after it instead of within it. So
  /// labels stay short and recursion over a thread is bounded, whatever the posts contain.
  static let deepestLevel = 8

  /// Returns the line that starts at a node, after the given gaps.
  private mutating func line(
    from first: Int, after gaps: [Gap], besides rivals: [Fork] = [], _ label: String
  ) -> [ThreadItem] {
    var below: [Fork] = []
    return line(from: first, after: gaps, besides: rivals, label, level: 0, &below)
  }

  /// Recursive for branches only.
  ///
  /// - Parameters:
  ///   - rivals: Branches that begin at the same place as this line. They can only be attached to the first post of the line.
  ///   - label: The label of this line if it is a branch, with a full stop; otherwise empty.
  ///   - level: The number of branches that contain the line, including the line itself.
  ///   - below: Collects the branches of a line of the deepest level. The caller that wrote the line writes them after it.
  private mutating func line(
    from first: Int, after gaps: [Gap], besides rivals: [Fork] = [], _ label: String, level: Int,
    _ below: inout [Fork]
  ) -> [ThreadItem] {
    var items: [ThreadItem] = gaps.map { .gap($0) }
    items.reserveCapacity(items.count + outline.forest.length[first])
    var forks = rivals
    var labelled = label.isEmpty ? topBranches : 0
    var next: Int? = first
    while let node = next {
      for fork in outline.forest.forks(at: node) { forks.append((fork, self.gaps(before: fork))) }
      var branches: [SideBranch] = []
      if level == Self.deepestLevel {
        below += forks
      } else {
        // The next branch is at the end.
        var open = Array(forks.reversed())
        while let fork = open.popLast() {
          labelled += 1
          let own = label + "\(labelled)"
          var deeper: [Fork] = []
          let items = line(from: fork.first, after: fork.gaps, own + ".", level: level + 1, &deeper)
          branches.append(SideBranch(label: own, items: items))
          open += deeper.reversed()
        }
      }
      forks = []
      let position = graph.positions[node]
      let quote = quotes.quote(in: position)
      let post = quotes.post(at: position, beside: quote)
      items.append(.post(ThreadPost(post, quote: quote, branches: branches)))
      postsWritten += 1
      next = outline.forest.next[node]
      if let next { items += self.gaps(before: next).map { .gap($0) } }
    }
    if label.isEmpty { topBranches = labelled }
    return items
  }

  /// Returns the gap before a node, if any. The conversation's first post is excluded, because `mainLine` handles it.
  private mutating func gaps(before node: Int) -> [Gap] {
    guard let id = graph.missing(before: node), id != known.rootID, !known.isHidden(id) else { return [] }
    return [gap(id)]
  }

  private mutating func gap(_ id: PostID) -> Gap {
    var tombstone = known.tombstone(for: id)
    tombstone.authorID = known.authorID
    gapsWritten[id] = tombstone
    return Gap(tombstone)
  }
}
