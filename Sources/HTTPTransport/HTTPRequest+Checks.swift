extension HTTPRequest {
  /// Headers that libcurl makes from other parts of a request, or that would carry credentials past `authorization`.
  private static let reservedHeaders: Set<String> = [
    "authorization", "connection", "content-length", "cookie", "host", "proxy-authorization", "te",
    "transfer-encoding",
    "upgrade",
  ]

  /// Refuses headers that would be more than one, or that are not the caller's.
  func checkHeaders() throws(HTTPError) {
    for (name, value) in headers {
      guard Self.isToken(name) else {
        throw HTTPError(.other, "the name of a header holds a character that none may hold", url: url)
      }
      guard !Self.reservedHeaders.contains(name.lowercased()) else {
        throw HTTPError(.other, "the header \(name) cannot be set", url: url)
      }
      guard Self.isFieldValue(value) else { throw HTTPError.unusableHeader(name, url: url) }
    }
    if let authorization, !Self.isFieldValue(authorization.revealed) {
      throw HTTPError.unusableHeader("Authorization", url: url)
    }
  }

  /// What may follow the colon: no line breaks, no other control characters but the tab (RFC 9110, 5.5).
  static func isFieldValue(_ value: String) -> Bool {
    value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
  }

  /// RFC 9110, 5.6.2.
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

extension HTTPError {
  fileprivate static func unusableHeader(_ name: String, url: String) -> HTTPError {
    HTTPError(
      .other, "the value of the header \(name) holds a line break or another control character", url: url)
  }
}
