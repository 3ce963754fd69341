import Basics
import Foundation
import HTTPTransport
import SiteConfig

/// How git reaches a remote: a URL without credentials, and settings that contain them.
///
/// Every user of a machine can read command lines, and git passes a URL on to the command lines of its helpers. So a URL with a password is
/// never passed to git. The password becomes a header, as a token does. Git sends the header only to this URL: over https, and without
/// following redirects, because git would send the header to any server that a redirect names. Settings are environment variables, which
/// other users cannot read.
struct GitConnection: Sendable {
  /// The URL for git and for messages.
  let url: String
  /// Masks the credentials in git's messages.
  let redaction: SecretRedaction
  /// All secrets in the URL and in git's settings.
  let secrets: [Secret]
  private let settings: [(key: String, value: String)]

  /// - Parameters:
  ///   - url: the URL or path, with git's rules for rewriting URLs applied.
  ///   - known: all settings of git for the owner's repository.
  ///   - token: the token of site.yml; it replaces a password in the URL.
  init(to url: String, _ known: GitSettings, token: Secret?) throws(PublishError) {
    let address = try Address(url)
    self.url = address.url
    var secrets = known.secrets + address.secrets
    if let token { secrets.append(token) }
    var settings = known.ofConnections
    let authorization = token.map { "x-access-token:\($0.revealed)" } ?? address.credentials
    if let authorization {
      guard address.isEncrypted || address.isHTTP && address.isLoopback else {
        throw PublishError(
          .configuration,
          token == nil
            ? "error: the URL of the remote contains a password, and passwords are sent only to https:// URLs. The remote is \(address.url)."
            : "site.yml: error: publish.git has a token, and tokens are sent only to https:// URLs. The remote is \(address.url)."
        )
      }
      let word = Data(authorization.utf8).base64EncodedString()
      // An empty value removes the headers of less specific settings, because a server refuses two credentials.
      settings.append(("http.\(address.url).extraheader", ""))
      settings.append(("http.\(address.url).extraheader", "Authorization: Basic \(word)"))
      // A proxy would see unencrypted requests to this machine.
      if !address.isEncrypted { settings.append(("http.\(address.url).proxy", "")) }
    }
    // This also covers headers with credentials that a CI system stored.
    if address.isHTTP, authorization != nil || known.hasHeaders {
      settings.append(("http.\(address.url).followredirects", "false"))
    }
    // The rules for rewriting URLs were already applied. Applied a second time, they could add a password.
    if known.rewritesURLs {
      settings.append(("url.\(address.url).insteadof", address.url))
      settings.append(("url.\(address.url).pushinsteadof", address.url))
    }
    self.settings = settings
    self.secrets = secrets
    redaction = SecretRedaction(secrets.map(\.revealed))
  }

  /// Adds the settings to the environment of git.
  func apply(to environment: inout [String: String]) {
    let first = environment["GIT_CONFIG_COUNT"].flatMap(Int.init) ?? 0
    for (index, setting) in settings.enumerated() {
      environment["GIT_CONFIG_KEY_\(first + index)"] = setting.key
      environment["GIT_CONFIG_VALUE_\(first + index)"] = setting.value
    }
    environment["GIT_CONFIG_COUNT"] = String(first + settings.count)
  }

  /// The parts of a URL.
  private struct Address {
    /// The URL without a password.
    var url: String
    /// The user and the password as in an `Authorization` header; `nil` if the URL has no password, or is not fetched by HTTP.
    var credentials: String?
    var secrets: [Secret] = []
    var isHTTP = false
    var isEncrypted = false
    var isLoopback = false

    init(_ text: String) throws(PublishError) {
      url = text
      guard let separator = text.firstRange(of: "://") else { return }
      let scheme = text[..<separator.lowerBound].lowercased()
      let authority = text[separator.upperBound...].prefix { !"/?#".contains($0) }
      let rest = text[authority.endIndex...]
      let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
      isHTTP = scheme == "https" || scheme == "http"
      isEncrypted = scheme == "https"
      isLoopback = Self.isLoopback(host)
      if isHTTP, !Self.isHostAndPort(host) {
        // The text before a slash may be a part of a password.
        throw PublishError(
          .configuration,
          "error: the URL of the git remote is not valid. Percent-encode the characters of its password, or set publish.git.token_env."
        )
      }
      guard let at = authority.lastIndex(of: "@") else { return }
      let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      let user = parts[0]
      let password = parts.count > 1 ? parts[1] : ""
      let isUserSecret = SecretMask.looksLikeToken(user)
      guard !password.isEmpty || isUserSecret else { return }
      // A user name that is not a token may stay, so that ssh and credential helpers know it.
      let isUserKept = !isHTTP && !isUserSecret
      url = "\(text[..<separator.upperBound])\(isUserKept ? user + "@" : "")\(host)\(rest)"
      for part in [isUserSecret ? user : "", password] where !part.isEmpty {
        secrets += [Secret(part), Secret(part.removingPercentEncoding ?? part)]
      }
      if isHTTP {
        credentials = [user, password].map { $0.removingPercentEncoding ?? $0 }.joined(separator: ":")
      }
    }

    private static func isHostAndPort(_ text: Substring) -> Bool {
      guard !text.hasSuffix("]"), let colon = text.lastIndex(of: ":") else { return !text.isEmpty }
      return text[text.index(after: colon)...].utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether the host is this machine, by its address or its usual name. Other names could lead elsewhere.
    private static func isLoopback(_ host: Substring) -> Bool {
      if host.hasPrefix("[::1]") { return true }
      let name = host.prefix { $0 != ":" }.lowercased()
      return name == "localhost"
        || name.hasPrefix("127.") && name.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    }
  }
}

/// All settings of git for a repository.
struct GitSettings: Sendable {
  private let entries: [(scope: String, key: String, value: String)]

  /// - Parameter output: the output of `git config --list --show-scope -z`.
  init(_ output: [UInt8]) {
    let fields = output.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    entries = stride(from: 0, to: fields.count - 1, by: 2).map { index in
      let pair = fields[index + 1].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return (fields[index], String(pair[0]), pair.count > 1 ? String(pair[1]) : "true")
    }
  }

  /// The connection settings of the owner's repository: proxies, keys, and credentials that a CI system stored.
  var ofConnections: [(key: String, value: String)] {
    entries.filter { entry in
      ["local", "worktree"].contains(entry.scope)
        && (["http.", "credential.", "url."].contains { entry.key.hasPrefix($0) }
          || ["core.sshcommand", "core.askpass", "ssh.variant"].contains(entry.key))
    }.map { ($0.key, $0.value) }
  }

  /// Whether git sends headers that may contain credentials.
  var hasHeaders: Bool { entries.contains { $0.key.hasPrefix("http.") && $0.key.hasSuffix("extraheader") } }

  var rewritesURLs: Bool { entries.contains { $0.key.hasPrefix("url.") } }

  /// Applies the rules for rewriting the URL of a push (git-config, `url.<base>.insteadOf`).
  func rewritten(_ url: String) -> String {
    for variable in [".pushinsteadof", ".insteadof"] {
      let rules = entries.filter {
        $0.key.hasPrefix("url.") && $0.key.hasSuffix(variable) && !$0.value.isEmpty && url.hasPrefix($0.value)
      }
      guard let rule = rules.max(by: { $0.value.utf8.count < $1.value.utf8.count }) else { continue }
      return "\(rule.key.dropFirst(4).dropLast(variable.count))\(url.dropFirst(rule.value.count))"
    }
    return url
  }

  /// The passwords in URLs and the credentials in headers.
  var secrets: [Secret] {
    var found: [String] = []
    for entry in entries {
      for text in [entry.key, entry.value] { found += Self.passwords(inURLsOf: text) }
      guard entry.key.hasPrefix("http."), entry.key.hasSuffix("extraheader"),
        let word = entry.value.split(whereSeparator: \.isWhitespace).last
      else { continue }
      found.append(String(word))
      // `user:password`, which servers and programs also write in forms other than base64.
      if let pair = Data(base64Encoded: String(word)).map({ String(decoding: $0, as: UTF8.self) }),
        let colon = pair.firstIndex(of: ":")
      {
        found.append(String(pair[pair.index(after: colon)...]))
      }
    }
    return found.map(Secret.init)
  }

  private static func passwords(inURLsOf text: String) -> [String] {
    guard let separator = text.firstRange(of: "://") else { return [] }
    let authority = text[separator.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return [] }
    let parts = authority[..<at].split(separator: ":", maxSplits: 1).map(String.init)
    let secrets = parts.dropFirst() + parts.prefix(1).filter(SecretMask.looksLikeToken)
    return secrets.flatMap { [$0, $0.removingPercentEncoding ?? $0] }
  }
}
