import ThreadModel

extension Completeness {
  /// Counts the present posts and the expected posts, and gives reasons for the difference.
  ///
  /// - Parameters:
  ///   - coverage: The source's statement of its reach.
  ///   - known: The number of the author's posts in the main line and its branches.
  ///   - gaps: The posts missing from these, as far as their place is known, and the removed ones.
  ///   - placedByID: The number of posts whose parents are unknown.
  ///   - hidden: The number of known posts that were left out on purpose: the source counts them, the thread does not.
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

  /// The reasons by which missing posts are counted, in the order in which they are shown; `unknown` covers all other reasons.
  private static let reasonsWithWords: [TombstoneReason] = [
    .deleted, .protected, .suspended, .withheld, .blocked, .notFound, .notInArchive, .unknown,
  ]

  private static func counted(_ reason: TombstoneReason) -> TombstoneReason {
    reasonsWithWords.contains(reason) ? reason : .unknown
  }
}
