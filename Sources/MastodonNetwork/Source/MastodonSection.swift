package import SiteConfig

/// The section `mastodon` of site.yml: settings for servers of the Fediverse. Most servers need none, because their public posts can be read without
/// a token.
package struct MastodonSection: NetworkSection {
  package var servers: [Server] = []

  package static let key = "mastodon"
  package static let defaults = MastodonSection()
  package static let mayHoldSecrets = true
  package static let fields: [ConfigField<MastodonSection>] = [
    ConfigField("servers", \.servers, .list(of: ValueReader<Server>.section))
  ]

  /// Returns the settings of a server; `nil` if the file has none.
  func server(named host: String) -> Server? { servers.first { $0.host == host } }

  package var credentialVariables: [String] { servers.compactMap(\.tokenEnv) }
  package var credentialFiles: [String] { servers.compactMap(\.tokenFile) }
  package var apiURLs: [SiteURL] { servers.compactMap(\.apiURL) }

  /// A server that needs a token, or has its API at a different URL.
  package struct Server: ConfigSection, Equatable {
    /// The host in lower case, with its port if it has one; never empty in a decoded file.
    package var host: String
    /// The name of the environment variable that contains a token for this server.
    package var tokenEnv: String?
    /// The path of a file that contains the token; read if the variable is not set.
    package var tokenFile: String?
    /// The URL of the API; `nil` for the host itself. For proxies and test servers.
    package var apiURL: SiteURL?

    package init(host: String) { self.host = host }

    package static let defaults = Server(host: "")
    package static let mayHoldSecrets = true
    package static let fields: [ConfigField<Server>] = [
      ConfigField("host", \.host, .host, isRequired: true),
      ConfigField("token_env", \.tokenEnv, ValueReader.environmentVariable.hidingText),
      ConfigField("token_file", \.tokenFile, ValueReader.secretFile.hidingText),
      ConfigField("api_url", \.apiURL, .apiURL),
    ]
  }
}
