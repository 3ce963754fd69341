package import Foundation

/// A user of the stub's network. All users are invented.
package struct StubUser: Sendable {
  package var id: StubID
  /// The user name: 1–15 of `A–Z a–z 0–9 _`.
  package var username: String
  package var name: String
  /// The description, which is not escaped in responses, unlike the text of posts.
  package var bio: StubText = ""
  package var location: String?
  package var website: StubLink?
  package var createdAt: Date
  /// Paths relative to the stub's URL.
  package var avatar: String?
  package var banner: String?
  package var verified = false
  /// The value of `verified_type`: `blue`, `government`, `business` or `none`.
  package var verifiedType = "none"
  /// Whether the user is protected: the user's posts give the error `not-authorized-for-resource`.
  package var protected = false
  package var suspended = false
  /// Whether the account is deactivated: the user and all posts are not found.
  package var deactivated = false
  /// The followers, the oldest first.
  package var followers: [StubID] = []
  package var followingCount = 12
  package var pinned: StubID?

  package var isReadable: Bool { !protected && !suspended && !deactivated }
}
