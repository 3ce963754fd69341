extension NetworkID<Post> {
  /// Where the network shows the post, as far as its ids alone tell: for a post of which nothing else is known.
  ///
  /// X answers at `/i/status/` for any author; Bluesky wants a handle; a Mastodon post lives on a server that an id does not
  /// name.
  ///
  /// - Parameter handle: the author's, without the `@`, where it is known.
  package func address(handle: String?) -> String? {
    guard value.utf8.allSatisfy(Self.isPlain) else { return nil }
    switch platform {
    case .x: return "https://x.com/i/status/\(value)"
    case .bluesky:
      guard let handle, !handle.isEmpty, handle.utf8.allSatisfy(Self.isPlain) else { return nil }
      return "https://bsky.app/profile/\(handle)/post/\(value)"
    default: return nil
    }
  }

  /// Letters, digits and what handles and record keys have beside them: nothing that could end a path.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
