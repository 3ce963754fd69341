import Basics
import HTTPTransport
import Intake
import SiteWorkspace

/// The files, folders and connections that a command needs while it reads data of strangers. The kernel refuses all others
/// (``Confinement``).
struct AccessLimit {
  private let read: [String]
  private let written: [String]
  private let connects: Bool

  /// For a command that imports files.
  ///
  /// - Parameters:
  ///   - paths: the files and folders that the user named.
  ///   - site: the site in whose store threads are saved; `nil` if nothing is written.
  static func importing(_ paths: [String], into site: SiteFolder?) -> AccessLimit {
    AccessLimit(
      read: paths + [site?.path].compactMap(\.self), written: site.map(SiteFetch.outputs) ?? [],
      connects: false)
  }

  /// For a command that fetches threads, and reads the archives that site.yml lists.
  ///
  /// - Parameter editsConfiguration: whether the command adds entries to site.yml, for which it needs the whole folder of the site.
  static func fetching(for site: SiteFolder, editsConfiguration: Bool) -> AccessLimit {
    AccessLimit(
      read: [site.path] + SiteFetch.inputs(of: site) + ClientFiles.paths(Machine.environment),
      written: SiteFetch.outputs(of: site) + (editsConfiguration ? [site.path] : []), connects: true)
  }

  /// Limits this process. Must be called on the main thread before the command starts other threads.
  ///
  /// - Throws: `PipelineError` if the system has such limits and refuses this one: a command without them might be unexpected.
  func apply(_ console: Console) throws {
    do {
      guard let confinement = try Confinement(connects: connects) else {
        console.progress(.note("This system cannot limit the command's access to files."))
        return
      }
      for path in read { try confinement.permitReading(path) }
      // Links in these paths are not followed, so their targets are not permitted either.
      for folder in written where FileSystem.kind(of: folder) != .link {
        try confinement.permitWriting(below: folder)
      }
      try confinement.apply()
      if let count = Confinement.threadCount, count > 1 {
        console.progress(
          .note("\(count - 1) threads that were already running have no limit of access to files."))
      }
    } catch {
      throw PipelineError(.io, error)
    }
  }
}
