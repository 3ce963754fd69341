extension SiteConfig {
  /// How servers of the Fediverse are asked. Most need nothing: what is public there, anybody may read.
  package struct Mastodon: Sendable, Equatable {
    package var servers: [Server] = []

    package static let defaults = Mastodon()

    package init() {}

    /// What is said of a server; `nil` where nothing is.
    package func server(named host: String) -> Server? { servers.first { $0.host == host } }
  }
}

extension SiteConfig.Mastodon {
  /// A server that wants a token, or is asked somewhere else.
  package struct Server: Sendable, Equatable {
    /// In lower case, with its port where it has one; never empty in a decoded file.
    package var host: String
    /// The name of the environment variable that holds a token of this server's.
    package var tokenEnv: String?
    /// The path of a file that holds it, for where there is no such variable.
    package var tokenFile: String?
    /// Where the API is; `nil` for the host itself. For proxies and stand-ins.
    package var apiURL: SiteURL?

    package init(host: String) { self.host = host }
  }
}

extension SiteConfig.Mastodon: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Mastodon>] = [
    ConfigField("servers", \.servers, .list(of: ValueReader<SiteConfig.Mastodon.Server>.section))
  ]

  static var mayHoldSecrets: Bool { true }
}

extension SiteConfig.Mastodon.Server: ConfigSection {
  static let defaults = SiteConfig.Mastodon.Server(host: "")

  static let fields: [ConfigField<SiteConfig.Mastodon.Server>] = [
    ConfigField("host", \.host, .host, isRequired: true),
    ConfigField("token_env", \.tokenEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("token_file", \.tokenFile, ValueReader.secretFile.hidingText),
    ConfigField("api_url", \.apiURL, .apiURL),
  ]

  static var mayHoldSecrets: Bool { true }
}

extension ValueReader where Value == String {
  /// The name of a server.
  fileprivate static var host: ValueReader {
    .text("a server's name such as social.example") { text throws(InvalidValue) in
      let host = text.lowercased()
      let url = try SiteURL("https://" + host)
      guard url.authority == host, url.path == "/" else {
        throw InvalidValue("expected a server's name such as social.example, found \(quoted(text))")
      }
      return host
    }
  }
}
