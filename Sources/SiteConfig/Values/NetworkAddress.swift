import UTF8Text

/// An address on a social network, taken apart: where it points, and its path without query and fragment.
struct NetworkAddress {
  enum Host: Equatable {
    case x
    case bluesky
    /// Taken for a Mastodon instance, in lower case, with its port where it has one.
    case other(String)
  }

  /// The address as written.
  let text: String
  let host: Host
  /// The parts between the slashes, without empty ones. Of an `at://` URI, the account is the first.
  let path: [String]
  let isATURI: Bool

  /// - Throws: ``InvalidValue`` for what is neither an http(s) URL, with or without its scheme, nor an `at://` URI.
  init(_ text: String) throws(InvalidValue) {
    self.text = text
    guard !text.unicodeScalars.contains(where: { $0.properties.isWhitespace || SourceText.isControl($0) })
    else {
      throw InvalidValue("\(quoted(text)) is not a URL: it holds a blank")
    }
    // What people copy may lack the scheme: `x.com/ada/status/1`. A host has a dot and a path behind it.
    let isBare = text.firstRange(of: "://") == nil
    if isBare {
      guard let host = PathText.folder(of: text)?.prefix(upToBytes: "/"),
        host.utf8.contains(UInt8(ascii: ".")), !text.hasBytePrefix(".")
      else {
        throw InvalidValue("\(quoted(text)) is neither a URL nor the number of a post on X")
      }
    }
    let url = isBare ? "https://" + text : text
    let separator = url.firstRange(of: "://") ?? url.endIndex..<url.endIndex
    let scheme = url[..<separator.lowerBound].lowercased()
    let rest = url[separator.upperBound...].prefix(upToBytes: "?#")
    var parts = rest.split(atBytes: "/").map(String.init)
    guard ["https", "http", "at"].contains(scheme), !rest.hasBytePrefix("/"), !parts.isEmpty else {
      throw InvalidValue("\(quoted(text)) is not the URL of a post; it should begin with https://")
    }
    isATURI = scheme == "at"
    guard !isATURI else {
      host = .bluesky
      path = parts
      return
    }
    let name = parts.removeFirst().lowercased()
    path = parts
    switch name {
    case "x.com", "www.x.com", "mobile.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com",
      "m.twitter.com":
      host = .x
    case "bsky.app", "www.bsky.app": host = .bluesky
    case "x.co", "t.co":
      throw InvalidValue("\(quoted(text)) is a short link; write the address that it leads to")
    default:
      // What is checked is only that it can be a host: it is not looked up here.
      _ = try SiteURL("https://" + name)
      host = .other(name)
    }
  }
}

/// 1 to 15 letters, digits and `_` (X's rule since 2009; a few older handles are longer, up to 20).
func isXHandle(_ text: String) -> Bool {
  (1...20).contains(text.utf8.count)
    && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "_") }
}

/// A handle, which is a domain name, or a DID of the methods that Bluesky knows (`did:plc:`, `did:web:`).
func isBlueskyAccount(_ text: String) -> Bool {
  guard (3...253).contains(text.utf8.count) else { return false }
  let name: Substring
  if text.hasBytePrefix("did:") {
    guard text.hasBytePrefix("did:plc:") || text.hasBytePrefix("did:web:") else { return false }
    name = text[text.utf8.index(text.startIndex, offsetBy: 8)...]
  } else {
    guard text.contains(".") else { return false }
    name = text[...]
  }
  let isDomain = name.split(atBytes: ".", omittingEmptySubsequences: false).allSatisfy { label in
    !label.isEmpty && !label.hasBytePrefix("-") && !label.hasByteSuffix("-")
      && label.utf8.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "-") }
  }
  return isDomain
}

/// atproto's record keys, narrowed to what cannot be a path: letters, digits, `-`, `_`, `~`, at most 64.
func isRecordKey(_ text: String) -> Bool {
  (1...64).contains(text.utf8.count)
    && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_~".utf8.contains($0) }
}

/// Digits on Mastodon; others behind the same paths, such as GoToSocial, use letters, too.
func isMastodonID(_ text: String) -> Bool {
  (1...64).contains(text.utf8.count)
    && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_".utf8.contains($0) }
}

/// `ada`, or `ada@elsewhere.example`.
func isFediverseHandle(_ text: String) -> Bool {
  let parts = text.split(atBytes: "@", omittingEmptySubsequences: false)
  return (1...2).contains(parts.count)
    && parts.allSatisfy { part in
      (1...253).contains(part.utf8.count) && !part.hasBytePrefix(".")
        && part.utf8.allSatisfy { isASCIILetterOrDigit($0) || "_-.".utf8.contains($0) }
    }
}
