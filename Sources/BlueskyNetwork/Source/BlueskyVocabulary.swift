import ThreadModel

extension Platform {
  static let bluesky: Platform = "bluesky"
}

extension SourceKind {
  /// Responses of the AppView and of the accounts' own servers.
  static let blueskyAPI: SourceKind = "bluesky-api"
  /// The repository of an account.
  static let blueskyExport: SourceKind = "bluesky-export"
}
