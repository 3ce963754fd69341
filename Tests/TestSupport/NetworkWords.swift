package import ThreadModel

/// The words of the networks, for tests of the targets that do not know them.
extension Platform {
  package static let x: Platform = "x"
  package static let bluesky: Platform = "bluesky"
  package static let mastodon: Platform = "mastodon"
  package static let threads: Platform = "threads"
}

extension SourceKind {
  package static let xAPI: SourceKind = "x-api"
  package static let xArchive: SourceKind = "x-archive"
  package static let mastodonAPI: SourceKind = "mastodon-api"
  package static let activityPub: SourceKind = "activitypub"
  package static let mastodonArchive: SourceKind = "mastodon-archive"
}
