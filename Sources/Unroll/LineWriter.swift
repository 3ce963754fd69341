import ThreadModel

/// Writes lines of the reply graph down as items, with quotes, gaps and labelled side branches.
struct LineWriter {
  let known: KnownPosts
  let graph: ReplyGraph
  let outline: Outline
  let quotes: Quotes

  /// Posts written so far, branches included.
  private(set) var postsWritten = 0
  /// What stands in the gaps written so far; once for each missing post, even where several branches begin at it.
  private(set) var gapsWritten: [PostID: Tombstone] = [:]
  /// Branches labelled so far that leave a line which is no branch itself.
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
      // It is missing all the same, though nothing here follows it.
      if outline.opening != nil, !known.isHidden(known.rootID) { _ = gap(known.rootID) }
      return line(from: start, after: gaps(before: start), "")
    }
    let opening = known.isHidden(known.rootID) ? [] : [gap(known.rootID)]
    guard let first = outline.forest.next[start] else { return opening.map { .gap($0) } }
    let rivals = outline.forest.forks(at: start).map { (first: $0, gaps: opening + gaps(before: $0)) }
    return line(from: first, after: opening + gaps(before: first), besides: rivals, "")
  }

  /// An answer's items: what it replies to is said apart, a missing post of the author's included.
  ///
  /// The labels of its branches go on from those written before, so that each is the only one in the thread.
  mutating func answerLine(from first: Int) -> [ThreadItem] {
    line(from: first, after: [], "")
  }

  /// A branch to be written: its first node, and what is missing before that.
  private typealias Fork = (first: Int, gaps: [Gap])

  /// How many branches are written within each other. One that leaves the deepest stands behind it and not within, so that
  /// labels stay short and nothing that walks over a thread calls itself deeper than this, whatever the posts say.
  static let deepestLevel = 8

  /// The line that starts at a node, after the gaps given.
  private mutating func line(
    from first: Int, after gaps: [Gap], besides rivals: [Fork] = [], _ label: String
  ) -> [ThreadItem] {
    var below: [Fork] = []
    return line(from: first, after: gaps, besides: rivals, label, level: 0, &below)
  }

  /// It calls itself for branches only.
  ///
  /// - Parameters:
  ///   - rivals: Branches that begin where this line does, and have no post before them to stand on but its first.
  ///   - label: The label of the branch that is this line, with a full stop; empty for lines that are none.
  ///   - level: How many branches the line stands within, itself among them.
  ///   - below: Takes the branches of a line of the deepest level, which whoever wrote that line writes behind it.
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
        // The next one last.
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
      items.append(
        .post(ThreadPost(known.posts[position], quote: quotes.quote(in: position), branches: branches)))
      postsWritten += 1
      next = outline.forest.next[node]
      if let next { items += self.gaps(before: next).map { .gap($0) } }
    }
    if label.isEmpty { topBranches = labelled }
    return items
  }

  /// The gap before a node, if any; the conversation's first post is no part of it, as `mainLine` sees to that one.
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
