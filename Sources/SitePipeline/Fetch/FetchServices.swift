package import HTTPTransport
package import ThreadModel

/// What fetching needs of the world outside: handed in, so that tests have a world of their own.
package struct FetchServices: Sendable {
  /// The environment variables, among them the credentials.
  package var environment: [String: String]
  /// For the network's API.
  package var api: any HTTPTransport
  /// For media, which come from wherever the network says: of its own, so that no credential is ever near it.
  package var media: any HTTPTransport
  package var now: @Sendable () -> Timestamp

  package init(
    environment: [String: String], api: any HTTPTransport, media: any HTTPTransport,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.environment = environment
    self.api = api
    self.media = media
    self.now = now
  }
}
