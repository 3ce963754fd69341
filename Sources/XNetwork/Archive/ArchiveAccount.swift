import Basics
import ThreadModel

/// The account that owns an archive, from `account.js` and `profile.js`, and from `manifest.js` for members that these lack.
struct ArchiveAccount: Sendable {
  private(set) var id: String?
  private(set) var handle: String?
  private var name: String?
  private var joinedAt: Timestamp?
  private var bio: String?
  private var website: String?
  private var location: String?
  /// The avatar's URL, or its path in the archive.
  private(set) var avatar: String?

  mutating func take(account element: JSONValue) {
    let account = element["account"] ?? element
    id = account["accountId"]?.string.flatMap { XID.isValid($0) ? $0 : nil } ?? id
    handle = account["username"]?.string ?? handle
    name = account["accountDisplayName"]?.string ?? name
    joinedAt = account["createdAt"]?.string.flatMap(XVersion1Date.parse) ?? joinedAt
  }

  mutating func take(profile element: JSONValue) {
    let profile = element["profile"] ?? element
    bio = Self.text(profile["description"]?["bio"])
    website = Self.text(profile["description"]?["website"])
    location = Self.text(profile["description"]?["location"])
    avatar = Self.text(profile["avatarMediaUrl"])
  }

  /// The manifest also describes the account; the account's file takes precedence.
  mutating func take(_ manifest: ArchiveManifest) {
    id = id ?? manifest.accountID
    handle = handle ?? manifest.handle
    name = name ?? manifest.name
  }

  private static func text(_ value: JSONValue?) -> String? {
    value?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The short links in the account's profile.
  var shortLinks: [String] { ShortLinks.find(in: bio ?? "") + [website].compactMap(\.self) }

  /// Returns the account as an author of the model.
  ///
  /// - Parameter links: the targets of the profile's short links, as far as posts contain them. The profile itself does not.
  func author(id: String, archiveDate: Timestamp?, links: [String: String]) -> Author {
    var author = Author(id: AuthorID(id, on: .x))
    author.handle = handle.flatMap { XURL.isHandle($0) ? $0 : nil }
    author.name = name.flatMap { $0.isEmpty ? nil : $0 }
    author.url = author.handle.flatMap(XURL.profile)
    author.joinedAt = joinedAt
    author.bio = bio.map { InlineText(xBio: $0, links: links) }
    author.location = location
    author.website = website.flatMap { WebAddress.safe(links[$0] ?? $0) }
    author.avatarURL = avatar.flatMap(WebAddress.safe)
    author.archive = ArchiveObservation(date: archiveDate)
    return author
  }
}
