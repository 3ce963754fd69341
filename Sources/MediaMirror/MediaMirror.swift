import Basics
package import HTTPTransport
package import ThreadModel
package import ThreadStore

/// Brings photos, sounds, posters, avatars, emoji, pictures of link cards and, where wanted, videos into the store, and tells conversations of
/// their copies.
///
/// Many conversations may be mirrored at the same time: transfers stay within one limit, and an address is fetched once. What
/// the store has is not fetched again, nor what an interrupted run had brought. A file that cannot be had is
/// reported, and stops nothing.
///
/// Smaller copies of a photo are those that its network gives (`PhotoSizes`). Nothing is scaled here: to decode a photo is
/// a task for a program that may crash without harm.
package struct MediaMirror: Sendable {
  package let mediaStore: MediaStore
  private let transport: any HTTPTransport
  private let options: MediaMirrorOptions
  private let transfers: MediaTransfers
  private var requests: MediaRequestList { MediaRequestList(videos: options.videos) }

  /// - Parameter progress: called one at a time, from any thread, whenever a file is done with.
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

  /// The conversation with all copies that can be had. Where the task is cancelled, that is what is there by then.
  package func mirror(_ conversation: Conversation) async -> (conversation: Conversation, report: MediaReport)
  {
    let (resolved, report) = await resolve(requests.requests(of: conversation))
    var result = conversation
    requests.fill(&result, from: resolved)
    return (result, report)
  }

  /// The profile with its avatars, its followers' too.
  package func mirror(_ profile: Profile) async -> (profile: Profile, report: MediaReport) {
    var authors = [profile.author] + profile.followers
    let (resolved, report) = await resolve(requests.requests(of: authors))
    requests.fill(&authors, from: resolved)
    var result = profile
    result.author = authors.removeFirst()
    result.followers = authors
    return (result, report)
  }

  /// Mirrors many conversations, some at the same time, none longer in memory than it takes.
  ///
  /// - Parameters:
  ///   - load: the conversation of an item; `nil` passes it over.
  ///   - done: is given each conversation once, as it is afterwards, and whether that is something new.
  package func mirror<Item: Sendable>(
    _ items: [Item], load: @escaping @Sendable (Item) async -> Conversation?,
    done: @escaping @Sendable (Item, Conversation, _ isChanged: Bool) async -> Void
  ) async -> MediaReport {
    await withTaskGroup(of: MediaReport.self) { group in
      var total = MediaReport()
      for (index, item) in items.enumerated() where !Task.isCancelled {
        if index >= options.atOnce, let report = await group.next() { total.add(report) }
        group.addTask {
          guard let conversation = await load(item) else { return MediaReport() }
          let (result, report) = await mirror(conversation)
          await done(item, result, result != conversation)
          return report
        }
      }
      for await report in group { total.add(report) }
      return total
    }
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

  /// One file, from the store or the network, with its smaller copies.
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
    var miss = MediaMiss.cancelled
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

  /// The smaller copies that the conversation has, where all of them are still there; `nil` where there is something to fetch.
  private func keptSizes(_ request: MediaRequest, of photo: StoredMedia) -> [MediaSize]? {
    guard !request.sizes.isEmpty, request.file == photo.name,
      request.sizes.allSatisfy({ mediaStore.stored($0.file, accepting: .image) != nil })
    else { return nil }
    return request.sizes
  }

  /// A smaller copy that cannot be had is no failure: the photo is there. An animated GIF would stand still.
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

  /// What an address gives, over the network at most once in a run.
  private func fetch(
    _ url: String, _ family: MediaType.Family?, _ report: inout MediaReport
  ) async -> MediaTransfers.Outcome {
    let (outcome, isFetched) = await transfers.outcome(
      of: url, known: { mediaStore.stored($0, accepting: family) }, fetch: { await transfer(url, family) },
      keep: { await keep($0, family) })
    guard case .success(let stored) = outcome else { return outcome }
    if let family, stored.type.family != family {
      return .failure(MediaMiss(reason: MediaError.wrongFamily(stored.type).description, isPassing: false))
    }
    report.fetched += isFetched ? 1 : 0
    report.reused += isFetched ? 0 : 1
    report.bytes += isFetched ? stored.bytes : 0
    return outcome
  }

  /// Brings a file into the incoming folder.
  private func transfer(_ url: String, _ family: MediaType.Family?) async -> Result<String, MediaMiss> {
    let path = mediaStore.incoming.newPath()
    do throws(HTTPError) {
      let response = try await transport.download(options.request(url, for: family), to: path)
      guard response.status == 200 else {
        await remove(path)
        return .failure(MediaMiss(status: response.status))
      }
    } catch {
      await remove(path)
      return .failure(MediaMiss(error))
    }
    return .success(path)
  }

  private func keep(_ path: String, _ family: MediaType.Family?) async -> MediaTransfers.Outcome {
    let mediaStore = mediaStore
    return await FileWork.run {
      do throws(MediaError) {
        return .success(try mediaStore.importFile(path, accepting: family))
      } catch {
        return .failure(MediaMiss(error))
      }
    }
  }

  /// What cannot be removed here is removed with the folder.
  private func remove(_ path: String) async {
    await FileWork.run { try? FileSystem.remove(path) }
  }
}

extension MediaMiss {
  init(status: Int) {
    switch status {
    case 404, 410: self.init(reason: "it is gone (HTTP \(status))", isPassing: false)
    case 401, 403, 451:
      self.init(reason: "the server does not give it to us (HTTP \(status))", isPassing: false)
    case 408, 425, 429, 500...599:
      self.init(reason: "the server is in trouble or busy (HTTP \(status))", isPassing: true)
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

/// What a mirror fetches, and how.
package struct MediaMirrorOptions: Sendable {
  /// Whether videos and GIFs come along; their posters always do.
  package var videos = false
  /// Transfers at once.
  package var atOnce = 8
  package var limits = MediaLimits()
  /// Which addresses a host may lead to: whoever wrote a post chose them.
  package var reach = HTTPRequest.Reach.publicOnly
  /// The networks that give their photos in several sizes.
  package var networks: [any NetworkLinks] = []
  /// Seconds for one picture; a video may take ten times as long.
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

/// What mirroring did.
package struct MediaReport: Sendable, Hashable {
  /// Files that came over the network.
  package var fetched = 0
  /// Files that were there already, or that another post brought.
  package var reused = 0
  /// Bytes of what was fetched.
  package var bytes = 0
  /// What stays without a copy, each address once, sorted.
  package var failures: [MediaFailure] = []

  package init() {}

  package mutating func add(_ other: MediaReport) {
    fetched += other.fetched
    reused += other.reused
    bytes += other.bytes
    failures = Set(failures + other.failures).sorted()
  }
}

/// A picture or a video that there is no copy of.
package struct MediaFailure: Error, Sendable, Hashable, Comparable {
  /// As the conversation has it.
  package var url: String
  /// A clause without a full stop.
  package var reason: String
  /// Whether a later run may have more luck: a server in trouble, and not a file that is gone.
  package var isPassing: Bool
  /// Whether the store's disk is to blame, so that no other file would do better.
  package var isOfDisk = false

  package static func < (lhs: MediaFailure, rhs: MediaFailure) -> Bool {
    (lhs.url, lhs.reason) < (rhs.url, rhs.reason)
  }
}

/// How far a mirror is: totals over all conversations, each time that something is done.
package struct MediaProgress: Sendable, Hashable {
  /// Files looked for so far; more may turn up in the next conversation.
  package var wanted = 0
  /// Of those, how many are done with, one way or another.
  package var finished = 0
  package var failed = 0
  /// Bytes that came over the network.
  package var bytes = 0
}
