/// The running, waiting and finished transfers. Each URL is fetched once, and only a limited number at a time.
actor MediaTransfers {
  typealias Outcome = Result<StoredMedia, MediaFetchError>

  private enum Entry {
    /// The transfer is running. The continuations belong to callers that wait for its outcome.
    case running([CheckedContinuation<Void, Never>])
    case done(Outcome)
  }

  private var entries: [String: Entry] = [:]
  private var free: Int
  private var queue: [CheckedContinuation<Void, Never>] = []
  private var queueStart = 0
  private var sourceLog: MediaSourceLog
  private var progress = MediaProgress()
  private let report: @Sendable (MediaProgress) -> Void

  init(atOnce: Int, sourceLog: consuming MediaSourceLog, report: @escaping @Sendable (MediaProgress) -> Void)
  {
    free = max(1, atOnce)
    self.sourceLog = sourceLog
    self.report = report
  }

  /// Returns the outcome for a URL. `fetch` is called if the outcome is not yet known.
  ///
  /// - Parameters:
  ///   - known: checks a file that the log names.
  ///   - fetch: downloads the file and returns its path; it counts as a transfer.
  ///   - keep: moves the downloaded file into the store, while the next transfer may run.
  /// - Returns: the outcome, and whether this call fetched the file from the network.
  func outcome(
    of url: String, known: @Sendable (String) -> StoredMedia?,
    fetch: @Sendable () async -> Result<String, MediaFetchError>,
    keep: @Sendable (_ path: String) async -> Outcome
  ) async -> (outcome: Outcome, isFetched: Bool) {
    while true {
      switch entries[url] {
      case .done(let outcome): return (outcome, false)
      case .running(let others):
        await withCheckedContinuation { entries[url] = .running(others + [$0]) }
      case nil:
        if let name = sourceLog.name(for: url), let stored = known(name) {
          entries[url] = .done(.success(stored))
          return (.success(stored), false)
        }
        entries[url] = .running([])
        let outcome: Outcome =
          switch await withSlot(fetch) {
          case .success(let path): await keep(path)
          case .failure(let miss): .failure(miss)
          }
        settle(url, outcome)
        return (outcome, true)
      }
    }
  }

  /// Records the outcome of a transfer. A canceled transfer has no outcome for the URL, so a waiting caller that is not canceled tries
  /// again.
  private func settle(_ url: String, _ outcome: Outcome) {
    guard case .running(let waiting) = entries[url] else { return }
    if case .failure(let miss) = outcome, miss.isCancelled {
      entries[url] = nil
    } else {
      entries[url] = .done(outcome)
    }
    if case .success(let stored) = outcome { sourceLog.note(stored.name, for: url) }
    for continuation in waiting { continuation.resume() }
  }

  private func withSlot(
    _ fetch: @Sendable () async -> Result<String, MediaFetchError>
  ) async -> Result<String, MediaFetchError> {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { queue.append($0) }
    }
    defer { passSlotOn() }
    return Task.isCancelled ? .failure(.cancelled) : await fetch()
  }

  private func passSlotOn() {
    guard queueStart < queue.count else {
      free += 1
      return
    }
    queue[queueStart].resume()
    queueStart += 1
    if queueStart == queue.count {
      queue.removeAll(keepingCapacity: true)
      queueStart = 0
    }
  }

  func want(_ count: Int) { progress.wanted += count }

  func finish(failed: Bool, bytes: Int) {
    progress.finished += 1
    progress.failed += failed ? 1 : 0
    progress.bytes += bytes
    report(progress)
  }
}

/// The reason why no file could be fetched from a URL.
struct MediaFetchError: Error, Hashable {
  /// A clause without a full stop.
  var reason: String
  /// Whether a later run may succeed.
  var isPassing: Bool
  var isCancelled = false
  /// Whether the store's disk caused the failure.
  var isOfDisk = false

  static let cancelled = MediaFetchError(
    reason: "the run ended before it was fetched", isPassing: true, isCancelled: true)
}
