import Basics
import Foundation
import NetworkSources
import SiteConfig
import SiteOutput
package import ThreadModel
import ThreadStore

/// `threadsite import`: saved responses and archives become conversations in the store.
package struct SiteImport: Sendable {
  let store: String
  let progress: ProgressHandler
  /// What days are seen by.
  let calendar: SiteCalendar
  let jobs: Int
  let networks: NetworkRegistry
  /// Whom nothing is kept of.
  let leavingOut: LeftOutAccounts

  package init(
    store: String, calendar: SiteCalendar = .utc, jobs: Int = 1, networks: NetworkRegistry = .all,
    leavingOut: LeftOutAccounts = .none, progress: @escaping ProgressHandler
  ) {
    self.leavingOut = leavingOut
    self.networks = networks
    self.store = store
    self.calendar = calendar
    self.jobs = jobs
    self.progress = progress
  }

  /// Reads all files and archives; one that cannot be read or holds nothing is reported and stops none of the others.
  ///
  /// - Parameter input: what the path `-` stands for: saved answers that are at hand.
  package func run(
    _ paths: [String], input: [UInt8]? = nil, archives options: ArchiveOptions = ArchiveOptions(),
    files fileOptions: FileOptions = FileOptions()
  ) throws(PipelineError) -> ImportSummary {
    var summary = ImportSummary(store: store)
    let paths = paths.map { $0 == "-" ? $0 : FileSystem.named($0) }
    let isNew = FileSystem.kind(of: store) == .nothing
    let lock = try ThreadStore(folder: store).beginWriting()
    defer {
      // An import that brings nothing leaves nothing.
      if isNew, (try? FileSystem.names(in: store).isEmpty) == true { try? FileSystem.remove(store) }
      withExtendedLifetime(lock) {}
    }
    var exports: [any ThreadExport] = []
    var files: [String] = []
    for path in paths {
      if path == "-", input != nil {
        files.append(path)
        continue
      }
      do throws(SourceError) {
        if let export = try networks.export(at: path) {
          exports.append(export)
          continue
        }
      } catch {
        try summary.refuse(PipelineError(error))
        continue
      }
      files += try Self.files(at: path)
    }
    if !files.isEmpty { try importAnswers(files, input, fileOptions, into: &summary) }
    defer { noteLeftOut(leavingOut, progress) }
    for export in exports {
      do throws(PipelineError) {
        summary.add(try importArchive(export, options))
      } catch {
        try summary.refuse(error)
      }
    }
    return summary
  }

  /// The paths in a list, one a line or, where there is one, with zero bytes between them.
  package static func paths(in list: [UInt8]) -> [String] {
    let separator: UInt8 = list.contains(0) ? 0 : UInt8(ascii: "\n")
    return list.split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The same of a list in a file.
  package static func paths(inFile path: String) throws(PipelineError) -> [String] {
    do {
      return paths(in: try FileBytes.read(FileSystem.named(path)))
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Saved answers, which are read by the network that reads any.
  private func importAnswers(
    _ files: [String], _ input: [UInt8]?, _ options: FileOptions, into summary: inout ImportSummary
  ) throws(PipelineError) {
    func run<Answers: SavedAnswers>(_ answers: Answers.Type) throws(PipelineError) {
      try FileImport<Answers>(self, options, input: input).run(files, into: &summary)
    }
    guard let answers = networks.networks.lazy.compactMap(\.savedAnswers).first else {
      throw PipelineError(.content, files.map { "\($0): error: no network's answers are read from files" })
    }
    try run(answers)
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
  /// What of the files was left out on purpose.
  package var leftOut = LeftOut()
  package var added = 0
  package var updated = 0
  package var unchanged = 0
  /// Threads that were removed from the store, and stay so.
  package var stayRemoved = 0
  /// Files and conversations that could not be taken, each a complete message.
  package var refusals: [String] = []
  package var failures = 0

  package var archives: [ArchiveSummary] = []

  package var conversations: Int { added + updated + unchanged }

  init(store: String) { self.store = store }

  /// Takes over what became of files; one that gave nothing is a failure, and so is one that could be read in part only.
  mutating func take(_ report: ImportReport, _ progress: ProgressHandler) {
    posts += report.posts
    leftOut.reposts += report.reposts
    leftOut.originals += report.originals
    for file in report.files {
      for problem in file.problems { progress(.warning("\(file.name): \(problem)")) }
      refusals +=
        file.refusals.isEmpty ? [] : ["\(file.name): error: \(file.refusals.joined(separator: "; "))"]
      refusals += file.unread.prefix(10)
      if file.unread.count > 10 {
        refusals.append("\(file.name): error: \(file.unread.count - 10) more lines are no JSON")
      }
      if !file.unread.isEmpty {
        progress(
          .warning(
            "\(file.name): \(file.unread.count == 1 ? "1 line" : "\(file.unread.count) lines") could not be read, and the others "
              + "were taken (\(file.posts) \(file.posts == 1 ? "post" : "posts")): save the file again"))
      }
      if !file.refusals.isEmpty || !file.unread.isEmpty { failures += 1 }
    }
  }

  /// Takes over why an archive was not imported; what the disk does not let us do for one it would not for the next.
  mutating func refuse(_ error: PipelineError) throws(PipelineError) {
    guard error.kind == .content else { throw error }
    refusals += error.messages
    failures += 1
  }

  mutating func add(_ archive: ArchiveSummary) {
    archives.append(archive)
    posts += archive.posts
    added += archive.added
    updated += archive.updated
    unchanged += archive.unchanged
    stayRemoved += archive.stayRemoved
    refusals += archive.problems
    failures += archive.problems.count
  }

  mutating func count(_ outcome: ThreadStore.Outcome) {
    switch outcome {
    case .added: added += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    case .removed: stayRemoved += 1
    // The store counts them, with the posts of others\' threads.
    case .leftOut: break
    }
  }
}

extension SiteImport {
  /// Imports into a site's store, by its calendar.
  package init(_ site: SiteFolder, jobs: Int, progress: @escaping ProgressHandler) {
    self.init(
      store: site.store, calendar: SiteCalendar(zone: TimeZone(identifier: site.config.timezone) ?? .gmt),
      jobs: jobs, networks: site.networks, leavingOut: site.leftOut, progress: progress)
  }
}
