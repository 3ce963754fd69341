package import Foundation

/// The settings of a stub besides its world. They can be changed while the stub runs.
package struct StubBehaviour: Sendable {
  /// The time of the stub's clock, which determines 7 days, 30 days, open polls and windows of rate limits; `nil` for the machine's clock.
  package var fixedNow: Date?

  package var bearerToken = "stub-bearer-token-AAAA%2FBBBB%3DCCCC"
  package var consumerKey = "stubConsumerKey"
  /// The consumer secret, with characters that must be encoded before the secret is joined with the key.
  package var consumerSecret = "stub secret/with+signs&more%3A:"
  /// The token type in responses of `/oauth2/token`.
  package var tokenType = "bearer"

  /// Whether the app may search the full archive; otherwise, the response is 403 `client-forbidden`.
  package var allowsSearchAll = true
  /// Whether a second full-archive search within a second is refused.
  package var pacesSearchAll = false
  /// Whether responses are compressed with gzip for clients that accept it.
  package var compresses = true
  /// The maximum size of a page, to split lists into more pages than requested; `nil` for the requested size.
  package var pageSize: Int?
  /// The number of posts that a timeline reaches back.
  package var timelineDepth = 3200

  package init() {}

  var now: Date { fixedNow ?? Date() }
}
