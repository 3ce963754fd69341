package import ThreadModel

/// An author as their own page shows them: one for each author of a site, whatever the number of their threads.
package struct AuthorProfile: Sendable {
  package var author: AuthorSummary
  /// Other accounts of the same person, whose threads are on the same page.
  package var accounts: [AuthorSummary] = []
  package var avatar: SummaryImage?
  package var bio: InlineText?
  /// The pictures of emoji in the bio, by short code.
  package var bioEmoji: [String: SummaryImage] = [:]
  package var location: String?
  /// The address of the author's own site.
  package var website: String?
  package var joined: Timestamp?
  package var isVerified = false
  package var followers: Int?
  package var following: Int?
  package var posts: Int?
  /// When all this was seen.
  package var observed: Timestamp?
  /// Some of those who follow the author.
  package var knownFollowers: [Follower] = []

  /// Somebody who follows an author.
  package struct Follower: Sendable {
    package var name: String
    /// The pictures of emoji in the name, by short code.
    package var emoji: [String: SummaryImage] = [:]
    package var handle: String?
    package var url: String?
    package var avatar: SummaryImage?

    package init(name: String, handle: String?, url: String?, avatar: SummaryImage?) {
      self.name = name
      self.handle = handle
      self.url = url
      self.avatar = avatar
    }
  }

  package init(author: AuthorSummary) { self.author = author }

  /// The pictures that the author's page shows.
  var pictures: [SummaryImage] {
    ([avatar] + knownFollowers.map(\.avatar)).compactMap(\.self) + author.emoji.values + bioEmoji.values
      + knownFollowers.flatMap(\.emoji.values)
  }

  /// The hosts of pictures that the author's page loads from elsewhere.
  package var mediaHosts: Set<String> { Set(pictures.compactMap(\.host)) }
}
