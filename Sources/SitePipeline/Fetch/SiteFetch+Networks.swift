import Files
import HTTPTransport
import MediaMirror
import NetworkSources
import SiteConfig
import ThreadModel
import ThreadStore

extension SiteFetch {
  /// Asks every network for everything that is to be asked of it, one network after the other.
  func askNetworks(
    _ work: FetchWork, keeper: StoreKeeper, mirror: MediaMirror?, tally: FetchTally
  ) async {
    for network in site.networks.fetchable where !tally.isStopped {
      let part = work.part(of: network.platform)
      guard part.asksNetworks else { continue }
      await ask(network, part, keeper: keeper, mirror: mirror, tally: tally)
    }
  }

  /// Threads and collections, several at once, then what was last looked at too long ago.
  private func ask(
    _ network: any NetworkSource, _ work: FetchWork, keeper: StoreKeeper, mirror: MediaMirror?,
    tally: FetchTally
  ) async {
    let client: any SourceClient
    do {
      client = try network.client(for: sourceRun())
    } catch {
      if error.isMissingCredential, !work.open.isEmpty {
        progress(
          .warning(
            "\(work.open.count) \(work.open.count == 1 ? "thread" : "threads") of the store may lack posts that an earlier run did not"
              + " get to; without a token they stay as they are"))
      }
      return tally.fail(
        PipelineError(error), stops: true, only: error.stopsAll ? nil : network.platform)
    }
    let fetch = NetworkFetch(
      site: site, platform: network.platform, client: client, keeper: keeper, mirror: mirror, tally: tally,
      conversations: work.conversations, now: services.now(), progress: progress)
    let counter = ProgressCounter("Fetching", total: work.tasks.count + work.open.count, progress)
    // What the site lacks comes first, then what is gone from the network, and last what may have grown.
    let threads = work.tasks.compactMap { task in
      task.post.map { NetworkFetch.ThreadTask(task: task, file: work.known[$0]) }
    }
    // A thread from an export whose beginning nobody knew is found like a new one.
    let isNew = threads.map { $0.file.map(fetch.hasGuessedID) ?? true }
    await fetch.fetch(zip(threads, isNew).filter(\.1).map(\.0), counter)
    await concurrently(work.tasks.filter { $0.post == nil }, atMost: 4) { task in
      guard !tally.isStopped(network.platform) else { return }
      await fetch.carryOut(task)
      counter.advance()
    }
    if !tally.isStopped(network.platform) { await fetch.lookAgain(at: work.due) }
    let known =
      zip(threads, isNew).filter { !$1 }.map(\.0)
      + work.open.map { NetworkFetch.ThreadTask(task: nil, file: $0) }
    await fetch.fetch(known, counter)
    if site.config.fetch.followers > 0, !tally.isStopped(network.platform) { await fetch.fetchProfiles() }
    tally.change { $0.usage[network.platform] = client.usage }
  }

  /// What networks need of this run.
  func sourceRun() -> SourceRun {
    SourceRun(
      config: site.config, environment: services.environment, transport: services.api,
      workFolder: workFolder, absolutePath: { [site] in site.absolute($0) },
      maximumCost: options.maximumCost ?? site.config.x.maxCost, now: services.now,
      warn: { [progress] in progress(.warning($0)) },
      announce: { [progress] reason, left in progress(.waiting(reason, secondsLeft: left)) },
      report: { [progress] usage in progress(.spent(usage)) })
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
