import Files
import HTTPTransport
import ThreadModel

extension MediaMirror {
  /// One file, from the store or the network, with its smaller copies.
  func grant(_ wish: MediaWish) async -> (GrantedWish?, MediaReport) {
    var report = MediaReport()
    let sized =
      wish.isPhoto
      ? wish.url.flatMap { url in options.networks.lazy.compactMap { $0.sizes(ofPhoto: url) }.first } : nil
    guard let stored = await main(wish, sized, &report) else { return (nil, report) }
    var granted = GrantedWish(stored: stored)
    let kept = keptSizes(wish, of: stored)
    granted.sizes =
      if let kept { kept } else if let sized { await sizes(sized, of: stored, &report) } else { [] }
    return (granted, report)
  }

  private func main(
    _ wish: MediaWish, _ sized: PhotoSizes?, _ report: inout MediaReport
  ) async -> StoredMedia? {
    if let file = wish.file, let stored = vault.stored(file, accepting: wish.family) {
      report.reused += 1
      return stored
    }
    guard let url = wish.url else { return nil }
    let candidates = (sized?.full ?? []) + [url]
    var miss = MediaMiss.cancelled
    for candidate in candidates {
      switch await fetch(candidate, wish.family, &report) {
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
  private func keptSizes(_ wish: MediaWish, of photo: StoredMedia) -> [MediaSize]? {
    guard !wish.sizes.isEmpty, wish.file == photo.name,
      wish.sizes.allSatisfy({ vault.stored($0.file, accepting: .image) != nil })
    else { return nil }
    return wish.sizes
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
      of: url, known: { vault.stored($0, accepting: family) }, fetch: { await transfer(url, family) },
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
    let path = vault.incoming.newPath()
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
    let vault = vault
    return await FileWork.run {
      do throws(MediaError) {
        return .success(try vault.adopt(path, accepting: family))
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
