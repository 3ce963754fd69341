package import Basics
package import ThreadModel

/// An account that a URL or a name identifies.
package struct AccountReference: Sendable, Hashable {
  package let platform: Platform
  /// The handle without an `@`, as written.
  package let handle: String
  /// The account's host in lower case; `nil` on networks with only one host.
  package let instance: String?
  /// The account's permanent id; `nil` if the URL does not contain it.
  package let authorID: AuthorID?

  package init(platform: Platform, handle: String, instance: String? = nil, authorID: AuthorID? = nil) {
    self.platform = platform
    self.handle = handle
    self.instance = instance
    self.authorID = authorID
  }

  /// The account's name in the store, the same for every spelling of its URL.
  package var name: String {
    let handle = handle.lowercased()
    return instance.map { "\(handle)@\($0)" } ?? handle
  }

  /// Whether two addresses name the same account, as far as the addresses tell.
  package func isSameName(as other: AccountReference) -> Bool {
    platform == other.platform && name == other.name
  }
}

extension AccountReference: Record {
  package static let fields = RecordFields(
    Self.init(platform:handle:instance:authorID:), \.platform, \.handle, \.instance, \.authorID)
}

extension AccountReference: CustomStringConvertible {
  /// `@ada`, `@ada@social.example`.
  package var description: String { "@\(handle)" + (instance.map { "@\($0)" } ?? "") }
}

/// A post that a URL or an id identifies, with its network, its id and all other facts in the URL.
///
/// Two references belong to the same post if their ``identity`` is equal.
package struct PostReference: Sendable {
  package let platform: Platform
  /// The id in the URL, which identifies a post on its own only on some networks.
  package let id: String
  /// The post's id in the store; `nil` if the URL does not contain the whole id, so that the account must be looked up first.
  package let postID: PostID?
  /// The author's handle without an `@`, in upper and lower case as written; `nil` if the URL does not contain a meaningful handle.
  package let handle: String?
  /// The post's URL on its network, in the usual form.
  package let address: String

  package init(platform: Platform, id: String, postID: PostID?, handle: String? = nil, address: String) {
    self.platform = platform
    self.id = id
    self.postID = postID
    self.handle = handle
    self.address = address
  }

  /// A text that is equal for all URLs of one post, as far as possible without requests.
  package var identity: String {
    postID?.description ?? "\(platform)/@\((handle ?? "").lowercased())/\(id)"
  }
}

extension PostReference: Record {
  package static let fields = RecordFields(
    Self.init, \.platform, \.id, \.postID, \.handle, \.address)
}

extension PostReference: Comparable {
  package static func < (lhs: PostReference, rhs: PostReference) -> Bool {
    (lhs.identity, lhs.address) < (rhs.identity, rhs.address)
  }
}

extension PostReference: Hashable {
  package static func == (lhs: PostReference, rhs: PostReference) -> Bool {
    lhs.identity == rhs.identity && lhs.address == rhs.address
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension PostReference: CustomStringConvertible {
  /// The post's URL on its network.
  package var description: String { address }
}
