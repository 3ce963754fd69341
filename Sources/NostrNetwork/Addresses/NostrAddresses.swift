import Basics
package import SiteConfig
package import ThreadModel

/// Reads ids and keys of Nostr (NIP-19), alone, as `nostr:` URIs (NIP-21), and in the URLs of viewers.
///
/// Viewers have different paths. The last part with a valid checksum is used, on any host.
package struct NostrAddresses: AddressReader {
  package let platform = Platform.nostr
  package let examplePost =
    "nostr:note1h865g8j9egu30yequqp3e7ccudq8seeaes7nuw3m82vpwc9226tqtudlvp"
  package let exampleAccount =
    "https://njump.me/npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"
  package let exampleName = "npub1…"
  package let section: (any NetworkSection.Type)? = NostrSection.self
  package let marksOfPosts: [StaticString] = ["note1", "nevent1", "naddr1"]

  package init() {}

  /// Viewers, without `www.`. A wrong checksum is reported only on these hosts.
  private static let hosts: Set<String> = [
    "njump.me", "njump.to", "nostr.com", "nostr.band", "nostr.at", "primal.net", "snort.social",
    "coracle.social",
    "nostrudel.ninja", "iris.to", "yakihonne.com", "habla.news", "highlighter.com", "satellite.earth",
    "damus.io",
    "jumble.social", "nostter.app", "nostr.eu", "nosta.me",
  ]

  private static func isViewer(_ host: String) -> Bool {
    hosts.contains(host.without(bytePrefix: "www.").map(String.init) ?? host)
  }

  package func isFrontEnd(_ host: String) -> Bool { Self.isViewer(host) }

  package func owns(_ address: NetworkAddress) -> Bool {
    guard let host = address.host else { return false }
    if Self.isViewer(host) { return true }
    return Self.candidates(address).contains { (try? NostrReference($0)) != nil }
  }

  package func post(_ address: NetworkAddress) throws(InvalidValue) -> PostReference? {
    guard let reference = try Self.reference(address) else { return nil }
    return Self.post(reference)
  }

  package func account(_ address: NetworkAddress) -> AccountReference? {
    // A wrong checksum is reported when the URL is read as that of a post.
    if let reference = try? Self.reference(address) { return Self.account(reference) }
    guard address.host == "njump.me", address.path.count == 1, let name = address.path.first else {
      return nil
    }
    return Self.account(named: name)
  }

  package func account(named text: String) -> AccountReference? {
    if let reference = try? NostrReference(Self.withoutScheme(text) ?? text[...]) {
      return Self.account(reference)
    }
    return Self.withoutScheme(text).flatMap { Self.account(named: String($0)) }
  }

  /// A public key in bech32 is unmistakable.
  package func account(writtenAs text: String) -> AccountReference? { account(named: text) }

  package func url(of account: AccountReference) -> String { Self.url(account.handle) }

  package func post(named id: String) throws(InvalidValue) -> PostReference? {
    let rest = Self.withoutScheme(id)
    let text = rest ?? id[...]
    guard rest != nil || NostrReference.isLike(text), !text.utf8.contains(where: ".:/".utf8.contains) else {
      return nil
    }
    return Self.post(try Self.read(text, in: id))
  }

  /// Also reads the id of an event in hexadecimal digits.
  package func post(named id: String, besides thread: PostReference) throws(InvalidValue) -> PostReference? {
    if NostrHex.isKey(id) { return Self.post(.event(id: id)) }
    return try post(named: id)
  }

  // MARK: References

  /// Returns the text after `nostr:`.
  private static func withoutScheme(_ text: String) -> Substring? {
    guard text.utf8.count > 6, text.prefix(6).lowercased() == "nostr:" else { return nil }
    return text[text.utf8.index(text.startIndex, offsetBy: 6)...].drop { $0 == "/" }
  }

  private static func read(_ text: some StringProtocol, in whole: String) throws(InvalidValue)
    -> NostrReference
  {
    do {
      return try NostrReference(text)
    } catch {
      switch error {
      case .checksum:
        throw InvalidValue(
          "the checksum of \(quoted(whole)) is wrong: a character is missing or wrong; copy it again")
      case .secret:
        throw InvalidValue(
          "a text that begins with nsec1 is a secret key: never show it to anyone, and use the public key (npub1…)"
        )
      case .form:
        throw InvalidValue(
          "\(quoted(whole)) is not an id of Nostr; it begins with note1, nevent1, naddr1, npub1 or nprofile1, and has no other text"
        )
      }
    }
  }

  /// Returns the parts of a URL that begin like a reference, the last one first. Some viewers have them after a `#` or `?`.
  private static func candidates(_ address: NetworkAddress) -> [String] {
    let text = address.text.utf8.count <= 2 * Bech32.maximumLength ? address.text : ""
    return text.split(atBytes: "/?#=&:").map(String.init).filter(NostrReference.isLike).reversed()
  }

  private static func reference(_ address: NetworkAddress) throws(InvalidValue) -> NostrReference? {
    let candidates = candidates(address)
    for candidate in candidates { if let reference = try? NostrReference(candidate) { return reference } }
    guard let candidate = candidates.first else { return nil }
    return try read(candidate, in: candidate)
  }

  private static func post(_ reference: NostrReference) -> PostReference? {
    let id: PostID
    let author: String?
    switch reference {
    case .profile: return nil
    case .event(let event, _, let key, _): (id, author) = (NostrID.post(event), key)
    case .replaceable(let name, _):
      guard name.isArticle else { return nil }
      (id, author) = (NostrID.post(name), name.author)
    }
    return PostReference(
      platform: .nostr, id: id.value, postID: id, handle: author.map(NostrID.name(ofKey:)),
      address: url(reference.description))
  }

  private static func account(_ reference: NostrReference) -> AccountReference? {
    guard case .profile(let key, _) = reference else { return nil }
    return AccountReference(platform: .nostr, handle: NostrID.name(ofKey: key), authorID: NostrID.author(key))
  }

  /// Returns the account with an internet identifier (NIP-05): `ada@tides.example`.
  private static func account(named name: String) -> AccountReference? {
    isInternetIdentifier(name) ? AccountReference(platform: .nostr, handle: name.lowercased()) : nil
  }

  /// Returns whether a text is an internet identifier (NIP-05).
  package static func isInternetIdentifier(_ name: String) -> Bool {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...64).contains(parts[0].utf8.count), (4...253).contains(parts[1].utf8.count),
      parts[0].utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-_.".utf8.contains($0) })
    else { return false }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty && !label.hasBytePrefix("-") && !label.hasByteSuffix("-")
          && label.utf8.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "-") }
      }
  }

  /// Returns the relays, the author and the kind that the reference to a post states, for a client. They are not trusted.
  package static func reference(to post: PostReference) -> NostrReference? {
    PathText.name(of: post.address).isEmpty ? nil : try? NostrReference(PathText.name(of: post.address))
  }

  /// Returns the URL at which a viewer shows an event or an account, on which readers choose their own client.
  ///
  /// - Parameter reference: in bech32.
  package static func url(_ reference: String) -> String { "https://njump.me/\(reference)" }
}

/// URLs of a viewer that shows events of any relay.
package struct NostrLinks: NetworkLinks {
  package init() {}

  package func url(of post: PostID, handle: String?) -> String? {
    guard let reference = NostrID.reference(post) else { return nil }
    guard case .event(let id, _, _, _) = reference, let handle,
      case .profile(let key, _)? = try? NostrReference(handle)
    else { return NostrAddresses.url(reference.description) }
    return NostrAddresses.url(NostrReference.event(id: id, author: key).description)
  }
}
