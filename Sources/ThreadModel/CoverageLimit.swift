/// A reason why a source could not see all of a thread, so that posts may be missing.
///
/// It is a value instead of a sentence, because its wording depends on the language of the site. A kind without a wording is
/// shown unchanged.
package struct CoverageLimit: Hashable, Sendable {
  package var kind: Kind
  /// The date in UTC that the limit names, `2024-01-01`; `nil` for kinds without a date.
  package var day: String?

  package init(_ kind: Kind, day: String? = nil) {
    self.kind = kind
    self.day = day
  }
}

extension CoverageLimit {
  /// The kind of limit.
  package struct Kind: OpenVocabulary {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    // MARK: Searches

    /// A search of the last seven days does not find older threads.
    package static let recentSearch: Kind = "recent_search"
    /// The network does not allow the requesting account to search the last seven days.
    package static let recentSearchRefused: Kind = "recent_search_refused"
    /// The search of the last seven days returned too many pages and was stopped.
    package static let recentSearchCut: Kind = "recent_search_cut"
    package static let recentSearchFailed: Kind = "recent_search_failed"
    /// The network does not allow the requesting account to search all posts.
    package static let fullSearchRefused: Kind = "full_search_refused"
    /// The search of all posts returned too many pages and was stopped.
    package static let fullSearchCut: Kind = "full_search_cut"
    package static let fullSearchFailed: Kind = "full_search_failed"
    /// Only the last seven days of a known thread were searched. Posts between `day`, if known, and the start of those seven days may be missing.
    package static let growthUnseen: Kind = "growth_unseen"
    /// Replies of others were not searched for, because a timeline does not contain them.
    package static let repliesUnsearched: Kind = "replies_unsearched"
    /// Replies of others were searched for, but the only possible way failed.
    package static let repliesUnreachable: Kind = "replies_unreachable"
    /// The network does not show all replies of others, or showed too many of them to be read.
    package static let repliesCut: Kind = "replies_cut"
    /// The first known post continues a deleted post of its author whose id is unknown, so earlier posts cannot be found.
    package static let beginningGone: Kind = "beginning_gone"

    // MARK: Timelines

    /// The author's timeline was refused, or failed.
    package static let timelineUnread: Kind = "timeline_unread"
    /// The author's timeline returned too many pages and was stopped.
    package static let timelineCut: Kind = "timeline_cut"
    package static let timelineFailed: Kind = "timeline_failed"
    /// The thread is older than the newest 3200 posts. X returns no more of a timeline.
    package static let timelineReach: Kind = "timeline_reach"
    /// The author's timeline was read from `day` on.
    package static let timelineSince: Kind = "timeline_since"
    /// The author's timeline was read up to `day`.
    package static let timelineUntil: Kind = "timeline_until"

    // MARK: Other ways

    /// Only the posts above the requested post were followed: a post names the post that it answers, but not its own replies.
    package static let climbing: Kind = "climbing"
    /// Quoted, answered or missing posts could not be requested.
    package static let lookupFailed: Kind = "lookup_failed"
    /// The run ended before the whole thread was read, because of the budget or an error.
    package static let fetchEnded: Kind = "fetch_ended"
  }
}
