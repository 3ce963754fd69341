/// A person or organization that posts, as their network describes them.
package struct Author: Hashable, Sendable {
  package var id: AuthorID
  /// Without the `@`, in the author's own capitalization.
  package var handle: String?
  /// The display name: any text, including emoji and markup.
  package var name: String?
  /// The author's page on the network.
  package var url: String?
  package var avatarURL: String?
  /// The copy of the avatar in the store's media folder, by file name.
  package var avatarFile: String?
  /// The custom emoji of the author's server that occur in the name and the bio.
  package var emoji: [CustomEmoji]
  package var bio: InlineText?
  /// The place that the author states: free text.
  package var location: String?
  /// The website that the author links from their profile.
  package var website: String?
  package var joinedAt: Timestamp?
  package var isProtected: Bool?
  package var isVerified: Bool?
  package var followers: Int?
  package var following: Int?
  package var posts: Int?
  /// Set if the network or the owner closed the account. Earlier observations of the author are then not kept.
  package var removal: Removal?
  /// When this record was observed.
  package var observedAt: Timestamp?
  /// `nil` if the author occurs in no archive.
  package var archive: ArchiveObservation?
  /// The fields that the latest observation lacked, by their names in the store, with the times of their observation.
  package var older: [String: ObservationTime]
  /// Fields from the network that this model does not define.
  package var extra: JSONObject

  package init(id: AuthorID, handle: String? = nil, name: String? = nil) {
    self.id = id
    self.handle = handle
    self.name = name
    self.emoji = []
    self.older = [:]
    self.extra = [:]
  }

  /// Whether the account was closed at its last check.
  package var isGone: Bool { removal != nil && observedAt == nil && archive == nil }

  /// Returns the record that remains after the account was closed.
  package func removed(_ removal: Removal) -> Author {
    var gone = Author(id: id)
    gone.removal = removal
    return gone
  }
}

/// The facts on an author's page besides the threads: the author, and some of their followers.
///
/// A profile belongs to no conversation, so the store keeps it in a separate file.
package struct Profile: Hashable, Sendable {
  package var author: Author
  /// The followers that were requested, in the network's order.
  package var followers: [Author]
  package var observedAt: Timestamp?

  package init(author: Author, followers: [Author] = [], observedAt: Timestamp? = nil) {
    self.author = author
    self.followers = followers
    self.observedAt = observedAt
  }
}

extension Author: StoredRecord {
  package static let noun = "author"
  package static func blank(on platform: Platform) -> Self { Self(id: AuthorID("", on: platform)) }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("archive", \.archive)
    try visitor.field("avatar_file", \.avatarFile, .ownMerge)
    try visitor.field("avatar_url", \.avatarURL)
    try visitor.text("bio", \.bio, [.words])
    try visitor.entities("bio_entities", of: \.bio)
    try visitor.field("emoji", \.emoji)
    try visitor.field("extra", \.extra)
    try visitor.field("followers", \.followers)
    try visitor.field("following", \.following)
    try visitor.field("handle", \.handle)
    try visitor.field("id", \.id, .required)
    try visitor.field("joined_at", \.joinedAt)
    try visitor.field("location", \.location, .words)
    try visitor.field("name", \.name, .words)
    try visitor.field("observed_at", \.observedAt, .ownMerge)
    try visitor.field("older", \.older, .ownMerge)
    try visitor.field("posts", \.posts)
    try visitor.field("protected", \.isProtected)
    try visitor.field("removal", \.removal, .ownMerge)
    try visitor.field("url", \.url)
    try visitor.field("verified", \.isVerified)
    try visitor.field("website", \.website, .address)
  }
}

extension Profile: StoredRecord {
  package static let noun = "profile"
  package static func blank(on platform: Platform) -> Self { Self(author: .blank(on: platform)) }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("author", \.author, .required)
    try visitor.field("followers", \.followers)
    try visitor.field("format", \.formatMember)
    try visitor.field("observed_at", \.observedAt)
    try visitor.field("platform", \.platformMember)
  }
}
