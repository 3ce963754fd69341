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
