extension SiteConfig {
  /// The permissions of pages to load and run other files than the site's own.
  package struct Security: Sendable, Equatable {
    package var allow = AllowedSources.defaults

    package static let defaults = Security()
  }
}

extension SiteConfig.Security: ConfigSection {
  package static let fields: [ConfigField<SiteConfig.Security>] = [
    ConfigField("allow", \.allow, .section)
  ]
}

/// The sources that the Content-Security-Policy of all pages allows in addition, by the kind of use (CSP Level 3, section 6.1).
package struct AllowedSources: Sendable, Equatable {
  package var script: [PolicySource] = []
  package var style: [PolicySource] = []
  package var font: [PolicySource] = []
  package var image: [PolicySource] = []
  package var media: [PolicySource] = []
  package var frame: [PolicySource] = []
  package var connect: [PolicySource] = []
  package var form: [PolicySource] = []

  package static let defaults = AllowedSources()
}

extension AllowedSources: ConfigSection {
  package static let fields: [ConfigField<AllowedSources>] = [
    ConfigField("script", \.script, .list(of: .policySource)),
    ConfigField("style", \.style, .list(of: .policySource)),
    ConfigField("font", \.font, .list(of: .policySource)),
    ConfigField("image", \.image, .list(of: .policySource)),
    ConfigField("media", \.media, .list(of: .policySource)),
    ConfigField("frame", \.frame, .list(of: .policySource)),
    ConfigField("connect", \.connect, .list(of: .policySource)),
    ConfigField("form", \.form, .list(of: .policySource)),
  ]
}

/// A source in a Content-Security-Policy: the site itself, or one origin by https.
///
/// Only letters, digits, hyphens, full stops and a port get into the policy, so that a value cannot begin another directive. Wildcards, schemes and
/// keywords such as `'unsafe-inline'` are rejected, because each of them would allow far more than one service.
package struct PolicySource: Sendable, Hashable, CustomStringConvertible {
  /// As in a policy: `'self'`, or an origin in lower case.
  package let description: String

  package init(_ text: String) throws(InvalidValue) {
    if text == "self" || text == "'self'" {
      description = "'self'"
      return
    }
    let expected = "expected an origin such as https://giscus.app, or self for the site's own files"
    let scheme = "https://"
    guard text.lowercased().hasPrefix(scheme) else {
      let isPlain = text.lowercased().hasPrefix("http://")
      throw InvalidValue(
        isPlain ? "\(quoted(text)) is not loaded by https; \(expected)" : "found \(quoted(text)); \(expected)"
      )
    }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    let origin = rest.prefix { $0 != UInt8(ascii: "/") }
    guard Self.isHost(origin) else { throw InvalidValue("found \(quoted(text)); \(expected)") }
    let written = scheme + (String(origin) ?? "").lowercased()
    let path = rest.dropFirst(origin.count)
    guard path.isEmpty || path.elementsEqual("/".utf8) else {
      throw InvalidValue("\(quoted(text)) has a path; write only the origin: \(written)")
    }
    description = written
  }

  /// Whether the bytes are a host name with at most one port.
  private static func isHost(_ bytes: Substring.UTF8View) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let host = parts.first, host.count <= 253 else { return false }
    let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard
      labels.allSatisfy({ label in
        !label.isEmpty && label.count <= 63 && label.first != UInt8(ascii: "-")
          && label.last != UInt8(ascii: "-")
          && label.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "-") }
      })
    else { return false }
    guard parts.count == 2 else { return true }
    guard let port = String(parts[1]), parts[1].allSatisfy({ (0x30...0x39).contains($0) }) else {
      return false
    }
    return UInt16(port).map { $0 > 0 } ?? false
  }
}

extension ValueReader where Value == PolicySource {
  static var policySource: ValueReader {
    .text("an origin") { text throws(InvalidValue) in try PolicySource(text) }
  }
}
