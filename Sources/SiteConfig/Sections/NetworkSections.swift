package import Foundation

extension SiteConfig {
  /// How X's API is used. The credential itself never stands in site.yml.
  package struct X: Sendable, Equatable {
    /// The name of the environment variable that holds the bearer token.
    package var tokenEnv = "X_BEARER_TOKEN"
    /// The path of a file that holds the bearer token, for where there is no such variable.
    package var tokenFile: String?
    /// The names of the environment variables that hold the consumer key and its secret, from which X makes a bearer token.
    package var keyEnv = "X_CONSUMER_KEY"
    package var secretEnv = "X_CONSUMER_SECRET"
    /// The paths of files that hold them.
    package var keyFile: String?
    package var secretFile: String?
    /// Where the API is; `nil` for X's own. For proxies and stand-ins.
    package var apiURL: SiteURL?
    /// The most that one run may cost, in US dollars.
    package var maxCost = Decimal(5)

    package static let defaults = X()

    package init() {}
  }
}

extension SiteConfig.X: ConfigSection {
  static let fields: [ConfigField<SiteConfig.X>] = [
    ConfigField("token_env", \.tokenEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("token_file", \.tokenFile, ValueReader.secretFile.hidingText),
    ConfigField("key_env", \.keyEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("key_file", \.keyFile, ValueReader.secretFile.hidingText),
    ConfigField("secret_env", \.secretEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("secret_file", \.secretFile, ValueReader.secretFile.hidingText),
    ConfigField("api_url", \.apiURL, .apiURL),
    ConfigField("max_cost", \.maxCost, .amount),
  ]

  static var mayHoldSecrets: Bool { true }
}

extension SiteConfig {
  /// How Bluesky is asked. Everything that is read there is open to all, so there is no credential.
  package struct Bluesky: Sendable, Equatable {
    /// Where the AppView is, which knows all accounts; `nil` for Bluesky's own. For another one, and for stand-ins.
    package var apiURL: SiteURL?
    /// Where accounts of `did:plc:` are looked up; `nil` for the directory that Bluesky runs. For a copy of it, and for stand-ins.
    package var directoryURL: SiteURL?

    package static let defaults = Bluesky()

    package init() {}
  }

  /// Whether a network is played by a server on this machine.
  package var asksThisMachine: Bool {
    ([x.apiURL, bluesky.apiURL, bluesky.directoryURL] + mastodon.servers.map(\.apiURL)).contains {
      $0?.isLoopback == true
    }
  }
}

extension SiteConfig.Bluesky: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Bluesky>] = [
    ConfigField("api_url", \.apiURL, .openAPIURL),
    ConfigField("directory_url", \.directoryURL, .openAPIURL),
  ]
}

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
