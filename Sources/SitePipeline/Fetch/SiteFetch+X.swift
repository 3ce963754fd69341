import Files
import HTTPTransport
import MediaMirror
import SiteConfig
import ThreadModel
import ThreadStore
import XNetwork

extension SiteFetch {
  /// Asks X for everything that is to be asked of it: threads and collections, several at once, then what was last looked at too
  /// long ago.
  func askX(
    _ work: FetchWork, keeper: StoreKeeper, mirror: MediaMirror?, tally: FetchTally
  ) async throws(PipelineError) {
    let client: XClient
    do {
      client = try makeClient()
    } catch {
      if error.kind == .noCredential, !work.open.isEmpty {
        progress(
          .warning(
            "\(work.open.count) \(work.open.count == 1 ? "thread" : "threads") of the store may lack posts that an earlier run did not"
              + " get to; without a token they stay as they are"))
      }
      return tally.fail(PipelineError(error), stops: true)
    }
    let job = XJob(
      site: site, client: client, keeper: keeper, mirror: mirror, tally: tally,
      conversations: work.conversations, now: services.now(), progress: progress)
    let tasks = work.tasks.filter { $0.platform == .x }
    let counter = ProgressCounter("Fetching", total: tasks.count + work.open.count, progress)
    // What the site lacks comes first, then what is gone from X, and last what may have grown.
    let threads = tasks.compactMap { task in
      task.post.map { XJob.ThreadTask(task: task, file: work.known[$0]) }
    }
    // A thread from an archive whose beginning nobody knew is found like a new one.
    let isNew = threads.map { $0.file.map(job.hasGuessedID) ?? true }
    await job.fetch(zip(threads, isNew).filter(\.1).map(\.0), counter)
    await concurrently(tasks.filter { $0.post == nil }, atMost: 4) { task in
      guard !tally.isStopped else { return }
      await job.carryOut(task)
      counter.advance()
    }
    if !tally.isStopped { await job.lookAgain(at: work.due) }
    let known =
      zip(threads, isNew).filter { !$1 }.map(\.0) + work.open.map { XJob.ThreadTask(task: nil, file: $0) }
    await job.fetch(known, counter)
    if site.config.fetch.followers > 0, !tally.isStopped { await job.fetchProfiles() }
    tally.change { $0.usage = client.usage }
  }

  private func makeClient() throws(XClientError) -> XClient {
    let x = site.config.x
    func place(_ variable: String, _ file: String?) -> XCredentialSource.Place {
      XCredentialSource.Place(variable: variable, file: file.map { site.absolute($0) })
    }
    let source = XCredentialSource(
      token: place(x.tokenEnv, x.tokenFile), key: place(x.keyEnv, x.keyFile),
      secret: place(x.secretEnv, x.secretFile))
    let (credential, warnings) = try source.read(environment: services.environment)
    for warning in warnings { progress(.warning(warning)) }
    var clientOptions = XClient.Options()
    if let url = x.apiURL { clientOptions.baseURL = String(url.description.dropLast()) }
    clientOptions.maximumCost = options.maximumCost ?? x.maxCost
    clientOptions.journalFolder = workFolder + "/x"
    clientOptions.memoryFile = xMemoryFile
    clientOptions.warn = { [progress] in progress(.warning($0)) }
    do {
      return try XClient(credential, transport: services.api, options: clientOptions, clock: clock)
    } catch {
      throw XClientError(.file, error.description)
    }
  }

  /// The clock of the run; its long pauses count down.
  private var clock: XClock {
    XClock(
      now: services.now, sleep: { try await Task.sleep(for: .seconds($0)) },
      announce: { [progress] reason, left in progress(.waiting(reason, secondsLeft: left)) })
  }

  /// Runs `body` for every element, a few at a time.
  private func concurrently<Element: Sendable>(
    _ elements: [Element], atMost limit: Int, _ body: @escaping @Sendable (Element) async -> Void
  ) async {
    await withTaskGroup { group in
      var rest = elements.makeIterator()
      for _ in 0..<limit {
        guard let element = rest.next() else { break }
        group.addTask { await body(element) }
      }
      while await group.next() != nil {
        guard !Task.isCancelled, let element = rest.next() else { continue }
        group.addTask { await body(element) }
      }
    }
  }
}
