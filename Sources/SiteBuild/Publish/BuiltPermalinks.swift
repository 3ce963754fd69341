import Basics
import SiteOutput
import SiteWorkspace

/// The file in which a build notes the URLs of the site's threads, for `threadsite publish`.
struct BuiltPermalinks {
  private let site: SiteFolder
  /// The file with URLs that threads keep, instead of the URLs of the previous build.
  private let keptFile: String?

  init(of site: SiteFolder, _ options: SiteBuild.Options) {
    self.site = site
    keptFile = options.permalinksFile
  }

  private var path: String { keptFile ?? site.builtPermalinksFile }

  /// Whether the URLs of the threads in the output folder are known.
  var exist: Bool { FileSystem.kind(of: path) == .file }

  /// Returns the pages of threads that the existing site has and the new site lacks.
  ///
  /// These pages were published or in the previous build, but their threads are no longer built, because they were removed from the site or
  /// from the store.
  ///
  /// - Parameters:
  ///   - previous: the URLs of the threads of the existing site; `nil` if they are unknown.
  ///   - recorded: the record of published URLs.
  func pagesLeftOut(
    by new: Permalinks, after previous: Permalinks?, _ recorded: Permalinks
  ) -> [String] {
    let previous = previous.map(recorded.adding) ?? recorded
    return previous.pages(besides: new).map(\.text).filter { page in
      FileSystem.kind(of: "\(site.output)/\(page)index.html") == .file
    }
  }

  /// Notes which unpublished pages have other URLs than in the previous build. Nothing redirects to them, because no reader knows the old URLs.
  ///
  /// - Parameters:
  ///   - previous: the URLs of the threads of the previous build; `nil` if they are unknown.
  ///   - recorded: the record of published URLs.
  func noteMoves(
    to new: Permalinks, after previous: Permalinks?, _ recorded: Permalinks, _ progress: ProgressHandler
  ) {
    guard let previous, keptFile == nil else { return }
    for move in previous.moves(to: new, besides: recorded) {
      progress(
        .note(
          "\(move.from.text) is now \(move.to.text), without a redirect, because the old URL is not recorded as published."
        ))
    }
  }

  /// Returns the content of the file for the URLs of the site's threads.
  func bytes(of new: Permalinks, after recorded: Permalinks) -> [UInt8] {
    (keptFile == nil ? new : recorded.adding(new)).bytes
  }

  /// Notes the URLs of the site's threads.
  ///
  /// The site is already in place, and the next build can note them, so a failure causes only a warning.
  func save(_ bytes: [UInt8], _ progress: ProgressHandler) {
    do {
      try FileSystem.makeFolders(PathText.folder(of: path).map(String.init) ?? "/")
      guard !FileSystem.isFile(path, of: bytes) else { return }
      try AtomicFile.write(bytes, to: path)
    } catch {
      progress(
        .warning(
          "\(error)\nThe site is built, but `threadsite publish` cannot record the URLs of its threads."))
    }
  }
}
