import Files
import Foundation
import SiteConfig
import SiteOutput
package import ThreadModel
import ThreadStore
import UTF8Text
import XAPI
import XArchive

/// `threadsite import`: saved responses and archives become conversations in the store.
package struct SiteImport: Sendable {
  let store: String
  let progress: ProgressHandler
  /// What days are seen by.
  let calendar: SiteCalendar
  let jobs: Int

  package init(
    store: String, calendar: SiteCalendar = .utc, jobs: Int = 1, progress: @escaping ProgressHandler
  ) {
    self.store = store
    self.calendar = calendar
    self.jobs = jobs
    self.progress = progress
  }

  /// Reads all files and archives; one that cannot be read or holds nothing is reported and stops none of the others.
  package func run(
    _ paths: [String], archives options: ArchiveOptions = ArchiveOptions()
  ) throws(PipelineError) -> ImportSummary {
    var summary = ImportSummary(store: store)
    let paths = paths.map(FileSystem.named)
    let isArchive = paths.map(Self.isArchive)
    let isNew = FileSystem.kind(of: store) == .nothing
    let lock = try ThreadStore(folder: store).beginWriting()
    defer {
      // An import that brings nothing leaves nothing.
      if isNew, (try? FileSystem.names(in: store).isEmpty) == true { try? FileSystem.remove(store) }
      withExtendedLifetime(lock) {}
    }
    try importFiles(zip(paths, isArchive).filter { !$1 }.map(\.0), into: &summary)
    for (path, _) in zip(paths, isArchive).filter(\.1) {
      do throws(PipelineError) {
        summary.add(try importArchive(path, options))
      } catch {
        // What the disk does not let us do for one it would not for the next.
        guard error.kind == .content else { throw error }
        summary.refusals += error.messages
        summary.failures += 1
      }
    }
    return summary
  }

  /// A zip file, whatever it is called, or a folder that an archive was unpacked to.
  private static func isArchive(_ path: String) -> Bool {
    if FileSystem.isFolder(path) { return FolderArchive.isArchive(path) }
    if path.lowercased().hasByteSuffix(".zip") { return true }
    do throws(FileError) {
      return try OpenFile(path).bytes(4, at: 0) == [0x50, 0x4B, 3, 4]
    } catch {
      // It is reported when it has to be read.
      return false
    }
  }

  /// Reads saved responses, then saves what they hold together.
  private func importFiles(_ paths: [String], into summary: inout ImportSummary) throws(PipelineError) {
    guard !paths.isEmpty else { return }
    var importer = XImporter()
    var files: [String] = []
    for path in paths { files += try Self.files(at: path) }
    let reading = ProgressCounter("Reading files", total: files.count, progress)
    for file in files {
      do {
        try importer.add(try FileBytes.read(file), file: file)
      } catch {
        summary.refusals.append("\(error)")
        summary.failures += 1
      }
      reading.advance()
    }
    let (conversations, report) = importer.result()
    summary.files = files.count
    summary.posts = report.posts
    summary.reposts = report.reposts
    for problem in report.problems { progress(.warning(problem)) }
    try save(conversations, into: &summary)
  }

  private func save(_ conversations: [Conversation], into summary: inout ImportSummary) throws(PipelineError)
  {
    let store = ThreadStore(folder: store)
    let saving = ProgressCounter("Saving conversations", total: conversations.count, progress)
    do throws(ThreadStoreError) {
      var index = try store.index()
      for conversation in conversations {
        do throws(ThreadStoreError) {
          let (file, outcome) = try store.save(conversation, index: &index)
          summary.count(outcome)
          progress(.note("\(outcome.rawValue): \(file.path)"))
        } catch {
          let problem = PipelineError(error)
          // What the disk does not let us do for one it would not for the next.
          guard problem.kind == .content else { throw error }
          summary.refusals += problem.messages
          summary.failures += 1
        }
        saving.advance()
      }
    } catch {
      throw PipelineError(error)
    }
  }

  /// The file itself, or the JSON files below a folder, sorted by path.
  private static func files(at path: String) throws(PipelineError) -> [String] {
    switch FileSystem.kind(of: path) {
    case .nothing: throw PipelineError(.io, ["\(path): error: there is no such file or folder."])
    case .file, .link, .other: return [path]
    case .folder: break
    }
    do throws(FileError) {
      let found = try jsonFiles(below: path.without(byteSuffix: "/").map(String.init) ?? path)
      guard found.isEmpty else { return found.sorted() }
    } catch {
      throw PipelineError(.io, error)
    }
    throw PipelineError(.content, ["\(path): error: no .json or .jsonl file is in this folder."])
  }

  /// Links are among them, whatever they are called, as reading one says what is wrong with it.
  private static func jsonFiles(below folder: String) throws(FileError) -> [String] {
    var files: [String] = []
    for entry in try FileSystem.entries(of: folder) {
      let path = folder + "/" + entry.name
      switch entry.kind {
      case .folder: files += try jsonFiles(below: path)
      case .link: files.append(path)
      default:
        if [".json", ".jsonl"].contains(where: { entry.name.hasByteSuffix($0) }) { files.append(path) }
      }
    }
    return files
  }
}

/// What an import did.
package struct ImportSummary: Sendable {
  package let store: String
  package var files = 0
  package var posts = 0
  /// Reposts, which are no threads.
  package var reposts = 0
  package var added = 0
  package var updated = 0
  package var unchanged = 0
  /// Files and conversations that could not be taken, each a complete message.
  package var refusals: [String] = []
  package var failures = 0

  package var archives: [ArchiveSummary] = []

  package var conversations: Int { added + updated + unchanged }

  init(store: String) { self.store = store }

  mutating func add(_ archive: ArchiveSummary) {
    archives.append(archive)
    posts += archive.posts
    added += archive.added
    updated += archive.updated
    unchanged += archive.unchanged
    refusals += archive.problems
    failures += archive.problems.count
  }

  mutating func count(_ outcome: ThreadStore.Outcome) {
    switch outcome {
    case .added: added += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    }
  }
}

extension SiteImport {
  /// Imports into a site's store, by its calendar.
  package init(_ site: SiteFolder, jobs: Int, progress: @escaping ProgressHandler) {
    self.init(
      store: site.store, calendar: SiteCalendar(zone: TimeZone(identifier: site.config.timezone) ?? .gmt),
      jobs: jobs,
      progress: progress)
  }
}
