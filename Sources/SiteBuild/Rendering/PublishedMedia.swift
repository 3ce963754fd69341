package import Basics
import MediaMirror
import SiteOutput
package import SiteWorkspace
import Synchronization
package import ThreadStore

/// Copies the store's media to the site. Only pictures, videos and sounds are copied, whatever their file names.
///
/// A store may have been cloned from an untrusted source, and an HTML file under the site's URL would have the same rights as the site.
package final class PublishedMedia: Sendable {
  private let store: ThreadStore
  /// Makes scaled copies of photos, if the site has any.
  private let scaled: ScaledImages?
  /// The problems of the checked files; `nil` for files without a problem.
  private let known = Mutex<[String: PipelineError?]>([:])

  init(_ store: ThreadStore, scaled: ScaledImages? = nil) {
    self.store = store
    self.scaled = scaled
  }

  /// Returns the reason why a file, or the photo from which it is made, cannot be published. Each file is checked once.
  func problem(with name: String) -> PipelineError? {
    let name = scaled?.original(of: name) ?? name
    if let known = known.withLock({ $0[name] }) { return known }
    var problem: PipelineError?
    do throws(PipelineError) {
      _ = try Self.open(name, of: store)
    } catch {
      problem = error
    }
    // Two workers may both reach this point, with the same result.
    known.withLock { $0[name] = .some(problem) }
    return problem
  }

  /// Checks that files can be published.
  ///
  /// - Throws: an error of the thread that shows them.
  func check(_ names: [String]) throws(PipelineError) {
    let problems = names.compactMap(problem)
    guard problems.isEmpty else { throw PipelineError(problems).ofOneThread }
  }

  /// Copies a file into the site. The copied file is the same open file whose beginning was checked.
  func copy(_ name: String, to staged: StagedSite) throws(PipelineError) {
    let file: OpenFile
    if let scaled, let copy = try scaled.open(name) {
      file = copy
    } else {
      file = try Self.open(name, of: store)
    }
    // A closure cannot capture the file, which is not copyable.
    do throws(SiteOutputError) {
      try staged.copy(file, to: ThreadWorker.mediaPath(name))
    } catch {
      throw PipelineError(error)
    }
  }

  /// Opens a file after checking that it may be published.
  package static func open(_ name: String, of store: ThreadStore) throws(PipelineError) -> OpenFile {
    var type: MediaType?
    return try open(name, of: store, type: &type)
  }

  /// Opens a file after checking that it may be published.
  ///
  /// - Parameter type: is set to the file's type.
  static func open(
    _ name: String, of store: ThreadStore, type: inout MediaType?
  ) throws(PipelineError) -> OpenFile {
    let path = try withStore { () throws(ThreadStoreError) in try store.mediaPath(name) }
    let file: OpenFile
    do throws(FileError) {
      file = try OpenFile(path)
    } catch {
      guard error.kind == .missing else { throw PipelineError(error, about: .content) }
      throw PipelineError(
        .content, ["\(error) Restore it, or run `threadsite fetch` to copy it again."])
    }
    do throws(MediaError) {
      type = try StoredMedia(inspecting: file, named: name).type
    } catch {
      throw PipelineError(
        .content,
        [
          "\(path): error: this file cannot be published: \(error). Restore the file from a backup, or delete it and run `threadsite fetch` to copy it again."
        ])
    }
    return file
  }
}
