package import Foundation
package import SiteConfig

/// The section `x` of site.yml: the settings for X's API. Credentials are never in site.yml itself.
package struct XSection: NetworkSection {
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
  /// The URL of the API; `nil` for X's own. For proxies and test servers.
  package var apiURL: SiteURL?
  /// The highest cost of one run, in US dollars.
  package var maxCost = Decimal(5)

  package static let key = "x"
  package static let defaults = XSection()
  package static let mayHoldSecrets = true
  package static let fields: [ConfigField<XSection>] = [
    ConfigField("token_env", \.tokenEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("token_file", \.tokenFile, ValueReader.secretFile.hidingText),
    ConfigField("key_env", \.keyEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("key_file", \.keyFile, ValueReader.secretFile.hidingText),
    ConfigField("secret_env", \.secretEnv, ValueReader.environmentVariable.hidingText),
    ConfigField("secret_file", \.secretFile, ValueReader.secretFile.hidingText),
    ConfigField("api_url", \.apiURL, .apiURL),
    ConfigField("max_cost", \.maxCost, .amount),
  ]

  package var credentialVariables: [String] { [tokenEnv, keyEnv, secretEnv] }
  package var credentialFiles: [String] { [tokenFile, keyFile, secretFile].compactMap(\.self) }
  package var apiURLs: [SiteURL] { [apiURL].compactMap(\.self) }
  package var maximumCost: Decimal? { maxCost }
}
