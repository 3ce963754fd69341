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
