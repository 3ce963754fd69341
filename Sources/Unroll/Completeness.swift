import ThreadModel

extension Completeness {
  /// Counts what is here against what there should be, and says why the two differ.
  ///
  /// - Parameters:
  ///   - coverage: What the source says of its own reach.
  ///   - known: Posts of the author's in the main line and its branches.
  ///   - gaps: What is missing from these.
  ///   - placedByID: Posts whose parents nobody knows.
  ///   - hidden: Known posts that were left out on purpose: the source counts them, the thread does not.
  init(coverage: Coverage, known: Int, gaps: [PostID: Tombstone], placedByID: Int, hidden: Int) {
    let atLeast = known + gaps.count
    var expected = gaps.isEmpty ? nil : atLeast
    if let posts = coverage.expectedPosts {
      expected = max(posts.subtractingReportingOverflow(hidden).partialValue, atLeast)
    }

    var reasons: [String] = []
    func say(_ reason: String) { if !reasons.contains(reason) { reasons.append(reason) } }
    coverage.limits.forEach(say)
    if coverage.limits.isEmpty, coverage.foundBy == .climbing {
      say("only what stands before the post given could be found")
    }
    for kind in Self.kinds {
      let count = gaps.values.count { Self.kind(of: $0.reason) == kind.reason }
      if count > 0 { say(count == 1 ? "1 post " + kind.one : "\(count) posts " + kind.many) }
    }
    if placedByID == 1 {
      say("1 post is placed by its id, as what it replies to is not known")
    } else if placedByID > 1 {
      say("\(placedByID) posts are placed by their ids, as what they reply to is not known")
    }
    self.init(known: known, expected: expected, reasons: reasons)
  }

  /// What to say of missing posts, for every reason that has words of its own; `unknown` stands for all others.
  private static let kinds: [(reason: TombstoneReason, one: String, many: String)] = [
    (.deleted, "was deleted", "were deleted"),
    (.protected, "is for approved followers only", "are for approved followers only"),
    (.suspended, "went with a suspended account", "went with a suspended account"),
    (.withheld, "is withheld", "are withheld"),
    (.blocked, "is hidden by a block", "are hidden by a block"),
    (.notFound, "was not found", "were not found"),
    (.notInArchive, "is not in the archive", "are not in the archive"),
    (.unknown, "is missing", "are missing"),
  ]

  private static func kind(of reason: TombstoneReason) -> TombstoneReason {
    kinds.contains { $0.reason == reason } ? reason : .unknown
  }
}
