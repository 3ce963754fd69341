import Files
import HTTPTransport
import MediaMirror
import SiteConfig
import ThreadModel
import ThreadStore
import XClient

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
      return tally.fail(PipelineError(error), stops: true)
    }
    let job = XJob(
      site: site, client: client, keeper: keeper, mirror: mirror, tally: tally,
      conversations: work.conversations, now: services.now(), progress: progress)
    let tasks = work.tasks.filter { $0.platform == .x }
    let counter = ProgressCounter("Fetching", total: tasks.count, progress)
    await concurrently(tasks, atMost: 4) { task in
      guard !tally.isStopped else { return }
      await job.carryOut(task, known: task.post.flatMap { work.known[$0] })
      counter.advance()
    }
    if !tally.isStopped { await job.lookAgain(at: work.due) }
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
