import Basics
package import ThreadModel

extension SiteConfig {
  /// The settings for replies from other sites (https://www.w3.org/TR/webmention/). Another service receives them, because a site of files cannot.
  package struct Webmention: Sendable, Equatable {
    /// The URL to which other sites send webmentions; every page names it.
    package var endpoint: WebURL?
    /// The place of the received webmentions; `nil` if pages show none.
    package var inbox: Inbox?
    /// The name of the environment variable that contains the token for the inbox; `nil` if the inbox needs none.
    package var tokenEnv: String?
    /// The path of a file that contains the token; read if the variable is not set.
    package var tokenFile: String?
    /// Sites and people whose webmentions are neither stored nor shown.
    package var block: [WebPlace] = []
    /// The service through which other servers can follow the site.
    package var followableBy: Bridge?

    package static let defaults = Webmention()

    /// The place of received webmentions in JF2 (https://www.w3.org/TR/jf2/).
    package enum Inbox: Sendable, Equatable {
      /// An API with the parameters of webmention.io.
      case api(WebURL)
      /// The path of a saved response, relative to the site's folder or absolute.
      case file(String)
    }

    /// A service that shows a site as an account on other servers.
    package enum Bridge: String, Sendable, CaseIterable {
      case bridgyFed = "bridgy-fed"
    }

    /// Whether the inbox is a server on this machine.
    package var usesThisMachine: Bool {
      guard case .api(let url) = inbox, let server = url.server else { return false }
      return server.isLoopback
    }

    /// Whether the owner blocks the source or the author of a webmention.
    package func blocks(_ mention: WebMention) -> Bool {
      block.contains { place in place.holds(mention.source) || mention.authorURL.map(place.holds) ?? false }
    }
  }
}

extension SiteConfig.Webmention: ConfigSection {
  package static let fields: [ConfigField<SiteConfig.Webmention>] = [
    ConfigField("endpoint", \.endpoint, .webURL),
    ConfigField("inbox", \.inbox, .remembered(.inbox)),
    ConfigField("token_env", \.tokenEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("token_file", \.tokenFile, ValueReader.secretFile.hidingText),
    ConfigField("block", \.block, .list(of: .webPlace)),
    ConfigField("followable_by", \.followableBy, .remembered(.word())),
  ]

  package static var mayHoldSecrets: Bool { true }
}

extension ValueReader where Value == SiteConfig.Webmention.Inbox {
  /// A URL, or the path of a file.
  fileprivate static var inbox: ValueReader {
    ValueReader { value, problems in
      guard case .scalar(let text, _) = value.node.content, text.contains("://") else {
        return ValueReader<String>.path.read(value, &problems).map { .file($0) }
      }
      return ValueReader.text("a URL") { text throws(InvalidValue) in
        let url = try WebURL(text)
        guard !text.utf8.contains(UInt8(ascii: "#")) else {
          throw InvalidValue("expected the URL of an API, without \"#\" and the text after it")
        }
        guard let server = url.server, server.scheme == "https" || server.isLoopback else {
          throw InvalidValue(
            "a token may be sent there, so it must begin with https:// (http:// only for this machine)")
        }
        return .api(url)
      }.read(value, &problems)
    }
  }
}

extension WebURL {
  /// The URL without its query and fragment.
  package var server: SiteURL? { try? SiteURL(String(description.prefix(upToBytes: "?#"))) }
}

/// A part of the web: a host with its subdomains, or the pages whose URLs begin with a URL.
package struct WebPlace: Sendable, Hashable {
  /// In lower case, without a port.
  private let host: String
  /// The path without a slash at its end; empty for the whole host.
  private let path: String

  /// Reads `spam.example` or `https://social.example/@bo`.
  package init(_ text: String) throws(InvalidValue) {
    let expected = "expected a host such as spam.example, or a URL such as https://social.example/@bo"
    let url = text.contains("://") ? text : "https://" + text
    guard !text.contains("?"), !text.contains("#"), WebAddress.isSafe(url),
      let host = WebAddress.host(of: url)
    else { throw InvalidValue("\(expected), found \(quoted(text))") }
    guard text.contains("://") || !text.contains("/") else {
      throw InvalidValue("\(expected), found \(quoted(text)); did you mean \(quoted(url))?")
    }
    self.host = host
    path = Self.path(of: url)
  }

  /// Whether a URL belongs to this part of the web. The scheme, a port, `www.` and a slash at the end make no difference.
  package func holds(_ url: String) -> Bool {
    guard let other = WebAddress.host(of: url) else { return false }
    if path.isEmpty { return other == host || other.hasByteSuffix("." + host) }
    guard other == host || other == "www." + host else { return false }
    let page = Self.path(of: url)
    return page == path || page.hasBytePrefix(path + "/") || page.hasBytePrefix(path + "?")
  }

  /// Returns the path and the query of a URL, in lower case and without a slash at the end, because the names of accounts have no letter case.
  private static func path(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return "" }
    let rest = url[scheme.upperBound...]
    let path = rest[rest.prefix(upToBytes: "/?#").endIndex...].prefix(upToBytes: "#")
    let trimmed = PathText.withoutTrailingSlashes(String(path).lowercased())
    return trimmed == "/" ? "" : trimmed
  }
}

extension ValueReader where Value == WebPlace {
  fileprivate static var webPlace: ValueReader {
    .text("a host or a URL") { text throws(InvalidValue) in try WebPlace(text) }
  }
}
