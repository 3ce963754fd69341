import ThreadModel

extension Completeness {
  /// Counts what is here against what there should be, and says why the two differ.
  ///
  /// - Parameters:
  ///   - coverage: What the source says of its own reach.
  ///   - known: Posts of the author's in the main line and its branches.
  ///   - gaps: What is missing from these, where it has a place and where it was removed.
  ///   - placedByID: Posts whose parents nobody knows.
  ///   - hidden: Known posts that were left out on purpose: the source counts them, the thread does not.
  init(coverage: Coverage, known: Int, gaps: [PostID: Tombstone], placedByID: Int, hidden: Int) {
    let atLeast = known + gaps.count
    var expected = gaps.isEmpty ? nil : atLeast
    if let posts = coverage.expectedPosts {
      expected = max(posts.subtractingReportingOverflow(hidden).partialValue, atLeast)
    }

    var reasons: [Reason] = []
    func say(_ reason: Reason) { if !reasons.contains(reason) { reasons.append(reason) } }
    for limit in coverage.limits { say(.limit(limit)) }
    if coverage.limits.isEmpty, coverage.foundBy == .climbing {
      say(.onlyEarlierPosts)
    }
    for reason in Self.reasonsWithWords {
      let count = gaps.values.count { Self.counted($0.reason) == reason }
      if count > 0 { say(.missing(count, reason)) }
    }
    if placedByID > 0 { say(.placedByID(placedByID)) }
    self.init(known: known, expected: expected, reasons: reasons)
  }

  /// The reasons that missing posts are counted by, in the order in which they are said; `unknown` stands for all others.
  private static let reasonsWithWords: [TombstoneReason] = [
    .deleted, .protected, .suspended, .withheld, .blocked, .notFound, .notInArchive, .unknown,
  ]

  private static func counted(_ reason: TombstoneReason) -> TombstoneReason {
    reasonsWithWords.contains(reason) ? reason : .unknown
  }
}
