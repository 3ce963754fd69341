package import SiteConfig

/// The URL of a relay: `wss://` with a host, or `ws://` for this machine. Equal relays have equal URLs: the host is in lower case, and a slash
/// at the end of the path is ignored.
package struct RelayURL: Sendable, Hashable, CustomStringConvertible {
  /// The same URL with the scheme of HTTP.
  package let server: SiteURL

  /// - Throws: `InvalidValue` for any other URL.
  package init(_ text: String) throws(InvalidValue) {
    guard let separator = text.firstRange(of: "://") else {
      let hint = text.contains(".") && !text.contains(":") ? "; did you mean \(quoted("wss://" + text))?" : ""
      throw InvalidValue("\(quoted(text)) is not a URL that begins with wss://\(hint)")
    }
    let scheme = text[..<separator.lowerBound].lowercased()
    let rest = text[separator.upperBound...]
    guard scheme == "wss" || scheme == "ws" else {
      throw InvalidValue(
        "a relay's URL begins with wss://, not with \(quoted(scheme + "://"))"
          + (scheme == "https" ? "; did you mean \(quoted("wss://" + rest))?" : ""))
    }
    guard !rest.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
      throw InvalidValue(
        "a relay's URL has no query or fragment; remove the \"?\" or \"#\" and the text after it")
    }
    do {
      server = try SiteURL((scheme == "wss" ? "https://" : "http://") + rest)
    } catch {
      throw InvalidValue(
        error.message.replacing("https://", with: "wss://").replacing("http://", with: "ws://"))
    }
    guard scheme == "wss" || server.isLoopback else {
      throw InvalidValue("a relay's URL must begin with wss:// (ws:// only for this machine)")
    }
  }

  /// Whether the relay is on this machine.
  var isLoopback: Bool { server.isLoopback }

  /// The relay's name in messages: the host, and the path if there is one.
  var name: String { server.authority + path }

  private var path: String { server.path == "/" ? "" : String(server.path.dropLast()) }

  package var description: String {
    (server.scheme == "https" ? "wss://" : "ws://") + server.authority + path
  }
}

extension ValueReader where Value == RelayURL {
  static var relay: ValueReader {
    .text("the URL of a relay") { text throws(InvalidValue) in try RelayURL(text) }
  }
}
