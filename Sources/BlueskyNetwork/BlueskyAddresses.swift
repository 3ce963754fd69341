import Basics
package import SiteConfig
package import ThreadModel

/// Reads URLs on bsky.app and in other clients and viewers, and `at://` URIs.
///
/// Other clients use bsky.app's paths on their own hosts, so a post's URL is recognized by its path on any host.
package struct BlueskyAddresses: AddressReader {
  package let platform = Platform.bluesky
  package let examplePost = "https://bsky.app/profile/ada.example/post/3k43tv4rft22g"
  package let exampleAccount = "https://bsky.app/profile/ada.example"
  package let exampleName = "@ada.example"
  package let section: (any NetworkSection.Type)? = BlueskySection.self
  package let marksOfPosts: [StaticString] = ["/post/", "/app.bsky.feed.post/"]

  package init() {}

  package func owns(_ address: NetworkAddress) -> Bool {
    guard let host = address.host else { return true }
    if Self.hosts.contains(host.without(bytePrefix: "www.").map(String.init) ?? host) { return true }
    return Self.parts(of: address).map { Self.isAccount($0.account) && Self.isRecordKey($0.key) } ?? false
  }

  /// bsky.app and clients that use its paths. On these hosts, the URLs of accounts are also recognized.
  private static let hosts: Set<String> = [
    "bsky.app", "main.bsky.dev", "deer.social", "blacksky.community", "witchsky.app", "reddwarf.app",
    "mu.social",
    "fxbsky.app", "vxbsky.app", "bskx.app",
  ]

  package func isFrontEnd(_ host: String) -> Bool { Self.hosts.contains(host) }

  package func post(_ address: NetworkAddress) throws(InvalidValue) -> PostReference? {
    guard let (account, key) = Self.parts(of: address) else { return nil }
    guard Self.isAccount(account) else {
      throw InvalidValue("\(quoted(account)) is neither a handle nor a DID of Bluesky")
    }
    guard Self.isRecordKey(key) else {
      throw InvalidValue("\(quoted(key)) is not the key of a post on Bluesky")
    }
    return Self.post(key, by: account)
  }

  /// Returns the account and the record key in a post's URL; `nil` for URLs of a different form.
  private static func parts(of address: NetworkAddress) -> (account: String, key: String)? {
    var path = address.path
    // Viewers have AT URIs in their paths (https://pdsls.dev/at://did:plc:…/app.bsky.feed.post/3k…), and browsers percent-encode the
    // colons.
    let isRecord = address.isATURI || path.first == "at:"
    if !address.isATURI, isRecord { path.removeFirst() }
    path = path.map { $0.contains("%3A") || $0.contains("%3a") ? $0.replacingColons : $0 }
    if isRecord { return path.count == 3 && path[1] == "app.bsky.feed.post" ? (path[0], path[2]) : nil }
    guard path.count >= 4, path[0] == "profile", path[2] == "post" else { return nil }
    return (path[1], path[3])
  }

  package func account(_ address: NetworkAddress) -> AccountReference? {
    let path = address.path
    let name = address.isATURI ? path.first : path.first == "profile" ? path.dropFirst().first : nil
    guard path.count == (address.isATURI ? 1 : 2), let name, Self.isAccount(name) else { return nil }
    return AccountReference(
      platform: .bluesky, handle: name,
      authorID: name.hasBytePrefix("did:") ? AuthorID(name, on: .bluesky) : nil)
  }

  /// Reads `@ada.example` or an account's DID.
  package func account(named text: String) -> AccountReference? {
    let name = text.without(bytePrefix: "@").map(String.init)
    guard Self.isAccount(name ?? text), name != nil || text.hasBytePrefix("did:") else { return nil }
    return AccountReference(
      platform: .bluesky, handle: name ?? text, authorID: name == nil ? AuthorID(text, on: .bluesky) : nil)
  }

  /// A domain name alone may be a handle.
  package func account(meantBy text: String) -> AccountReference? {
    account(named: text) ?? (Self.isAccount(text) ? AccountReference(platform: .bluesky, handle: text) : nil)
  }

  package func url(of account: AccountReference) -> String { "https://bsky.app/profile/\(account.handle)" }

  /// Recognizes the URL of a hashtag's page, so that the caller can report that Bluesky's search requires a login.
  package func search(_ address: NetworkAddress) -> String? {
    guard address.path.count == 2, address.path.first == "hashtag" else { return nil }
    return address.path.last.map { "#" + $0 }
  }

  package func post(named id: String, besides thread: PostReference) -> PostReference? {
    guard Self.isRecordKey(id), let account = thread.handle else { return nil }
    return Self.post(id, by: account)
  }

  /// Creates a reference to a post. A record key is unique only within an account, so the reference has a post id only if the account is a
  /// DID. A handle has to be looked up first.
  private static func post(_ key: String, by account: String) -> PostReference {
    PostReference(
      platform: .bluesky, id: key,
      postID: account.hasBytePrefix("did:") ? PostID(key, by: account, on: .bluesky) : nil, handle: account,
      address: "https://bsky.app/profile/\(account)/post/\(key)")
  }

  /// Returns whether a text is a handle, which is a domain name, or a DID of the methods that Bluesky supports (`did:plc:`, `did:web:`).
  private static func isAccount(_ text: String) -> Bool {
    guard (3...253).contains(text.utf8.count) else { return false }
    let name: Substring
    if text.hasBytePrefix("did:") {
      guard text.hasBytePrefix("did:plc:") || text.hasBytePrefix("did:web:") else { return false }
      name = text[text.utf8.index(text.startIndex, offsetBy: 8)...]
    } else {
      guard text.contains(".") else { return false }
      name = text[...]
    }
    return name.split(atBytes: ".", omittingEmptySubsequences: false).allSatisfy { label in
      !label.isEmpty && !label.hasBytePrefix("-") && !label.hasByteSuffix("-")
        && label.utf8.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "-") }
    }
  }

  /// Returns whether a text is a record key that cannot be a path: 1 to 64 letters, digits, `-`, `_` or `~`. AT Protocol allows more.
  private static func isRecordKey(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_~".utf8.contains($0) }
  }
}

extension String {
  /// The text with `%3A` and `%3a` replaced by colons.
  fileprivate var replacingColons: String {
    var result: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "%"), rest.count > 2, rest[rest.startIndex + 1] == UInt8(ascii: "3"),
        rest[rest.startIndex + 2] | 0x20 == UInt8(ascii: "a")
      {
        result.append(UInt8(ascii: ":"))
        rest = rest.dropFirst(3)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
