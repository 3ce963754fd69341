import Basics

/// The parts of a URL from user input: its host, and its path without query and fragment.
///
/// Each network decides whether the URL is one of its own (`AddressReader`).
package struct NetworkAddress: Sendable {
  /// The URL as written.
  package let text: String
  /// The host in lower case, with the port if it has one; `nil` for an `at://` URI, which contains no host.
  package let host: String?
  /// The parts of the path between slashes, without empty parts. For an `at://` URI the first part is the account.
  package let path: [String]

  /// - Throws: ``InvalidValue`` if the text is neither an http or https URL, with or without its scheme, nor an `at://` URI.
  package init(_ text: String) throws(InvalidValue) {
    self.text = text
    guard !text.unicodeScalars.contains(where: { $0.properties.isWhitespace || SourceText.isControl($0) })
    else {
      throw InvalidValue("\(quoted(text)) is not a URL: it contains a space")
    }
    // Copied URLs may lack the scheme: `x.com/ada/status/1`. A host contains a full stop and is followed by a path.
    let isBare = text.firstRange(of: "://") == nil
    if isBare {
      guard let host = PathText.folder(of: text)?.prefix(upToBytes: "/"),
        host.utf8.contains(UInt8(ascii: ".")), !text.hasBytePrefix(".")
      else {
        throw InvalidValue(
          "\(quoted(text)) is neither a URL nor the id of a post on X"
            + (Self.isFileName(text)
              ? "; to import an archive or saved responses, run `threadsite import`" : ""))
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

  /// Whether a text ends like the name of a file that `threadsite import` reads.
  private static func isFileName(_ text: String) -> Bool {
    [".zip", ".gz", ".tar", ".json", ".jsonl", ".car", ".js"].contains { text.hasByteSuffix($0) }
  }

  /// Whether the URL is an `at://` URI, the AT Protocol's name for a record.
  package var isATURI: Bool { host == nil }
}
