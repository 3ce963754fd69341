extension NetworkID<Post> {
  /// Where the network shows the post, as far as its id alone tells: for a post of which nothing else is known.
  ///
  /// X answers at `/i/status/` for any author, Bluesky by the account's DID or its handle, a Mastodon instance under a handle only.
  ///
  /// - Parameter handle: the author's, without the `@`, where it is known.
  package func address(handle: String?) -> String? {
    guard Self.isPlain(value) else { return nil }
    switch platform {
    case .x: return "https://x.com/i/status/\(value)"
    case .bluesky:
      guard let account = authority ?? handle, Self.isPlain(account) else { return nil }
      return "https://bsky.app/profile/\(account)/post/\(value)"
    case .mastodon:
      guard let host = authority, Self.isPlain(host), let handle else { return nil }
      // `ada@social.example` is `ada` there.
      let own = "@" + host
      let name = handle.hasSuffix(own) ? String(handle.dropLast(own.count)) : handle
      guard Self.isPlain(name, besides: "@") else { return nil }
      return "https://\(host)/@\(name)/\(value)"
    default: return nil
    }
  }

  /// Letters, digits and what hosts, DIDs and record keys have beside them: nothing that could end a path.
  private static func isPlain(_ text: String, besides other: String = "") -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: ".-_:~".utf8.contains(byte) || other.utf8.contains(byte)
        }
      } && !text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
  }
}
