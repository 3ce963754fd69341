package import ThreadModel
package import Wording

extension Completeness.Reason {
  /// Why posts are missing or may be, as a clause without a full stop: "3 posts were deleted".
  package func clause(in wording: Wording) -> String {
    switch self {
    case .limit(let limit): limit.clause(in: wording)
    case .onlyEarlierPosts: wording.text(.onlyEarlierPosts)
    case .missing(let count, let reason): wording.count(count, reason.absence)
    case .placedByID(let count): wording.count(count, .placedById)
    }
  }
}

extension TombstoneReason {
  /// What to say of so many posts that are missing for it.
  fileprivate var absence: Phrase {
    switch self {
    case .deleted: .absentDeleted
    case .protected: .absentProtected
    case .suspended: .absentSuspended
    case .withheld: .absentWithheld
    case .blocked: .absentBlocked
    case .notFound: .absentNotFound
    case .notInArchive: .absentNotInArchive
    default: .absent
    }
  }
}

extension CoverageLimit {
  /// What the source could not see, as a clause without a full stop. A limit that there are no words for is shown as it stands.
  func clause(in wording: Wording) -> String {
    guard let day else { return kind.phrase.map { wording.text($0) } ?? kind.rawValue }
    guard let phrase = kind.phraseWithDay ?? kind.phrase else { return "\(kind) (\(day))" }
    return wording.text(phrase, ["date": Self.text(of: day, in: wording)])
  }

  /// A day in UTC, as the language writes it.
  private static func text(of day: String, in wording: Wording) -> String {
    guard let moment = Timestamp(iso8601: day + "T00:00:00Z") else { return day }
    return SiteCalendar.utc.written(in: wording.dates).day(moment)
  }
}

extension CoverageLimit.Kind {
  /// The words for a limit that has a day.
  fileprivate var phraseWithDay: Phrase? {
    switch self {
    case .growthUnseen: .limitGrowthUnseenSince
    case .timelineSince: .limitTimelineSince
    case .timelineUntil: .limitTimelineUntil
    default: nil
    }
  }

  /// The words for one that has none.
  fileprivate var phrase: Phrase? {
    switch self {
    case .recentSearch: .limitRecentSearch
    case .recentSearchRefused: .limitRecentSearchRefused
    case .recentSearchCut: .limitRecentSearchCut
    case .recentSearchFailed: .limitRecentSearchFailed
    case .fullSearchRefused: .limitFullSearchRefused
    case .fullSearchCut: .limitFullSearchCut
    case .fullSearchFailed: .limitFullSearchFailed
    case .growthUnseen: .limitGrowthUnseen
    case .repliesUnsearched: .limitRepliesUnsearched
    case .repliesUnreachable: .limitRepliesUnreachable
    case .timelineUnread: .limitTimelineUnread
    case .timelineCut: .limitTimelineCut
    case .timelineFailed: .limitTimelineFailed
    case .timelineReach: .limitTimelineReach
    case .climbing: .limitClimbing
    case .lookupFailed: .limitLookupFailed
    case .fetchEnded: .limitFetchEnded
    default: nil
    }
  }
}
