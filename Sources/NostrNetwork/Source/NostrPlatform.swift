package import ThreadModel

extension Platform {
  package static let nostr: Platform = "nostr"
}

extension SourceKind {
  /// Events that relays of Nostr sent.
  package static let nostrRelay: SourceKind = "nostr-relay"
  /// Events of a saved file.
  package static let nostrEvents: SourceKind = "nostr-events"
}
