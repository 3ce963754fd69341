import Basics

/// An address that somebody gave, taken apart: where it points, and its path without query and fragment.
///
/// Which network it belongs to is for the networks to say (`AddressReader`).
package struct NetworkAddress: Sendable {
  /// The address as written.
  package let text: String
  /// The host in lower case, with its port where it has one; `nil` for an `at://` URI, which names no host.
  package let host: String?
  /// The parts between the slashes, without empty ones. Of an `at://` URI, the account is the first.
  package let path: [String]

  /// - Throws: ``InvalidValue`` for what is neither an http(s) URL, with or without its scheme, nor an `at://` URI.
  package init(_ text: String) throws(InvalidValue) {
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
    guard scheme != "at" else {
      host = nil
      path = parts
      return
    }
    host = parts.removeFirst().lowercased()
    path = parts
  }

  /// Whether it is an `at://` URI, as AT Protocol names records.
  package var isATURI: Bool { host == nil }
}
