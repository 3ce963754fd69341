/// The kind of a destination, which determines whether it may be a link.
enum LinkTarget: Equatable {
  /// A place on this site: a fragment, a relative URL or one with the site's host.
  case own
  /// `http:` or `https:` to another host, or `//host`.
  case web
  case mail
  /// Any other destination: written as text.
  case unsafe

  /// - Parameters:
  ///   - url: The destination as cmark decoded it, before it is percent-encoded.
  ///   - ownAuthority: Host and port of the site in lower case; empty if unknown.
  ///
  /// Characters that a browser would strip or repair (spaces, tabs, newlines, backslashes) need no special handling. They are
  /// percent-encoded in the output, so a scheme with such a character is not on the list, and a path with one remains a path.
  init(_ url: UnsafeBufferPointer<UInt8>, ownAuthority: [UInt8]) {
    if url.starts(with: "//".utf8) {
      self = .web
      return
    }
    let end = url.firstIndex { $0 == UInt8(ascii: ":") || Self.endsAuthority($0) }
    guard let end, url[end] == UInt8(ascii: ":") else {
      // No colon before the path: a relative reference (RFC 3986, 4.2).
      self = .own
      return
    }
    let scheme = url[..<end]
    if Self.equals(scheme, "https") || Self.equals(scheme, "http") {
      let rest = url[(end + 1)...]
      let authority =
        rest.starts(with: "//".utf8)
        ? rest.dropFirst(2).prefix { !Self.endsAuthority($0) } : rest[..<rest.startIndex]
      let isOwn = !ownAuthority.isEmpty && authority.lazy.map(Self.lowercased).elementsEqual(ownAuthority)
      self = isOwn ? .own : .web
    } else {
      self = Self.equals(scheme, "mailto") ? .mail : .unsafe
    }
  }

  /// Whether a destination has a scheme, so that it leads to the same place wherever it is read.
  static func isAbsolute(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    let end = url.firstIndex { $0 == UInt8(ascii: ":") || endsAuthority($0) }
    return end.map { url[$0] == UInt8(ascii: ":") } ?? false
  }

  /// Returns the host and port of a base URL in lower case; empty if it is `nil`.
  static func authority(of baseURL: String?) -> [UInt8] {
    guard let baseURL else { return [] }
    let bytes = Array(baseURL.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[(colon + 1)...].starts(with: "//".utf8)
    else {
      return []
    }
    return bytes[(colon + 3)...].prefix { !endsAuthority($0) }.map(lowercased)
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func equals(_ scheme: Slice<UnsafeBufferPointer<UInt8>>, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { name in
      scheme.count == name.count && scheme.lazy.map(lowercased).elementsEqual(name)
    }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}
