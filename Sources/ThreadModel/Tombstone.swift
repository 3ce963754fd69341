/// A record that a post is missing, and why.
package struct Tombstone: Hashable, Sendable {
  package var id: PostID
  package var reason: TombstoneReason
  /// The author of the post, if known.
  package var authorID: AuthorID?
  package var handle: String?
  /// The network's explanation.
  package var detail: String?
  package var observedAt: Timestamp?
  /// When a known post was found to be deleted and was removed. Earlier observations do not restore it.
  package var removedAt: Timestamp?

  package init(id: PostID, reason: TombstoneReason, detail: String? = nil) {
    self.id = id
    self.reason = reason
    self.detail = detail
  }
}

extension Tombstone {
  /// Whether a page may link to an archived copy of the post.
  ///
  /// Only reasons that say nothing about the post itself are allowed: it was not requested, or it belongs to another account than the
  /// imported archive. An archive has all posts of its account, so a post of the account that is missing from it was deleted. For all other
  /// reasons, and for reasons that later versions add, its author or the network may have removed it.
  ///
  /// - Parameters:
  ///   - author: the author of the post, if known.
  ///   - isOwn: whether the author of the thread wrote the post.
  package func allowsArchivedCopy(by author: Author?, isOwn: Bool) -> Bool {
    guard removedAt == nil, author?.removal == nil, author?.isProtected != true else { return false }
    return switch reason {
    case .notInArchive: !isOwn
    // A detail is the network's explanation of the absence.
    case .unknown: detail == nil
    default: false
    }
  }
}

package struct TombstoneReason: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Deleted by its author.
  package static let deleted: TombstoneReason = "deleted"
  /// Its author shows posts to approved followers only.
  package static let protected: TombstoneReason = "protected"
  /// The network closed its author's account.
  package static let suspended: TombstoneReason = "suspended"
  /// The network does not show the post, in some countries or at all.
  package static let withheld: TombstoneReason = "withheld"
  /// The post's author and the requesting account have blocked each other.
  package static let blocked: TombstoneReason = "blocked"
  /// The network reports that the post does not exist: it was deleted or never existed.
  package static let notFound: TombstoneReason = "not_found"
  /// The post is by another author; an archive contains only its owner's posts.
  package static let notInArchive: TombstoneReason = "not_in_archive"
  /// Its author shows posts only to people who are signed in to the network.
  package static let signedInOnly: TombstoneReason = "signed_in_only"
  /// Its author closed the account, temporarily or permanently.
  package static let deactivated: TombstoneReason = "deactivated"
  /// Its author removed it from the post that quotes it.
  package static let detached: TombstoneReason = "detached"
  /// Its author has not yet approved the quote.
  package static let quotePending: TombstoneReason = "quote_pending"
  /// Its author rejected the quote.
  package static let quoteRejected: TombstoneReason = "quote_rejected"
  /// Its author approved the quote and later withdrew the approval.
  package static let quoteRevoked: TombstoneReason = "quote_revoked"
  /// The requested server does not show the post and gives no reason.
  package static let notShown: TombstoneReason = "not_shown"
  /// The post answered a deleted post, and disappeared with it.
  package static let answeredGone: TombstoneReason = "answered_gone"
  /// The owner of this site leaves out the author. The id does not exist on the network.
  package static let leftOut: TombstoneReason = "left_out"
  /// The owner of this site hides the post. Unrolling sets this reason; it is not stored.
  package static let hidden: TombstoneReason = "hidden"
  package static let unknown: TombstoneReason = "unknown"
}

extension Tombstone: StoredRecord {
  package static let noun = "tombstone"
  package static func blank(on platform: Platform) -> Self {
    Self(id: PostID("", on: platform), reason: .unknown)
  }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("author_id", \.authorID)
    try visitor.field("detail", \.detail, .words)
    try visitor.field("handle", \.handle)
    try visitor.field("id", \.id, .required)
    try visitor.field("observed_at", \.observedAt)
    try visitor.field("reason", \.reason, .required)
    try visitor.field("removed_at", \.removedAt)
  }
}
