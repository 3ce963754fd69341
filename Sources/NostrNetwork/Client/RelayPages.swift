import Basics
import NetworkSources

/// Requests all events that match a filter from several relays at once, page by page and backwards in time. Each relay decides how many
/// events a page has.
struct RelayPages {
  /// No relay is known to send fewer events than this if it has more.
  private static let smallestPage = 10

  private let relays: [NostrRelay]
  private let filter: RelayFilter
  /// The last second of the next page of each relay that may have further events; `nil` for the newest events.
  private var open: [Int: Int64?]
  /// Whether any relay has answered.
  private(set) var hasAnswers = false
  /// The reasons why relays did not send all events, by relay.
  private(set) var failures: [RelayURL: SourceError] = [:]
  /// The numbers of events with a wrong id or signature, by relay.
  private(set) var forged: [RelayURL: Int] = [:]

  init(_ filter: RelayFilter, from relays: [NostrRelay]) {
    self.filter = filter
    self.relays = relays
    open = Dictionary(uniqueKeysWithValues: relays.indices.map { ($0, filter.until) })
  }

  /// The second after which all relays have sent their events; `nil` if no event was requested yet or no page is left.
  var position: Int64? { open.values.compactMap(\.self).max() }

  var isAtEnd: Bool { open.isEmpty }

  /// Returns the next page of each relay, with duplicates; `nil` after the last page.
  ///
  /// - Throws: if the run is stopped, or if no relay has answered.
  mutating func next() async throws(SourceError) -> [NostrEvent]? {
    guard !open.isEmpty else { return nil }
    let requests = open.map { index, until in
      var filter = filter
      filter.until = until
      return (index: index, relay: relays[index], filter: filter)
    }
    var answers: [Int: RelayAnswer] = [:]
    await BoundedTasks.run(requests, atMost: requests.count) { request in
      (request.index, await request.relay.events(request.filter))
    } done: { index, answer in
      answers[index] = answer
      return true
    }
    guard !Task.isCancelled, !answers.values.contains(where: { $0.failure?.kind == .interrupted }) else {
      throw .stopped
    }
    for (index, answer) in answers { take(answer, of: index) }
    guard hasAnswers else { throw noAnswer }
    return answers.sorted { $0.key < $1.key }.flatMap(\.value.events)
  }

  private mutating func take(_ answer: RelayAnswer, of index: Int) {
    let relay = relays[index].url
    if answer.forged > 0 { forged[relay, default: 0] += answer.forged }
    if let failure = answer.failure {
      failures[relay] = failure
      open[index] = nil
      return
    }
    hasAnswers = true
    let oldest = answer.events.lazy.map(\.createdAt).min()
    guard let oldest, answer.events.count >= Self.smallestPage, answer.events.count != filter.ids?.count,
      oldest > filter.since ?? 0
    else {
      open[index] = nil
      return
    }
    // Further events may have the same time as the oldest one. A page on which all events have the same time is not requested again.
    let isSameSecond = open[index] == .some(.some(oldest))
    open[index] = .some(isSameSecond ? oldest - 1 : oldest)
  }

  private var noAnswer: SourceError {
    let failures = failures.sorted { $0.key.name < $1.key.name }.map(\.value)
    if failures.count == 1, let only = failures.first { return only }
    let kinds = Set(failures.map(\.kind))
    return SourceError(
      kinds.count == 1 ? failures[0].kind : .network,
      "None of the relays answered. " + failures.map(\.message).joined(separator: " "))
  }
}
