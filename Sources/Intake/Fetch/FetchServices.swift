package import HTTPTransport
import MediaMirror
package import NetworkSources
package import SiteWorkspace
package import ThreadModel
import ThreadStore

/// The external services for fetching, passed in so that tests can replace them.
package struct FetchServices: Sendable {
  /// The environment variables, including the credentials.
  package var environment: [String: String]
  /// The transport for the network's API.
  package var api: any HTTPTransport
  /// The transport for media, whose URLs are chosen by the network. It is separate, so that no credential can be sent.
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

/// The result of a fetch.
package struct FetchSummary: Sendable, ThreadCounts {
  package var added = 0
  package var updated = 0
  package var unchanged = 0
  /// Threads that were removed from the store earlier and were not restored.
  package var stayRemoved = 0
  /// Threads with posts that are missing or may be missing.
  package var incomplete = 0
  /// Posts that are gone from their network and were removed or marked.
  package var postsGone = 0
  package var mediaFetched = 0
  /// Media that could not be copied, each with the reason.
  package var mediaFailures: [String] = []
  /// The requests to each network, and their approximate cost.
  package var usage: [Platform: SourceUsage] = [:]
  /// Complete messages about failures. Everything fetched before a failure is in the store.
  package var failures: [PipelineError] = []
  /// The webmentions of the inbox; `nil` if the inbox was not read.
  package var webmentions: Webmentions?
  /// The reason why the inbox of webmentions could not be read. The stored webmentions are then unchanged.
  package var inboxFailure: PipelineError?
  package let store: String

  /// The stored webmentions after the inbox was read.
  package struct Webmentions: Sendable {
    package var count: Int
    package var added: Int
    /// Whether the stored file was written.
    package var isChanged: Bool
  }

  package var requestCount: Int { usage.values.reduce(0) { $0 + $1.requestCount } }
  package var conversations: Int { added + updated + unchanged }
  /// Whether there was nothing to do.
  package var isEmpty: Bool {
    conversations == 0 && stayRemoved == 0 && requestCount == 0 && mediaFetched == 0 && mediaFailures.isEmpty
      && failures.isEmpty && inboxFailure == nil && webmentions?.isChanged != true
  }

  init(store: String) { self.store = store }
}
