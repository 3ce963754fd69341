/// Somebody who posts, as their network describes them.
package struct Author: Hashable, Sendable {
  package var id: AuthorID
  /// Without the `@`; as the author writes it, upper and lower case kept.
  package var handle: String?
  /// The name shown; may hold anything, emoji and markup included.
  package var name: String?
  /// The author's page on the network.
  package var url: String?
  package var avatarURL: String?
  /// The copy of the avatar in the store's media folder, by file name.
  package var avatarFile: String?
  /// Their server's own emoji that stand in the name and in the bio.
  package var emoji: [CustomEmoji]
  package var bio: InlineText?
  /// Where the author says they are: free text.
  package var location: String?
  /// The web site that the author links from their profile.
  package var website: String?
  package var joinedAt: Timestamp?
  package var isProtected: Bool?
  package var isVerified: Bool?
  package var followers: Int?
  package var following: Int?
  package var posts: Int?
  /// That their account was found closed, by the network or by themselves: what was seen of them before is not kept.
  package var departure: Departure?
  /// When this was seen.
  package var observedAt: Timestamp?
  /// `nil` where no archive has shown them.
  package var archive: ArchiveObservation?
  /// Fields that the latest observation did not have, by their names in the store, and when they were seen.
  package var older: [String: ObservationTime]
  /// What the network said and this model has no word for.
  package var extra: JSONObject

  package init(id: AuthorID, handle: String? = nil, name: String? = nil) {
    self.id = id
    self.handle = handle
    self.name = name
    self.emoji = []
    self.older = [:]
    self.extra = [:]
  }

  /// Whether the account was closed when it was last looked for.
  package var isGone: Bool { departure != nil && observedAt == nil && archive == nil }

  /// What is left of somebody whose account was closed.
  package func departed(_ departure: Departure) -> Author {
    var gone = Author(id: id)
    gone.departure = departure
    return gone
  }
}

/// What an author's page shows beside threads: the author, and some who follow them.
///
/// Belongs to no conversation, so the store keeps it in a file of its own.
package struct Profile: Hashable, Sendable {
  package var author: Author
  /// Those that were asked for, in the network's order.
  package var followers: [Author]
  package var observedAt: Timestamp?

  package init(author: Author, followers: [Author] = [], observedAt: Timestamp? = nil) {
    self.author = author
    self.followers = followers
    self.observedAt = observedAt
  }
}
