import UTF8Text

/// Which post an address means: the platform, perhaps its author's handle, and its id.
///
/// Two references are of the same post if their ``identity`` is equal; the handle of an X URL, for one, says nothing,
/// because X shows the post under any.
package struct PostReference: Sendable, Hashable {
  package enum Platform: String, Sendable, CaseIterable {
    case x
    case bluesky
    case mastodon
  }

  package let platform: Platform
  /// Without an `@`. On Bluesky the handle or the DID, in the letters' case as written; `nil` where the address
  /// does not say.
  package let handle: String?
  /// The host of a Mastodon instance, in lower case; `nil` on the other platforms.
  package let instance: String?
  /// On X 1 to 19 digits; on Bluesky the record key; on Mastodon what the instance chose.
  package let id: String

  package init(platform: Platform, handle: String? = nil, instance: String? = nil, id: String) {
    self.platform = platform
    self.handle = handle
    self.instance = instance
    self.id = id
  }

  /// The same text for every address of one post: `x:123`, `bluesky:ada.example/3k43tv4rft22g`,
  /// `mastodon:social.example/123`.
  ///
  /// Ids are unique on all of X and on one Mastodon instance, and record keys for one Bluesky account.
  package var identity: String {
    switch platform {
    case .x: "x:\(id)"
    case .bluesky: "bluesky:\((handle ?? "").lowercased())/\(id)"
    case .mastodon: "mastodon:\(instance ?? "")/\(id)"
    }
  }

  /// Reads the address of a post: a URL of x.com or twitter.com (`mobile.` and `www.` too, `/i/status/…`, with
  /// `/photo/1`, queries and fragments), of bsky.app or an `at://` URI, of a Mastodon instance (`/@ada/…`,
  /// `/users/ada/statuses/…`), or the digits of an X id alone.
  ///
  /// - Throws: ``InvalidValue``, saying what the address is instead, where that can be told.
  package init(_ text: String) throws(InvalidValue) {
    if !text.isEmpty, text.utf8.allSatisfy(isASCIIDigit) {
      self.init(platform: .x, id: try Self.xID(text))
      return
    }
    let address = try NetworkAddress(text)
    switch address.host {
    case .x: self = try Self.onX(address)
    case .bluesky: self = try Self.onBluesky(address)
    case .other(let host): self = try Self.onMastodon(address, instance: host)
    }
  }

  /// Reads an entry of a `hide` list: an address, or an id of the platform that the thread is on.
  init(_ text: String, besides thread: PostReference) throws(InvalidValue) {
    guard !text.utf8.contains(UInt8(ascii: "/")), thread.platform != .x else {
      try self.init(text)
      return
    }
    let isKey = thread.platform == .bluesky ? isRecordKey(text) : isMastodonID(text)
    guard isKey else { throw InvalidValue("\(quoted(text)) is neither the URL nor the id of a post") }
    self.init(platform: thread.platform, handle: thread.handle, instance: thread.instance, id: text)
  }

  /// X's ids are positive 64-bit numbers: 1 to 19 digits, without leading zeros.
  fileprivate static func xID(_ text: some StringProtocol) throws(InvalidValue) -> String {
    guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy(isASCIIDigit), text.utf8.first != 0x30
    else {
      throw InvalidValue("\(quoted(String(text))) is not the id of a post on X: expected 1 to 19 digits")
    }
    return String(text)
  }
}

extension PostReference {
  private static func onX(_ address: NetworkAddress) throws(InvalidValue) -> PostReference {
    let path = address.path
    // /ada/status/1, /ada/statuses/1, /i/status/1, /i/web/status/1
    guard let word = path.firstIndex(where: { $0 == "status" || $0 == "statuses" }), (1...2).contains(word),
      word + 1 < path.count
    else {
      throw address.notAPost
    }
    let isAnonymous = path[0].lowercased() == "i"
    guard isAnonymous ? word == 1 || path[1] == "web" : word == 1 else { throw address.notAPost }
    let id = try xID(path[word + 1])
    guard !isAnonymous else { return PostReference(platform: .x, id: id) }
    guard isXHandle(path[0]) else {
      throw InvalidValue(
        "\(quoted(path[0])) is not a handle on X: expected up to 15 letters, digits and \"_\"")
    }
    return PostReference(platform: .x, handle: path[0], id: id)
  }

  private static func onBluesky(_ address: NetworkAddress) throws(InvalidValue) -> PostReference {
    let path = address.path
    // https://bsky.app/profile/ada.example/post/3k…, at://ada.example/app.bsky.feed.post/3k…
    let (account, key): (String, String)
    if address.isATURI, path.count == 3, path[1] == "app.bsky.feed.post" {
      (account, key) = (path[0], path[2])
    } else if !address.isATURI, path.count >= 4, path[0] == "profile", path[2] == "post" {
      (account, key) = (path[1], path[3])
    } else {
      throw address.notAPost
    }
    guard isBlueskyAccount(account) else {
      throw InvalidValue("\(quoted(account)) is neither a handle nor a DID of Bluesky")
    }
    guard isRecordKey(key) else {
      throw InvalidValue("\(quoted(key)) is not the key of a post on Bluesky")
    }
    return PostReference(platform: .bluesky, handle: account, id: key)
  }

  private static func onMastodon(
    _ address: NetworkAddress, instance: String
  ) throws(InvalidValue) -> PostReference {
    let path = address.path
    let (handle, id): (String, String)
    if path.count >= 2, let name = path[0].without(bytePrefix: "@") {
      // Mastodon's /@ada/1, and /@ada@elsewhere.example/1 for a post seen through another instance;
      // GoToSocial's /@ada/statuses/01ABC
      let isLong = path[1] == "statuses" && path.count >= 3
      (handle, id) = (String(name), path[isLong ? 2 : 1])
      guard isLong || id.utf8.allSatisfy(isASCIIDigit) else { throw address.notAPost }
    } else if path.count >= 4, path[0] == "users", path[2] == "statuses" {
      (handle, id) = (path[1], path[3])
    } else {
      throw address.notAPost
    }
    guard isFediverseHandle(handle) else {
      throw InvalidValue("\(quoted(handle)) is not a handle on \(quoted(instance))")
    }
    guard isMastodonID(id) else { throw address.notAPost }
    return PostReference(platform: .mastodon, handle: handle, instance: instance, id: id)
  }
}

extension PostReference: CustomStringConvertible {
  /// The post's address on its network.
  package var description: String {
    switch platform {
    case .x: "https://x.com/\(handle ?? "i")/status/\(id)"
    case .bluesky: "https://bsky.app/profile/\(handle ?? "")/post/\(id)"
    case .mastodon: "https://\(instance ?? "")/@\(handle ?? "")/\(id)"
    }
  }
}
