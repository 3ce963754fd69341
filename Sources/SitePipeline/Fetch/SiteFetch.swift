import Files
import MediaMirror
import NetworkSources
import SiteConfig
import ThreadModel
import ThreadStore

/// `threadsite fetch` and `threadsite add`, and what `threadsite build` does first: threads come from their network into the store.
///
/// Whatever arrives is saved at once, thread by thread, so that a fetch which is stopped, runs out of money or fails in
/// the middle has lost nothing; the next one goes on from there.
package struct SiteFetch: Sendable {
  let site: SiteFolder
  let options: FetchOptions
  let services: FetchServices
  let jobs: Int
  let progress: ProgressHandler

  package init(
    _ site: SiteFolder, options: FetchOptions, services: FetchServices, jobs: Int,
    progress: @escaping ProgressHandler
  ) {
    self.site = site
    self.options = options
    self.services = services
    self.jobs = jobs
    self.progress = progress
  }

  /// Where pages that arrived are kept until they are saved, and what was learned of the network's answers.
  var workFolder: String { site.path + "/.threadsite" }

  /// Fetches what there is to fetch.
  ///
  /// - Returns: what was done; failures that stopped single threads are in it.
  package func run() async throws(PipelineError) -> FetchSummary {
    let store = site.threadStore
    let tally = FetchTally(store: site.store, ledger: try SourceLedger.load(store: site.store))
    let work = try survey(store, ledger: tally.ledger)
    guard !work.isEmpty else {
      // What a killed fetch left goes, even if it had saved everything.
      if !options.isForBuilding, FileSystem.kind(of: store.folder) == .folder { _ = try store.beginWriting() }
      return tally.summary
    }
    let locks = [try takeLock(), try store.beginWriting()]
    defer {
      noteLeftOut(site.leftOut, progress)
      withExtendedLifetime(locks) {}
    }
    let keeper = try StoreKeeper(store, site.networks)
    if !options.isForBuilding { refuseOtherNetworks(work.tasks, tally: tally) }
    try importArchives(work.tasks, tally: tally)
    let mirror = try makeMirror(store)
    await askNetworks(work, keeper: keeper, mirror: mirror, tally: tally)
    if let mirror {
      await copyMedia(of: work.lackingMedia, with: mirror, keeper: keeper, store: store, tally: tally)
    }
    try removeReleasedMedia(tally, mirror: mirror, store: store)
    if tally.ledger != work.ledger { try tally.ledger.save(store: site.store) }
    return tally.summary
  }

  /// Says which of the threads asked for are on a network that this version does not fetch from. A build says the same of those that
  /// the store lacks.
  private func refuseOtherNetworks(_ tasks: [FetchTask], tally: FetchTally) {
    for task in tasks {
      guard let platform = task.platform, site.networks[platform]?.isFetchable != true else { continue }
      let names = site.networks.fetchable.map(\.name).joined(separator: ", ")
      let text =
        "threads on \(platform.displayName) cannot be fetched by this version, only those on \(names)"
      let message =
        task.entry.flatMap { entry in
          site.decoded?.problem(at: "sources[\(entry)]", text, severity: .error).description
        } ?? "\(task.name): error: \(text)"
      tally.fail(PipelineError(.content, [message]), stops: false)
    }
  }

  private func takeLock() throws(PipelineError) -> FolderLock {
    do {
      if let lock = try FolderLock.take(workFolder) {
        AtomicFile.removeAbandoned(in: workFolder)
        return lock
      }
    } catch {
      throw PipelineError(.io, error)
    }
    throw PipelineError(
      .io, ["\(workFolder): error: another threadsite is fetching for this site; wait until it is done"])
  }
}
