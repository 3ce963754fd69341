import Basics
import MediaMirror
import SiteOutput
import Synchronization
import ThreadStore

/// The store's media on their way to the site: pictures, videos and sounds and nothing else, whatever a file is called.
///
/// A store may have been cloned from anybody, and a page of markup under the site's own address could do there what the site can.
final class PublishedMedia: Sendable {
  private let store: ThreadStore
  /// What makes smaller copies of photos, where the site has any.
  private let scaled: ScaledImages?
  /// What is wrong with the files that were looked at; `nil` for nothing.
  private let known = Mutex<[String: PipelineError?]>([:])

  init(_ store: ThreadStore, scaled: ScaledImages? = nil) {
    self.store = store
    self.scaled = scaled
  }

  /// Why a file cannot be published, or the photo that it is made from; each is looked at once.
  func problem(with name: String) -> PipelineError? {
    let name = scaled?.original(of: name) ?? name
    if let known = known.withLock({ $0[name] }) { return known }
    var problem: PipelineError?
    do throws(PipelineError) {
      _ = try Self.open(name, of: store)
    } catch {
      problem = error
    }
    // Two workers may both come here, and find the same.
    known.withLock { $0[name] = .some(problem) }
    return problem
  }

  /// Copies a file into the site: the very bytes whose beginning was looked at.
  func copy(_ name: String, to staged: StagedSite) throws(PipelineError) {
    let file: OpenFile
    if let scaled, let copy = try scaled.open(name) {
      file = copy
    } else {
      file = try Self.open(name, of: store)
    }
    do throws(SiteOutputError) {
      try staged.copy(file, to: ThreadWorker.mediaPath(name))
    } catch {
      throw PipelineError(error)
    }
  }

  /// Opens a file that may be published.
  static func open(_ name: String, of store: ThreadStore) throws(PipelineError) -> OpenFile {
    var type: MediaType?
    return try open(name, of: store, type: &type)
  }

  /// The same.
  ///
  /// - Parameter type: what the file is.
  static func open(
    _ name: String, of store: ThreadStore, type: inout MediaType?
  ) throws(PipelineError) -> OpenFile {
    let path: String
    do {
      path = try store.mediaPath(name)
    } catch {
      throw PipelineError(error)
    }
    let file: OpenFile
    do throws(FileError) {
      file = try OpenFile(path)
    } catch {
      guard error.kind == .missing else { throw PipelineError(error, about: .content) }
      throw PipelineError(
        .content, ["\(error) Put it back, or let `threadsite fetch` copy it again."])
    }
    do throws(MediaError) {
      type = try StoredMedia(inspecting: file, named: name).type
    } catch {
      throw PipelineError(
        .content,
        [
          "\(path): error: this file is not published, as \(error): only JPEG, PNG, GIF, WebP, AVIF, MP4, MP3, Ogg, WAV, FLAC, M4A "
            + "and WebVTT are, under names that say so. Put the picture, video or sound itself there, or delete the file and let `threadsite fetch` copy it again."
        ])
    }
    return file
  }
}
