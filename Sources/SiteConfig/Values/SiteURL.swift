import Basics

/// The URL of a site: http or https, with a host, with or without a port and a path. The URL always ends in `/`, so that a page's URL is the site's URL
/// followed by the page's path.
package struct SiteURL: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`.
  package let scheme: String
  /// The host in lower case, with its port if it has one: `ada.example:8080`.
  package let authority: String
  /// Begins and ends with `/`; only `/` for a site at the root of its host.
  package let path: String

  package var description: String { "\(scheme)://\(authority)\(path)" }

  /// - Throws: ``InvalidValue`` for another scheme, a missing host, a user name, a query, a fragment, or characters that a URL cannot contain.
  package init(_ text: String) throws(InvalidValue) {
    guard let separator = text.firstRange(of: "://") else {
      let hint =
        text.contains(".") && !text.contains(":") ? "; did you mean \(quoted("https://" + text))?" : ""
      throw InvalidValue("\(quoted(text)) is not a URL that begins with https:// or http://\(hint)")
    }
    let scheme = text[..<separator.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw InvalidValue("a site's URL begins with https:// or http://, not with \(quoted(scheme + "://"))")
    }
    let rest = text[separator.upperBound...]
    let host = rest.prefix(upToBytes: "/?#")
    let (authority, path) = (host.lowercased(), String(rest[host.endIndex...]))
    try Self.check(authority: authority, in: text)
    try Self.check(path: path, in: text)
    self.scheme = scheme
    self.authority = authority
    self.path = path.hasByteSuffix("/") ? path : path + "/"
  }

  private static func check(authority: String, in text: String) throws(InvalidValue) {
    guard !authority.utf8.contains(UInt8(ascii: "@")) else {
      throw InvalidValue("URLs in this file must not contain a user name or password")
    }
    // An IPv6 address is in brackets and contains colons.
    let bracket = authority.utf8.lastIndex(of: UInt8(ascii: "]"))
    let colon =
      authority.utf8[(bracket ?? authority.startIndex)...].firstIndex(of: UInt8(ascii: ":"))
      ?? authority.endIndex
    let host = authority[..<colon]
    let isAddress = host.hasBytePrefix("[") && host.hasByteSuffix("]") && host.utf8.count > 4
    let allowed: (UInt8) -> Bool =
      isAddress
      ? { byte in isASCIIHexDigit(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") }
      : { byte in isASCIILetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") }
    let letters = isAddress ? host.dropFirst().dropLast() : host
    guard !letters.isEmpty, !letters.hasBytePrefix("."), !letters.contains("..") else {
      throw InvalidValue("\(quoted(text)) has no host")
    }
    guard letters.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw InvalidValue("write the host of \(quoted(text)) in its ASCII form, which begins with xn--")
    }
    guard letters.utf8.allSatisfy(allowed) else {
      throw InvalidValue("\(quoted(String(host))) is not a host name")
    }
    guard colon < authority.endIndex else { return }
    let port = authority[authority.utf8.index(after: colon)...]
    guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port), number > 0 else {
      throw InvalidValue("\(quoted(String(port))) is not a port: expected a number from 1 to 65535")
    }
  }

  private static func check(path: String, in text: String) throws(InvalidValue) {
    guard !path.utf8.contains(UInt8(ascii: "?")), !path.utf8.contains(UInt8(ascii: "#")) else {
      throw InvalidValue(
        "a site's URL has no query or fragment; remove the \"?\" or \"#\" and the text after it")
    }
    for segment in path.split(atBytes: "/", omittingEmptySubsequences: false).dropFirst().dropLast() {
      guard !segment.isEmpty else {
        throw InvalidValue("the path of \(quoted(text)) has an empty part (\"//\")")
      }
    }
    guard !path.split(atBytes: "/").contains(where: { $0 == "." || $0 == ".." }) else {
      throw InvalidValue("the path of \(quoted(text)) must not contain \".\" or \"..\"")
    }
    // RFC 3986, `pchar`.
    let isAllowed = path.utf8.allSatisfy { byte in
      isASCIILetterOrDigit(byte) || "-._~%!$&'()*+,;=:@/".utf8.contains(byte)
    }
    guard isAllowed else {
      throw InvalidValue("percent-encode spaces and non-ASCII characters in the path of \(quoted(text))")
    }
  }
}

package func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
  default: false
  }
}

func isASCIIHexDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
  default: false
  }
}

package func isASCIIDigit(_ byte: UInt8) -> Bool {
  (0x30...0x39).contains(byte)
}

extension SiteURL {
  /// Whether the host is this machine. Credentials are sent unencrypted to no other host.
  package var isLoopback: Bool {
    authority == "localhost" || authority.hasBytePrefix("localhost:")
      || authority.hasBytePrefix("127.")
        && authority.utf8.allSatisfy {
          isASCIIDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":")
        }
      || authority.hasBytePrefix("[::1]")
  }
}

extension ValueReader where Value == SiteURL {
  /// The URL of an API to which credentials are sent.
  package static var apiURL: ValueReader { server("credentials are sent there, so it must begin") }

  /// The URL of an API that needs no credentials.
  package static var openAPIURL: ValueReader { server("it must begin") }

  private static func server(_ demand: String) -> ValueReader {
    .text("a URL") { text throws(InvalidValue) in
      let url = try SiteURL(text)
      guard url.scheme == "https" || url.isLoopback else {
        throw InvalidValue("\(demand) with https:// (http:// only for this machine)")
      }
      return url
    }
  }
}

/// The URL of a page on the web: http or https, with a host, kept as written.
package struct WebURL: Sendable, Hashable, CustomStringConvertible {
  /// The URL as written, in ASCII without blanks, quotes, angle brackets and control characters.
  package let description: String

  /// - Throws: ``InvalidValue`` if the text is not such a URL.
  package init(_ text: String) throws(InvalidValue) {
    let page = text.prefix(upToBytes: "?#")
    _ = try SiteURL(String(page))
    let isPrintable = text[page.endIndex...].utf8.allSatisfy { byte in
      isASCIILetterOrDigit(byte) || "-._~%!$&'()*+,;=:@/?#".utf8.contains(byte)
    }
    guard isPrintable else {
      throw InvalidValue("percent-encode spaces and non-ASCII characters in \(quoted(text))")
    }
    description = text
  }
}

extension ValueReader where Value == WebURL {
  static var webURL: ValueReader { .text("a URL") { text throws(InvalidValue) in try WebURL(text) } }
}
