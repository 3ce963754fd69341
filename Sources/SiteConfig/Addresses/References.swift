package import ThreadModel

/// Which account an address means.
package struct AccountReference: Sendable, Hashable {
  package let platform: Platform
  /// Without an `@`, as written.
  package let handle: String
  /// The host that the account is on, in lower case, where the network has more than one; else `nil`.
  package let instance: String?
  /// The account's lasting id, where the address tells it.
  package let authorID: AuthorID?

  package init(platform: Platform, handle: String, instance: String? = nil, authorID: AuthorID? = nil) {
    self.platform = platform
    self.handle = handle
    self.instance = instance
    self.authorID = authorID
  }

  /// The name by which the account is known in the store, the same for every spelling of its address.
  package var name: String {
    let handle = handle.lowercased()
    return instance.map { "\(handle)@\($0)" } ?? handle
  }
}

extension AccountReference: CustomStringConvertible {
  /// `@ada`, `@ada@social.example`.
  package var description: String { "@\(handle)" + (instance.map { "@\($0)" } ?? "") }
}

/// Which post an address means: its network, its id there, and what else the address says.
///
/// Two references are of the same post if their ``identity`` is equal.
package struct PostReference: Sendable {
  package let platform: Platform
  /// Its id as the address shows it: the whole of it only on networks where that alone names a post.
  package let id: String
  /// The post's name, where the address alone tells it; `nil` where whoever knows the account has to be asked.
  package let postID: PostID?
  /// The author's, without an `@`, in the letters' case as written; `nil` where the address does not say, or what it says means
  /// nothing.
  package let handle: String?
  /// The post's address on its network, in the form that people know.
  package let address: String

  package init(platform: Platform, id: String, postID: PostID?, handle: String? = nil, address: String) {
    self.platform = platform
    self.id = id
    self.postID = postID
    self.handle = handle
    self.address = address
  }

  /// The same text for every address of one post, as far as addresses tell.
  package var identity: String {
    postID?.description ?? "\(platform)/@\((handle ?? "").lowercased())/\(id)"
  }
}

extension PostReference: Hashable {
  package static func == (lhs: PostReference, rhs: PostReference) -> Bool {
    lhs.identity == rhs.identity && lhs.address == rhs.address
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension PostReference: CustomStringConvertible {
  /// The post's address on its network.
  package var description: String { address }
}
