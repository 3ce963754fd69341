import Foundation
import HTTPTransport
package import NetworkSources
import SiteConfig
import Synchronization
package import ThreadModel

/// Drives the source of one network as a fetch does, against a stub of the network, and keeps the conversations in memory. Tests of a network
/// need neither the program nor a store.
package final class SourceHarness: Sendable {
  /// The result of one run.
  package struct Outcome: Sendable {
    package var failures: [SourceError] = []
    package var notes: [String] = []

    package var hasSucceeded: Bool { failures.isEmpty }
    /// The messages of all failures, one per line.
    package var errors: String { failures.map(\.description).joined(separator: "\n") }
  }

  private struct State {
    var conversations: [Conversation] = []
    /// Progress by account name.
    var progress: [String: AccountProgress] = [:]
  }

  private let source: any NetworkSource
  private let configuration: Mutex<SiteConfig>
  private let environment: [String: String]
  private let workFolder: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - configuration: the text of a site.yml.
  ///   - workFolder: the folder for responses that are not saved yet.
  package init(
    _ source: any NetworkSource, configuration: String, environment: [String: String] = [:],
    workFolder: String = "/nonexistent"
  ) throws {
    self.source = source
    self.environment = environment
    self.workFolder = workFolder
    self.configuration = Mutex(SiteConfig())
    try configure(configuration)
  }

  package func configure(_ text: String) throws {
    let config = try SiteConfig.decode(
      yaml: text, file: "site.yml", addresses: AddressBook([source.addresses])
    ).config
    configuration.withLock { $0 = config }
  }

  /// The conversations of all runs, each merged with its earlier versions.
  package var conversations: [Conversation] { state.withLock { $0.conversations } }

  /// Whether any field of a conversation contains a text.
  package func contains(_ text: String) -> Bool {
    conversations.contains { conversation in
      // Posts share their facts by reference, which is not reflected.
      (conversation.posts + conversation.related).contains { String(reflecting: $0.facts).contains(text) }
        || String(reflecting: conversation.authors).contains(text)
        || String(reflecting: conversation.tombstones).contains(text)
    }
  }

  /// Fetches the thread of one post. A known thread is rechecked first.
  package func add(_ address: String, withReplies: Bool = false) async throws -> Outcome {
    let post = try AddressBook([source.addresses]).post(address)
    return try await run { run in
      let known = run.conversations.filter { conversation in
        conversation.posts.contains { $0.id == post.postID }
      }
      await run.recheck(known)
      let request = ThreadRequest(
        post, postID: post.postID, known: known.first.flatMap { run.stored($0.id, $0.authorID) },
        wantsReplies: withReplies)
      await run.fetch([request])
    }
  }

  /// Fetches the accounts and searches of the configuration.
  package func fetchSources() async throws -> Outcome {
    try await run { await $0.fetchSources() }
  }

  /// Fetches the accounts and searches of the configuration, rechecks all known posts, and searches for new ones.
  package func fetchAll() async throws -> Outcome {
    try await run { run in
      let known = run.conversations
      await run.fetchSources()
      await run.recheck(known)
      await run.fetch(
        known.map { ThreadRequest(nil, postID: $0.id, known: run.stored($0.id, $0.authorID)) })
    }
  }

  /// Fetches the profile of an author.
  package func profile(of author: AuthorID, followers: Int) async throws -> Profile? {
    let profile = Mutex<Profile?>(nil)
    let outcome = try await run { run in
      let fetched = await run.client.session(named: "profile").profile(of: author, followers: followers)
      if let failure = fetched.failure { run.fail(failure) }
      profile.withLock { $0 = fetched.profile }
    }
    if let failure = outcome.failures.first { throw failure }
    return profile.withLock { $0 }
  }

  private func run(_ body: @Sendable (Run) async -> Void) async throws -> Outcome {
    var options = CurlOptions()
    options.allowsLoopback = true
    return try await CurlTransport.withTransport(userAgent: "threadsite", options: options) { transport in
      let outcome = Mutex(Outcome())
      let config = configuration.withLock { $0 }
      let sourceRun = SourceRun(
        config: config, environment: environment, transport: transport, workFolder: workFolder,
        absolutePath: { $0 },
        maximumCost: source.addresses.section.flatMap { config.networks.section(of: $0).maximumCost } ?? 0,
        now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
        warn: { text in outcome.withLock { $0.notes.append(text) } })
      do throws(SourceError) {
        let client = try source.client(for: sourceRun)
        await body(
          Run(
            harness: self, config: config, client: client,
            note: { change in outcome.withLock { change(&$0) } }))
      } catch {
        outcome.withLock { $0.failures.append(error) }
      }
      return outcome.withLock { $0 }
    }
  }

  /// The requests of one run, with one client.
  private struct Run: Sendable {
    let harness: SourceHarness
    let config: SiteConfig
    let client: any SourceClient
    let note: @Sendable ((inout Outcome) -> Void) -> Void

    var conversations: [Conversation] { harness.conversations }

    func stored(_ id: PostID, _ author: AuthorID) -> Conversation? {
      conversations.first { $0.id == id && $0.authorID == author }
    }

    func fail(_ error: SourceError) { note { $0.failures.append(error) } }

    func fetch(_ requests: [ThreadRequest]) async {
      guard !requests.isEmpty else { return }
      let session = client.session(named: "threads")
      let fetched = await session.threads(of: requests) { [self] in stored($0, $1) }
      keep(fetched, of: session, for: requests)
    }

    func fetchSources() async {
      for source in config.sources {
        switch source {
        case .account(let account):
          let name = account.account.name
          let session = client.session(named: "account-\(name)")
          let request = AccountRequest(
            account.account, limits: ThreadLimits(minPosts: account.limits.minPosts ?? 2),
            wantsReplies: account.replies, progress: harness.state.withLock { $0.progress[name] })
          let known = Set(conversations.map(\.id))
          let fetched = await session.threads(by: request) { known.contains($0) }
          keep(fetched, of: session)
          if let progress = fetched.progress {
            harness.state.withLock { $0.progress[name] = AccountProgress(progress.members) }
          }
        case .search(let search):
          let session = client.session(named: "search-\(search.query)")
          let known = Set(conversations.map(\.id))
          let fetched = await session.threads(matching: search.query, limit: search.limit) {
            known.contains($0)
          }
          keep(fetched, of: session)
        case .post, .archive: break
        }
      }
    }

    func recheck(_ known: [Conversation]) async {
      guard !known.isEmpty else { return }
      let session = client.session(named: "again")
      let checked = await session.recheck(known, onDeleted: config.fetch.onDeleted)
      keep(checked, of: session, replacing: true)
    }

    /// Keeps the conversations of a response: merged with the known versions, or in their place.
    private func keep(
      _ fetched: FetchedThreads, of session: any SourceSession, for requests: [ThreadRequest] = [],
      replacing: Bool = false
    ) {
      harness.state.withLock { state in
        for conversation in fetched.conversations {
          // As in a store, parts of one thread that have posts in common are joined.
          var conversation = conversation
          let posts = Set(conversation.posts.map(\.id))
          let place = state.conversations.firstIndex { known in
            known.authorID == conversation.authorID
              && (known.id == conversation.id || known.posts.contains { posts.contains($0.id) })
          }
          if let place { conversation.id = state.conversations[place].id }
          guard let place else {
            state.conversations.append(conversation)
            continue
          }
          state.conversations[place] =
            replacing ? conversation : state.conversations[place].merged(with: conversation)
        }
      }
      // As in a fetch, a known thread that is no longer found is not a failure.
      let refused = fetched.refused.filter {
        !requests.indices.contains($0.key) || requests[$0.key].reference != nil
      }
      let failures = refused.sorted { $0.key < $1.key }.map(\.value) + [fetched.failure].compactMap(\.self)
      note {
        $0.notes += fetched.notes
        $0.failures += failures
      }
      guard fetched.failure == nil else { return }
      do { try session.finish() } catch { fail(error) }
    }
  }
}
