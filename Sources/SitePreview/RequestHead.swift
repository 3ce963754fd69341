import Basics

/// The request line and the headers of a request (RFC 9112, sections 3 and 5).
struct RequestHead {
  /// The maximum size of a head in bytes. Browsers send about one kilobyte.
  static let maximumBytes = 16 << 10

  let request: PreviewRequest
  /// Whether a body follows. The preview does not read bodies, so the connection ends after the response.
  let hasBody: Bool
  /// Whether the client may send another request on the connection.
  let keepsAlive: Bool

  /// The head is invalid or contradictory.
  struct Malformed: Error {}

  /// - Parameter bytes: the head without the empty line at its end.
  init(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Malformed() }
    let lines = text.split(atBytes: "\n", omittingEmptySubsequences: false).map {
      $0.hasByteSuffix("\r") ? $0.dropLast() : $0
    }
    let words = (lines.first ?? "").split(atBytes: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words.allSatisfy({ !$0.isEmpty }), words[2].hasBytePrefix("HTTP/1.") else {
      throw Malformed()
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(atBytes: ":", maxSplits: 1, omittingEmptySubsequences: false)
      // A line that begins with a blank would continue the line above it, which is no longer allowed (RFC 9112, section 5.2).
      guard parts.count == 2, Self.isName(parts[0]) else { throw Malformed() }
      let value = parts[1].trimmed
      let previous = headers.updateValue(value, forKey: parts[0].lowercased())
      // Programs disagree on which of two hosts or lengths counts (RFC 9112, sections 3.2 and 6.3).
      if previous != nil, ["host", "content-length", "transfer-encoding"].contains(parts[0].lowercased()) {
        throw Malformed()
      }
    }
    let target = words[1].split(atBytes: "?", maxSplits: 1, omittingEmptySubsequences: false)
    request = PreviewRequest(
      String(target[0]), method: String(words[0]), query: target.count > 1 ? String(target[1]) : "",
      headers: headers)
    hasBody = headers["transfer-encoding"] != nil || (headers["content-length"] ?? "0") != "0"
    let options = (headers["connection"] ?? "").lowercased().split(atBytes: ",").map(\.trimmed)
    keepsAlive = words[2] == "HTTP/1.1" && !options.contains("close")
  }

  /// Returns the index after the empty line that ends a head; `nil` if the head is not complete.
  ///
  /// - Parameter start: the start of the search, so that no byte is searched repeatedly while a head arrives.
  static func end(in bytes: [UInt8], from start: Int) -> Int? {
    var index = max(start - 3, 0)
    while index < bytes.count {
      defer { index += 1 }
      guard bytes[index] == UInt8(ascii: "\n") else { continue }
      if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\n") { return index + 2 }
      if index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "\r"),
        bytes[index + 2] == UInt8(ascii: "\n")
      {
        return index + 3
      }
    }
    return nil
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
