import HTTPTransport
import NetworkSources
import SiteConfig
import Synchronization

/// The relays of one run: those of site.yml, and those that references to events name. All of them are asked at once.
final class NostrRelays: Sendable {
  /// The maximum number of named relays that are asked for the events of one request.
  private static let mostHints = 3
  /// The maximum number of named relays that are contacted in one run.
  private static let mostHintsPerRun = 30

  private struct State {
    /// Relays that references name, by their URLs.
    var named: [RelayURL: NostrRelay] = [:]
    /// Messages about relays that the user has not received yet, and the relays about which the user has received one.
    var notes: [String] = []
    var noted: Set<RelayURL> = []
    var forged: [RelayURL: Int] = [:]
  }

  /// The relays of site.yml.
  let configured: [NostrRelay]
  let web: WebService
  private let transport: any HTTPTransport
  private let limits: RelayLimits
  private let state = Mutex(State())

  init(_ run: SourceRun, limits: RelayLimits = RelayLimits(), timing: RetryTiming = .live) {
    var options = WebService.Options()
    // NIP-05 forbids redirects.
    options.maximumRedirects = 0
    web = WebService(run, options: options, timing: timing)
    transport = run.transport
    self.limits = limits
    var seen: Set<RelayURL> = []
    configured = run.config.networks[NostrSection.self].relays.filter { seen.insert($0).inserted }.map {
      [web] url in
      NostrRelay(url, reach: .any, transport: run.transport, limits: limits) { web.count(request: $0) }
    }
  }

  // MARK: Requests

  /// The events that relays sent, each once.
  struct Found: Sendable {
    var events: [NostrEvent] = []
    /// The relays that did not answer or did not send all of their events.
    var failed: Set<RelayURL> = []
    /// Whether the relays have further events, which were not requested.
    var isCut = false

    mutating func add(_ other: Found) {
      events = (events + other.events).unique
      failed.formUnion(other.failed)
      isCut = isCut || other.isCut
    }
  }

  /// Requests the events that match one of the filters.
  ///
  /// - Parameter pages: the maximum number of pages per filter and relay.
  /// - Throws: if the run is stopped, or if no relay has answered a request.
  func events(_ filters: [RelayFilter], from relays: [NostrRelay], pages most: Int) async throws(SourceError)
    -> Found
  {
    var found = Found()
    for filter in filters {
      var pages = RelayPages(filter, from: relays)
      var part = Found()
      for _ in 0..<most {
        guard let page = try await pages.next() else { break }
        part.events += page
      }
      part.isCut = !pages.isAtEnd
      part.failed = Set(pages.failures.keys)
      note(pages)
      found.add(part)
    }
    return found
  }

  /// Returns the relays that references name, without those of site.yml: at most three, on public addresses.
  ///
  /// - Parameter hints: URLs from references and events, in order of precedence.
  func named(_ hints: [String]) -> [NostrRelay] {
    let known = Set(configured.map(\.url))
    // Without a relay of the user's on this machine, a relay on this machine is out of reach.
    let allowsLoopback = known.contains(where: \.isLoopback)
    var chosen: [NostrRelay] = []
    var seen = known
    for hint in hints where chosen.count < Self.mostHints {
      guard hint.utf8.count < 300, let url = try? RelayURL(hint),  // events may name anything as a relay
        allowsLoopback || !url.isLoopback, seen.insert(url).inserted, let relay = relay(named: url)
      else { continue }
      chosen.append(relay)
    }
    return chosen
  }

  private func relay(named url: RelayURL) -> NostrRelay? {
    state.withLock { state in
      if let known = state.named[url] { return known }
      guard state.named.count < Self.mostHintsPerRun else { return nil }
      let relay = NostrRelay(url, reach: .publicOnly, transport: transport, limits: limits) { [web] in
        web.count(request: $0)
      }
      state.named[url] = relay
      return relay
    }
  }

  // MARK: Notes

  /// Stores messages about failed relays and forged events for the user.
  func note(_ pages: RelayPages) {
    state.withLock { state in
      let chosen = Set(configured.map(\.url))
      // If no relay answered, the request fails with their errors.
      for (relay, failure) in pages.failures.sorted(by: { $0.key.name < $1.key.name })
      where pages.hasAnswers && chosen.contains(relay) && state.noted.insert(relay).inserted {
        state.notes.append("\(failure.message) Posts that only this relay has may be missing.")
      }
      for (relay, count) in pages.forged { state.forged[relay, default: 0] += count }
    }
  }

  /// Returns the messages that the user has not received yet, each a sentence or two.
  func takeNotes() -> [String] {
    state.withLock { state in
      let forged = state.forged.sorted { $0.key.name < $1.key.name }.map { relay, count in
        "\(relay.name) sent \(count == 1 ? "1 forged event" : "\(count) forged events"), with a wrong id or a wrong signature. "
          + "Forged events are never kept."
      }
      defer { (state.notes, state.forged) = ([], [:]) }
      return state.notes + forged
    }
  }
}

extension Sequence<NostrEvent> {
  /// The events in order, each once.
  var unique: [NostrEvent] {
    var seen: Set<NostrEvent> = []
    return filter { seen.insert($0).inserted }
  }
}
