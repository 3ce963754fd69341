/// Something that a source could not see of a thread, so that posts may be missing.
///
/// It is a value and no sentence, because the words for it depend on the language of the site. What nobody has words for,
/// such as a sentence that an earlier version of this program stored, is shown as it stands.
package struct CoverageLimit: Hashable, Sendable {
  package var kind: Kind
  /// The date in UTC that the limit names, `2024-01-01`; `nil` for kinds that name none.
  package var day: String?

  package init(_ kind: Kind, day: String? = nil) {
    self.kind = kind
    self.day = day
  }
}

extension CoverageLimit {
  /// What the limit is.
  package struct Kind: OpenVocabulary {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    // MARK: Searches

    /// A search of the last seven days does not see a thread that is older.
    package static let recentSearch: Kind = "recent_search"
    /// The network does not open its search of the last seven days to the account that asked.
    package static let recentSearchRefused: Kind = "recent_search_refused"
    /// The search of the last seven days gave pages without end.
    package static let recentSearchCut: Kind = "recent_search_cut"
    package static let recentSearchFailed: Kind = "recent_search_failed"
    /// The network does not open its search of all posts to the account that asked.
    package static let fullSearchRefused: Kind = "full_search_refused"
    /// The search of all posts gave pages without end.
    package static let fullSearchCut: Kind = "full_search_cut"
    package static let fullSearchFailed: Kind = "full_search_failed"
    /// A thread that is known was looked for in the last seven days only: what was written between `day`, where that is known,
    /// and then was not.
    package static let growthUnseen: Kind = "growth_unseen"
    /// Others' replies were not looked for, as a timeline does not have them.
    package static let repliesUnsearched: Kind = "replies_unsearched"
    /// Others' replies were looked for, by the only way there is, and that was not possible.
    package static let repliesUnreachable: Kind = "replies_unreachable"

    // MARK: Timelines

    /// The author's timeline was refused, or failed.
    package static let timelineUnread: Kind = "timeline_unread"
    /// The author's timeline gave pages without end.
    package static let timelineCut: Kind = "timeline_cut"
    package static let timelineFailed: Kind = "timeline_failed"
    /// The thread lies beyond the newest 3200 posts, which are all that X gives of a timeline.
    package static let timelineReach: Kind = "timeline_reach"
    /// The author's timeline was read from `day` on.
    package static let timelineSince: Kind = "timeline_since"
    /// The author's timeline was read up to `day`.
    package static let timelineUntil: Kind = "timeline_until"

    // MARK: Other ways

    /// Each post names the one that it answers, and none that answers it.
    package static let climbing: Kind = "climbing"
    /// Quoted, answered or missing posts could not be asked for.
    package static let lookupFailed: Kind = "lookup_failed"
    /// The run ended, for want of money or for a fault, before all of the thread was read.
    package static let fetchEnded: Kind = "fetch_ended"
  }
}
