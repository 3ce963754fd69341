/// What stands where a post should be: that it is missing, and why.
package struct Tombstone: Hashable, Sendable {
  package var id: PostID
  package var reason: TombstoneReason
  /// Whose post it was, where that is known.
  package var authorID: AuthorID?
  package var handle: String?
  /// The network's own words.
  package var detail: String?
  package var observedAt: Timestamp?
  /// When a post that was known was found to be gone, and was removed: observations of before do not bring it back.
  package var removedAt: Timestamp?

  package init(id: PostID, reason: TombstoneReason, detail: String? = nil) {
    self.id = id
    self.reason = reason
    self.detail = detail
  }
}

package struct TombstoneReason: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Removed by its author.
  package static let deleted: TombstoneReason = "deleted"
  /// Its author shows posts to approved followers only.
  package static let protected: TombstoneReason = "protected"
  /// The network closed its author's account.
  package static let suspended: TombstoneReason = "suspended"
  /// The network does not show it, in some country or at all.
  package static let withheld: TombstoneReason = "withheld"
  /// Its author and the asker have blocked each other.
  package static let blocked: TombstoneReason = "blocked"
  /// The network says that there is no such post: deleted, or never there.
  package static let notFound: TombstoneReason = "not_found"
  /// Another's post, which an archive of somebody's own posts does not hold.
  package static let notInArchive: TombstoneReason = "not_in_archive"
  /// Its author shows posts to those who are signed in to the network, and to nobody else.
  package static let signedInOnly: TombstoneReason = "signed_in_only"
  /// Its author closed the account, for now or for good.
  package static let deactivated: TombstoneReason = "deactivated"
  /// Its author took it out of the post that quotes it.
  package static let detached: TombstoneReason = "detached"
  /// Its author has not said yet whether it may be quoted.
  package static let quotePending: TombstoneReason = "quote_pending"
  /// Its author did not agree to be quoted.
  package static let quoteRejected: TombstoneReason = "quote_rejected"
  /// Its author agreed to be quoted, and took that back.
  package static let quoteRevoked: TombstoneReason = "quote_revoked"
  /// The server that was asked does not show it, and does not say why.
  package static let notShown: TombstoneReason = "not_shown"
  /// It answered a post that is gone, and went with that.
  package static let answeredGone: TombstoneReason = "answered_gone"
  /// The owner of this site leaves its author out; the id is none of the network's.
  package static let leftOut: TombstoneReason = "left_out"
  package static let unknown: TombstoneReason = "unknown"
}
