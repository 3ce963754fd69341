package import Foundation

/// Someone on the stub's network. All of them are invented.
package struct StubUser: Sendable {
  package var id: StubID
  /// 1–15 of `A–Z a–z 0–9 _`.
  package var username: String
  package var name: String
  /// Not escaped, unlike the text of posts.
  package var bio: StubText = ""
  package var location: String?
  package var website: StubLink?
  package var createdAt: Date
  /// Paths below the stub's own address.
  package var avatar: String?
  package var banner: String?
  package var verified = false
  /// `blue`, `government`, `business` or `none`.
  package var verifiedType = "none"
  /// Who may not be read: posts of a protected user answer with `not-authorized-for-resource`.
  package var protected = false
  package var suspended = false
  /// An account that is gone: not found, with all its posts.
  package var deactivated = false
  /// Who follows, oldest first.
  package var followers: [StubID] = []
  package var followingCount = 12
  package var pinned: StubID?

  package var isReadable: Bool { !protected && !suspended && !deactivated }
}
