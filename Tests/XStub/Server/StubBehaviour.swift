package import Foundation

/// How the stub acts, beside what exists in its world. It can be changed while the stub runs.
package struct StubBehaviour: Sendable {
  /// The one dialect that it understands.
  package var dialect: StubDialect
  /// The stub's clock: 7 days, 30 days, open polls, windows of rate limits. `nil` is the machine's.
  package var fixedNow: Date?

  package var bearerToken = "stub-bearer-token-AAAA%2FBBBB%3DCCCC"
  package var consumerKey = "stubConsumerKey"
  /// With letters that have to be encoded before they are joined with the key.
  package var consumerSecret = "stub secret/with+signs&more%3A:"
  /// What `/oauth2/token` says that it gives.
  package var tokenType = "bearer"

  /// Whether the app may search the full archive; without it, 403 `client-forbidden`.
  package var allowsSearchAll = true
  /// Whether a second full-archive search within a second is refused.
  package var pacesSearchAll = false
  /// Answers as gzip to those who accept it.
  package var compresses = true
  /// The longest page, where the stub is to have more pages than asked for.
  package var pageSize: Int?
  /// How many posts back a timeline goes.
  package var timelineDepth = 3200

  package init(dialect: StubDialect = .v166) { self.dialect = dialect }

  var now: Date { fixedNow ?? Date() }
}
