import Basics
import Foundation
package import InterfaceText
import NetworkSources
import SiteConfig
import SiteOutput
package import SiteWorkspace
package import ThreadModel
import ThreadStore

/// `threadsite import`: imports saved responses and archives as conversations into the store.
package struct SiteImport: Sendable {
  let store: String
  let progress: ProgressHandler
  /// The calendar for the limits in days.
  let calendar: SiteCalendar
  let jobs: Int
  let networks: NetworkRegistry
  /// The accounts of which no data is stored.
  let leavingOut: LeftOutAccounts
  /// The site of the store; `nil` for a store without a site.
  private(set) var site: SiteFolder?

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

  /// Imports all files and archives. A file that is unreadable or has no contents is reported and does not stop the others.
  ///
  /// - Parameter input: the data for the path `-`: saved responses from standard input.
  package func run(
    _ paths: [String], input: [UInt8]? = nil, archives options: ArchiveOptions = ArchiveOptions(),
    files fileOptions: FileOptions = FileOptions()
  ) throws(PipelineError) -> ImportSummary {
    // Done before the import, because saving a thread removes the names without updating the record of URLs, and again afterwards, because
    // the files may contain further names.
    let cleaning = site.map { LeftOutCleaning($0, jobs: jobs, progress: progress) }
    cleaning?.run()
    let summary = try importAll(paths, input: input, archives: options, files: fileOptions)
    cleaning?.run()
    return summary
  }

  private func importAll(
    _ paths: [String], input: [UInt8]?, archives options: ArchiveOptions, files fileOptions: FileOptions
  ) throws(PipelineError) -> ImportSummary {
    var summary = ImportSummary(store: store)
    let paths = paths.map { $0 == "-" ? $0 : FileSystem.named($0) }
    let isNew = FileSystem.kind(of: store) == .nothing
    let lock = try ThreadStore(folder: store).beginWriting()
    defer {
      // An import without results leaves no new folder.
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

  /// Returns the paths in a list, separated by zero bytes if it contains any, otherwise by line feeds.
  package static func paths(in list: [UInt8]) -> [String] {
    let separator: UInt8 = list.contains(0) ? 0 : UInt8(ascii: "\n")
    return list.split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the paths in a list in a file.
  package static func paths(inFile path: String) throws(PipelineError) -> [String] {
    do {
      return paths(in: try FileBytes.read(FileSystem.named(path)))
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Imports saved responses, each file with the network that sent them.
  private func importAnswers(
    _ files: [String], _ input: [UInt8]?, _ options: FileOptions, into summary: inout ImportSummary
  ) throws(PipelineError) {
    func run<Answers: SavedAnswers>(
      _ answers: Answers.Type, _ files: [String]
    ) throws(PipelineError) -> [String] {
      try FileImport<Answers>(self, options, input: input).run(files, into: &summary)
    }
    guard !networks.savedAnswers.isEmpty else {
      throw PipelineError(
        .content, files.map { "\($0): error: no network supports importing responses from files" })
    }
    var rest = files
    for answers in networks.savedAnswers where !rest.isEmpty { rest = try run(answers, rest) }
  }

  /// Returns the file itself, or the JSON files below a folder, sorted by path.
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
    throw PipelineError(.content, ["\(path): error: this folder contains no .json or .jsonl file."])
  }

  /// Returns the JSON files below a folder, and all links, whatever their names. Reading a link reports the error.
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

/// The result of an import.
package struct ImportSummary: Sendable, ThreadCounts {
  package let store: String
  package var files = 0
  package var posts = 0
  /// The intentional omissions of the files.
  package var leftOut = LeftOut()
  package var added = 0
  package var updated = 0
  package var unchanged = 0
  /// Threads that were removed from the store earlier and were not restored.
  package var stayRemoved = 0
  /// Files and conversations that could not be imported: complete messages.
  package var refusals: [String] = []
  package var failures = 0

  package var archives: [ArchiveSummary] = []

  package var conversations: Int { added + updated + unchanged }

  init(store: String) { self.store = store }

  /// Adds the results for files. A file without contents counts as a failure, and so does a file that was only partly readable.
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
        refusals.append("\(file.name): error: \(file.unread.count - 10) more lines are not valid JSON")
      }
      if !file.unread.isEmpty {
        progress(
          .warning(
            "\(file.name): \(file.unread.count == 1 ? "1 line" : "\(file.unread.count) lines") could not be read; the others "
              + "were imported (\(file.posts) \(file.posts == 1 ? "post" : "posts")): save the file again"))
      }
      if !file.refusals.isEmpty || !file.unread.isEmpty { failures += 1 }
    }
  }

  /// Adds the reason why an archive was not imported. Errors of the disk are thrown, because they would recur for the next archive.
  mutating func refuse(_ error: PipelineError) throws(PipelineError) {
    guard error.kind == .content else { throw error }
    refusals += error.messages
    failures += 1
  }

  mutating func add(_ archive: ArchiveSummary) {
    archives.append(archive)
    posts += archive.posts
    addCounts(of: archive)
    refusals += archive.problems
    failures += archive.problems.count
  }
}

extension SiteImport {
  /// Imports into a site's store, with the site's calendar.
  package init(_ site: SiteFolder, jobs: Int, progress: @escaping ProgressHandler) {
    self.init(
      store: site.store, calendar: SiteCalendar(zone: TimeZone(identifier: site.config.timezone) ?? .gmt),
      jobs: jobs, networks: site.networks, leavingOut: site.leftOut, progress: progress)
    self.site = site
  }
}
