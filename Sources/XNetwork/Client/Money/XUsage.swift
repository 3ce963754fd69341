package import Foundation

/// What a run has asked and read so far, for a summary.
package struct XUsage: Sendable, Hashable {
  /// Requests that X answered or should have, by endpoint; one asked again in the other dialect counts twice.
  package var requests: [XEndpoint: Int] = [:]
  /// Posts and users that X counts: each once a UTC day.
  package var posts = 0
  package var users = 0
  /// In US dollars, by X's published prices.
  package var cost = Decimal(0)
  /// Pages that an interrupted run had kept, and that cost nothing.
  package var pagesFromJournal = 0
  /// Pauses that X's limits made necessary.
  package var waits = 0
  package var secondsWaited = 0.0

  package init() {}

  package var requestCount: Int { requests.values.reduce(0, +) }
}
