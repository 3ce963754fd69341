package import Foundation

extension SiteConfig {
  /// The settings for X's API. Credentials are never in site.yml itself.
  package struct X: Sendable, Equatable {
    /// The name of the environment variable that contains the bearer token.
    package var tokenEnv = "X_BEARER_TOKEN"
    /// The path of a file that contains the bearer token; read if the variable is not set.
    package var tokenFile: String?
    /// The names of the environment variables that contain the consumer key and its secret, from which X creates a bearer token.
    package var keyEnv = "X_CONSUMER_KEY"
    package var secretEnv = "X_CONSUMER_SECRET"
    /// The paths of files that contain the consumer key and its secret.
    package var keyFile: String?
    package var secretFile: String?
    /// The address of the API; `nil` for X's own. For proxies and test servers.
    package var apiURL: SiteURL?
    /// The highest cost of one run, in US dollars.
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
  /// The settings for Bluesky. Everything that is read there is public, so no credential is needed.
  package struct Bluesky: Sendable, Equatable {
    /// The address of the AppView, which knows all accounts; `nil` for Bluesky's own. For other AppViews and test servers.
    package var apiURL: SiteURL?
    /// The address of the directory of `did:plc:` accounts; `nil` for Bluesky's own. For copies of the directory and test servers.
    package var directoryURL: SiteURL?

    package static let defaults = Bluesky()

    package init() {}
  }

  /// Whether the address of a network's API is a server on this machine.
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
  /// The settings for servers of the Fediverse. Most servers need none, because their public posts can be read without a token.
  package struct Mastodon: Sendable, Equatable {
    package var servers: [Server] = []

    package static let defaults = Mastodon()

    package init() {}

    /// Returns the settings of a server; `nil` if the file has none.
    package func server(named host: String) -> Server? { servers.first { $0.host == host } }
  }
}

extension SiteConfig.Mastodon {
  /// A server that needs a token, or has its API at a different address.
  package struct Server: Sendable, Equatable {
    /// The host in lower case, with its port if it has one; never empty in a decoded file.
    package var host: String
    /// The name of the environment variable that contains a token for this server.
    package var tokenEnv: String?
    /// The path of a file that contains the token; read if the variable is not set.
    package var tokenFile: String?
    /// The address of the API; `nil` for the host itself. For proxies and test servers.
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
  /// The host of a server, with or without a port.
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
