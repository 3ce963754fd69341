package import ThreadModel

/// Finds threads on X, at the least cost: what is known is not asked for again, what came along is used, and ids are
/// looked up a hundred at a time.
package struct XThreads: Sendable {
  let endpoints: any XEndpoints
  /// The time of the run: how old a post is, and what a fetch is dated where an answer has no date of its own.
  let now: Timestamp
  /// Whether it is known that the account may not search the full archive.
  let lacksFullSearch: Bool

  package init(_ endpoints: any XEndpoints, now: Timestamp, lacksFullSearch: Bool = false) {
    self.endpoints = endpoints
    self.now = now
    self.lacksFullSearch = lacksFullSearch
  }

  /// A new run, which asks for nothing yet.
  var run: XRun { XRun(endpoints, now: now, lacksFullSearch: lacksFullSearch) }
}
