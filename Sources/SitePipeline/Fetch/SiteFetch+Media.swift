import HTTPTransport
import MediaMirror
import NetworkSources
import SiteConfig
import ThreadModel
import ThreadStore

extension SiteFetch {
  /// What copies media; `nil` where site.yml wants no copies.
  func makeMirror(_ store: ThreadStore) throws(PipelineError) -> MediaMirror? {
    guard site.config.media == .mirror else { return nil }
    var mirrorOptions = MediaMirrorOptions()
    mirrorOptions.videos = site.config.fetch.videos
    mirrorOptions.networks = site.networks.networks.map(\.links)
    // A picture that cannot be had now may be had the next time: nobody should wait long for it.
    var policy = RetryPolicy()
    policy.maximumTries = 3
    do {
      return try MediaMirror(
        store: store, transport: RetryingTransport(services.media, policy: policy), options: mirrorOptions)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Copies the media of threads that came without them.
  func copyMedia(
    of files: [StoredFile], with mirror: MediaMirror, keeper: StoreKeeper, store: ThreadStore,
    tally: FetchTally
  ) async {
    let counter = ProgressCounter("Copying media", total: files.count, progress)
    let report = await mirror.mirror(files) { file in
      tally.isStopped ? nil : try? store.read(file)  // what cannot be read was reported by the survey
    } done: { _, conversation, isChanged in
      counter.advance()
      guard isChanged else { return }
      do throws(PipelineError) {
        _ = try await keeper.save(conversation)
        tally.change { $0.updated += 1 }
      } catch {
        tally.fail(error, stops: true)
      }
    }
    tally.add(report)
  }

  /// Deletes the files of posts that were removed, unless something else shows them.
  func removeReleasedMedia(_ tally: FetchTally, mirror: MediaMirror?, store: ThreadStore)
    throws(PipelineError)
  {
    let released = tally.releasedMedia
    guard !released.isEmpty else { return }
    do {
      let vault = try mirror?.vault ?? MediaVault(store: store)
      try vault.remove(released, unlessIn: store.mediaInUse())
    } catch let error as ThreadStoreError {
      throw PipelineError(error)
    } catch {
      throw PipelineError(.io, error)
    }
  }
}

extension FetchTally {
  /// A disk that takes no more is a failure of the whole fetch; a picture that is not to be had is not.
  func add(_ report: MediaReport) {
    if let failure = report.failures.first(where: \.isOfDisk) {
      fail(PipelineError(.io, ["error: \(failure.url) was not copied: \(failure.reason)"]), stops: true)
    }
    change { summary in
      summary.mediaFetched += report.fetched
      summary.mediaFailures += report.failures.map { "\($0.url): \($0.reason)" }
    }
  }
}
