package import Foundation

extension SiteConfig {
  /// How X's API is used. The credential itself never stands in site.yml.
  package struct X: Sendable, Equatable {
    /// The name of the environment variable that holds the bearer token.
    package var tokenEnv = "X_BEARER_TOKEN"
    /// The path of a file that holds the bearer token, for where there is no such variable.
    package var tokenFile: String?
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
    ConfigField("max_cost", \.maxCost, .amount),
  ]

  static var mayHoldSecrets: Bool { true }
}
