extension SiteConfig {
  /// The owner's programs that run before and after each build. Themes cannot name programs.
  package struct Hooks: Sendable, Equatable {
    /// A program and its arguments, without a shell; `nil` for none.
    package var beforeBuild: [String]?
    package var afterBuild: [String]?
  }
}

extension SiteConfig.Hooks: ConfigSection {
  package static let defaults = SiteConfig.Hooks()

  package static let fields: [ConfigField<SiteConfig.Hooks>] = [
    ConfigField("before_build", \.beforeBuild, .commandWords),
    ConfigField("after_build", \.afterBuild, .commandWords),
  ]
}
