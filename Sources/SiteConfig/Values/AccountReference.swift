import UTF8Text

/// Which account an address means.
package struct AccountReference: Sendable, Hashable {
  package let platform: PostReference.Platform
  /// Without an `@`, as written; on Bluesky the handle or the DID.
  package let handle: String
  /// The host of a Mastodon instance, in lower case; `nil` on the other platforms.
  package let instance: String?

  package init(platform: PostReference.Platform, handle: String, instance: String? = nil) {
    self.platform = platform
    self.handle = handle
    self.instance = instance
  }

  /// Reads the URL of an account: `https://x.com/ada`, `https://bsky.app/profile/ada.example`, `at://ada.example`,
  /// `https://social.example/@ada`.
  ///
  /// - Throws: ``InvalidValue`` for anything else.
  package init(_ text: String) throws(InvalidValue) {
    let address = try NetworkAddress(text)
    guard let account = address.account else {
      throw InvalidValue(
        "\(quoted(text)) is not the address of an account, such as https://x.com/ada or https://social.example/@ada"
      )
    }
    self = account
  }
}

extension NetworkAddress {
  /// The account that the address means; `nil` where it means something else.
  var account: AccountReference? {
    switch host {
    case .x:
      guard path.count == 1, isXHandle(path[0]), !Self.pagesOfX.contains(path[0].lowercased()) else {
        return nil
      }
      return AccountReference(platform: .x, handle: path[0])
    case .bluesky:
      let name = isATURI ? path.first : path.first == "profile" ? path.dropFirst().first : nil
      guard path.count == (isATURI ? 1 : 2), let name, isBlueskyAccount(name) else { return nil }
      return AccountReference(platform: .bluesky, handle: name)
    case .other(let instance):
      let name = path.first?.without(bytePrefix: "@")
      guard path.count == 1, let name, isFediverseHandle(String(name)) else { return nil }
      return AccountReference(platform: .mastodon, handle: String(name), instance: instance)
    }
  }

  /// Paths of x.com that look like handles and belong to X itself.
  private static let pagesOfX: Set<String> = [
    "home", "explore", "search", "settings", "messages", "notifications", "i", "hashtag", "compose", "login",
  ]

  /// Why an address is none of a post's.
  var notAPost: InvalidValue {
    if account != nil {
      return InvalidValue(
        "\(quoted(text)) is an account, not a post; its threads are a source: \"account: \(clipped(text))\""
      )
    }
    let example =
      switch host {
      case .x: "https://x.com/ada/status/1346889436626259968"
      case .bluesky: "https://bsky.app/profile/ada.example/post/3k43tv4rft22g"
      case .other: "https://social.example/@ada/109348684215482921"
      }
    return InvalidValue("\(quoted(text)) is not the address of a post, such as \(example)")
  }
}
