import ThreadModel

extension Platform {
  static let mastodon: Platform = "mastodon"
}

extension SourceKind {
  /// The API of Mastodon and compatible servers.
  static let mastodonAPI: SourceKind = "mastodon-api"
  /// A post as its server sends it to other servers, by ActivityPub.
  static let activityPub: SourceKind = "activitypub"
  /// The archive that Mastodon gives to its users.
  static let mastodonArchive: SourceKind = "mastodon-archive"
}
