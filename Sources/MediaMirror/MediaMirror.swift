import Basics
package import HTTPTransport
package import ThreadModel
package import ThreadStore

/// Copies photos, sounds, posters, avatars, emoji, pictures of link cards and, if wanted, videos into the store, and writes the names of
/// the copies into conversations and profiles.
///
/// Many conversations may be mirrored at the same time: the number of transfers is limited, and each URL is fetched once. Files that are in
/// the store are not fetched again, nor are those that an interrupted run fetched. A failed file is reported and does not stop the others.
///
/// The smaller copies of a photo are those that its network offers (`PhotoSizes`). Photos are not scaled here: photos should be decoded
/// only by a program that may crash without harm.
package struct MediaMirror: Sendable {
  package let mediaStore: MediaStore
  private let transport: any HTTPTransport
  private let options: MediaMirrorOptions
  private let transfers: MediaTransfers
  private var requests: MediaRequestList { MediaRequestList(videos: options.videos) }

  /// - Parameter progress: called on any thread when a file is finished. The calls do not overlap.
  package init(
    store: ThreadStore, transport: any HTTPTransport, options: MediaMirrorOptions = MediaMirrorOptions(),
    progress: @escaping @Sendable (MediaProgress) -> Void = { _ in }
  ) throws(MediaError) {
    mediaStore = try MediaStore(store: store, limits: options.limits)
    self.transport = transport
    self.options = options
    transfers = MediaTransfers(
      atOnce: options.atOnce,
      sourceLog: MediaSourceLog("\(mediaStore.folder)/\(IncomingFolder.name)/sources"),
      report: progress)
  }

  /// Returns the conversation with the names of all copies. If the task is canceled, the conversation has the copies that were finished before.
  package func mirror(_ conversation: Conversation) async -> (conversation: Conversation, report: MediaReport)
  {
    let (resolved, report) = await resolve(requests.requests(of: conversation))
    var result = conversation
    requests.fill(&result, from: resolved)
    return (result, report)
  }

  /// Returns the profile with the names of the copies of its pictures, including those of its followers.
  package func mirror(_ profile: Profile) async -> (profile: Profile, report: MediaReport) {
    var authors = [profile.author] + profile.followers
    let (resolved, report) = await resolve(requests.requests(of: authors))
    requests.fill(&authors, from: resolved)
    var result = profile
    result.author = authors.removeFirst()
    result.followers = authors
    return (result, report)
  }

  /// Mirrors many conversations, at most `MediaMirrorOptions.atOnce` at the same time, and keeps each in memory only while it is mirrored.
  ///
  /// - Parameters:
  ///   - load: returns the conversation of an item; `nil` if the item must be skipped.
  ///   - done: called once for each conversation with the result, and with whether the result differs from the conversation that `load`
  ///     returned.
  package func mirror<Item: Sendable>(
    _ items: [Item], load: @escaping @Sendable (Item) async -> Conversation?,
    done: @escaping @Sendable (Item, Conversation, _ isChanged: Bool) async -> Void
  ) async -> MediaReport {
    var total = MediaReport()
    await BoundedTasks.run(items, atMost: options.atOnce) { item in
      guard !Task.isCancelled, let conversation = await load(item) else { return MediaReport() }
      let (result, report) = await mirror(conversation)
      await done(item, result, result != conversation)
      return report
    } done: { report in
      total.add(report)
      return true
    }
    return total
  }

  private func resolve(_ requests: [MediaRequest]) async -> ([MediaRequest: ResolvedMedia], MediaReport) {
    let distinct = Set(requests)
    await transfers.want(distinct.count)
    var resolved: [MediaRequest: ResolvedMedia] = [:]
    var report = MediaReport()
    await withTaskGroup(of: (MediaRequest, ResolvedMedia?, MediaReport).self) { group in
      for request in distinct {
        group.addTask {
          let (result, report) = await resolve(request)
          await transfers.finish(failed: result == nil, bytes: report.bytes)
          return (request, result, report)
        }
      }
      for await (request, result, part) in group {
        resolved[request] = result
        report.add(part)
      }
    }
    if report.fetched > 0 { await flush(&report) }
    return (resolved, report)
  }

  private func flush(_ report: inout MediaReport) async {
    let mediaStore = mediaStore
    let failure: MediaFailure? = await FileWork.run {
      do throws(MediaError) {
        try mediaStore.flush()
        return nil
      } catch {
        return MediaFailure(
          url: mediaStore.folder, reason: error.description, isPassing: true, isOfDisk: true)
      }
    }
    if let failure { report.failures.append(failure) }
  }

  /// Resolves one file from the store or the network, with its smaller copies.
  private func resolve(_ request: MediaRequest) async -> (ResolvedMedia?, MediaReport) {
    var report = MediaReport()
    let sized =
      request.isPhoto
      ? request.url.flatMap { url in options.networks.lazy.compactMap { $0.sizes(ofPhoto: url) }.first } : nil
    guard let stored = await main(request, sized, &report) else { return (nil, report) }
    var resolved = ResolvedMedia(stored: stored)
    let kept = keptSizes(request, of: stored)
    resolved.sizes =
      if let kept { kept } else if let sized { await sizes(sized, of: stored, &report) } else { [] }
    return (resolved, report)
  }

  private func main(
    _ request: MediaRequest, _ sized: PhotoSizes?, _ report: inout MediaReport
  ) async -> StoredMedia? {
    if let file = request.file, let stored = mediaStore.stored(file, accepting: request.family) {
      report.reused += 1
      return stored
    }
    guard let url = request.url else { return nil }
    let candidates = (sized?.full ?? []) + [url]
    var miss = MediaFetchError.cancelled
    for candidate in candidates {
      switch await fetch(candidate, request.family, &report) {
      case .success(let stored): return stored
      case .failure(let failure): miss = failure
      }
      if miss.isPassing { break }
    }
    report.failures.append(
      MediaFailure(url: url, reason: miss.reason, isPassing: miss.isPassing, isOfDisk: miss.isOfDisk))
    return nil
  }

  /// Returns the smaller copies that the conversation names if all of them are in the store; `nil` if they must be fetched.
  private func keptSizes(_ request: MediaRequest, of photo: StoredMedia) -> [MediaSize]? {
    guard !request.sizes.isEmpty, request.file == photo.name,
      request.sizes.allSatisfy({ mediaStore.stored($0.file, accepting: .image) != nil })
    else { return nil }
    return request.sizes
  }

  /// Fetches the smaller copies of a photo. A smaller copy that cannot be fetched is not a failure, because the photo itself is in the
  /// store. A GIF has no smaller copies, because they would not be animated.
  private func sizes(
    _ address: PhotoSizes, of photo: StoredMedia, _ report: inout MediaReport
  ) async -> [MediaSize] {
    var sizes: [MediaSize] = []
    guard photo.type != .gif else { return [] }
    for size in address.smaller {
      guard max(photo.shape.width, photo.shape.height) > size.side,
        case .success(let copy) = await fetch(size.url, .image, &report),
        copy.shape.width < photo.shape.width, copy.shape.width > sizes.last?.width ?? 0
      else { continue }
      sizes.append(MediaSize(file: copy.name, width: copy.shape.width, height: copy.shape.height))
    }
    return sizes
  }

  /// Returns the file at a URL, which is transferred at most once in a run.
  private func fetch(
    _ url: String, _ family: MediaType.Family?, _ report: inout MediaReport
  ) async -> MediaTransfers.Outcome {
    let (outcome, isFetched) = await transfers.outcome(
      of: url, known: { mediaStore.stored($0, accepting: family) }, fetch: { await transfer(url, family) },
      keep: { await keep($0, family) })
    guard case .success(let stored) = outcome else { return outcome }
    if let family, stored.type.family != family {
      return .failure(
        MediaFetchError(reason: MediaError.wrongFamily(stored.type).description, isPassing: false))
    }
    report.fetched += isFetched ? 1 : 0
    report.reused += isFetched ? 0 : 1
    report.bytes += isFetched ? stored.bytes : 0
    return outcome
  }

  /// Downloads a file into the incoming folder and returns its path.
  private func transfer(_ url: String, _ family: MediaType.Family?) async -> Result<String, MediaFetchError> {
    let path = mediaStore.incoming.newPath()
    do throws(HTTPError) {
      let response = try await transport.download(options.request(url, for: family), to: path)
      guard response.status == 200 else {
        await remove(path)
        return .failure(MediaFetchError(status: response.status))
      }
    } catch {
      await remove(path)
      return .failure(MediaFetchError(error))
    }
    return .success(path)
  }

  private func keep(_ path: String, _ family: MediaType.Family?) async -> MediaTransfers.Outcome {
    let mediaStore = mediaStore
    return await FileWork.run {
      do throws(MediaError) {
        return .success(try mediaStore.importFile(path, accepting: family))
      } catch {
        return .failure(MediaFetchError(error))
      }
    }
  }

  /// Removes a file; if that fails, the file is removed with the incoming folder.
  private func remove(_ path: String) async {
    await FileWork.run { try? FileSystem.remove(path) }
  }
}

extension MediaFetchError {
  init(status: Int) {
    switch status {
    case 404, 410: self.init(reason: "it is gone (HTTP \(status))", isPassing: false)
    case 401, 403, 451:
      self.init(reason: "the server denies access (HTTP \(status))", isPassing: false)
    case 408, 425, 429, 500...599:
      self.init(reason: "the server is busy or has a problem (HTTP \(status))", isPassing: true)
    default: self.init(reason: "the server answers with HTTP \(status)", isPassing: false)
    }
  }

  init(_ error: HTTPError) {
    let isPassing =
      switch error.kind {
      case .cancelled, .unreachable, .insecure, .timedOut, .cut, .file, .other: true
      case .refusedURL, .tooLarge, .refusedRedirect, .refusedAddress: false
      }
    self.init(
      reason: error.message, isPassing: isPassing, isCancelled: error.kind == .cancelled,
      isOfDisk: error.kind == .file)
  }

  init(_ error: MediaError) {
    switch error {
    case .file, .store: self.init(reason: error.description, isPassing: true, isOfDisk: true)
    default: self.init(reason: error.description, isPassing: false)
    }
  }
}

/// The options of a `MediaMirror`.
package struct MediaMirrorOptions: Sendable {
  /// Whether videos and GIFs are fetched. Their posters are always fetched.
  package var videos = false
  /// The number of transfers, and of conversations, at the same time.
  package var atOnce = 8
  package var limits = MediaLimits()
  /// The addresses to which a host name may resolve. Authors of posts chose the hosts, so only public addresses are allowed by default.
  package var reach = HTTPRequest.Reach.publicOnly
  /// The networks that offer their photos in several sizes.
  package var networks: [any NetworkLinks] = []
  /// The time limit for a picture in seconds. Any other file may take ten times as long.
  package var seconds = 300

  package init() {}

  func request(_ url: String, for family: MediaType.Family?) -> HTTPRequest {
    var request = HTTPRequest(.get, url)
    request.reach = reach
    request.maximumRedirects = 3
    request.limits.maximumBytes = limits.bytes(of: family)
    request.limits.totalSeconds = family == .image ? seconds : seconds * 10
    return request
  }
}

/// The result of mirroring in numbers, and the failures.
package struct MediaReport: Sendable, Hashable {
  /// The number of files that were fetched from the network.
  package var fetched = 0
  /// The number of files that were already in the store or that were fetched for a different post.
  package var reused = 0
  /// The size of the fetched files in bytes.
  package var bytes = 0
  /// The files without a copy, sorted by URL and without duplicates.
  package var failures: [MediaFailure] = []

  package init() {}

  package mutating func add(_ other: MediaReport) {
    fetched += other.fetched
    reused += other.reused
    bytes += other.bytes
    failures = Set(failures + other.failures).sorted()
  }
}

/// A failure to copy a file.
package struct MediaFailure: Error, Sendable, Hashable, Comparable {
  /// The URL in the conversation, or the media folder if the folder could not be flushed.
  package var url: String
  /// A clause without a full stop.
  package var reason: String
  /// Whether a later run may succeed: `true` for a temporary problem of a server, `false` for a file that is gone.
  package var isPassing: Bool
  /// Whether the store's disk caused the failure, so that other files would also fail.
  package var isOfDisk = false

  package static func < (lhs: MediaFailure, rhs: MediaFailure) -> Bool {
    (lhs.url, lhs.reason) < (rhs.url, rhs.reason)
  }
}

/// The progress of a mirror: totals over all conversations, reported each time that a file is finished.
package struct MediaProgress: Sendable, Hashable {
  /// The number of files wanted so far. The next conversation may add more.
  package var wanted = 0
  /// The number of wanted files that are finished, including failures.
  package var finished = 0
  package var failed = 0
  /// Bytes fetched from the network.
  package var bytes = 0
}
