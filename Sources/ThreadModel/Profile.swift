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
