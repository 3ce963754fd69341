package import HTTPTransport
import MediaMirror
package import NetworkSources
package import ThreadModel
import ThreadStore

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

/// What a fetch did.
package struct FetchSummary: Sendable {
  package var added = 0
  package var updated = 0
  package var unchanged = 0
  /// Threads that were removed from the store, and stay so.
  package var stayRemoved = 0
  /// Threads of which posts are, or may be, missing.
  package var incomplete = 0
  /// Posts that were found gone from their network, and removed or marked.
  package var postsGone = 0
  package var mediaFetched = 0
  /// Media that could not be had, each with its reason.
  package var mediaFailures: [String] = []
  /// What was asked of each network, and about what it cost.
  package var usage: [Platform: SourceUsage] = [:]
  /// Why something was not fetched, each a complete message; what was fetched by then is in the store.
  package var failures: [PipelineError] = []
  package let store: String

  package var requestCount: Int { usage.values.reduce(0) { $0 + $1.requestCount } }
  package var conversations: Int { added + updated + unchanged }
  /// Whether there was nothing to do.
  package var isEmpty: Bool {
    conversations == 0 && stayRemoved == 0 && requestCount == 0 && mediaFetched == 0 && mediaFailures.isEmpty
      && failures.isEmpty
  }

  init(store: String) { self.store = store }

  mutating func count(_ outcome: ThreadStore.Outcome) {
    switch outcome {
    case .added: added += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    case .removed: stayRemoved += 1
    // The store counts them, with the posts of others\' threads.
    case .leftOut: break
    }
  }
}
