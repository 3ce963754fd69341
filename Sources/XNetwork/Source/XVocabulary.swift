import ThreadModel

extension Platform {
  static let x: Platform = "x"
}

extension SourceKind {
  /// The X API, version 2.
  static let xAPI: SourceKind = "x-api"
  /// The archive that X gives to its users.
  static let xArchive: SourceKind = "x-archive"
}
