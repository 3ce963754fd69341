import Files
import Foundation
import SiteOutput
import ThreadModel
import ThreadStore
import XAPI

/// `threadsite import`: saved responses become conversations in the store.
package struct SiteImport: Sendable {
  private let store: String
  private let progress: ProgressHandler

  package init(store: String, progress: @escaping ProgressHandler) {
    self.store = store
    self.progress = progress
  }

  /// Reads all files, then saves what they hold together; a file that cannot be read or holds nothing is reported and
  /// stops none of the others.
  package func run(_ paths: [String]) throws(PipelineError) -> ImportSummary {
    var importer = XImporter()
    var summary = ImportSummary(store: store)
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
    return summary
  }

  private func save(_ conversations: [Conversation], into summary: inout ImportSummary) throws(PipelineError)
  {
    let store = ThreadStore(folder: store)
    let saving = ProgressCounter("Saving conversations", total: conversations.count, progress)
    do {
      var index = try store.index()
      for conversation in conversations {
        do {
          let (file, outcome) = try store.save(conversation, index: &index)
          summary.count(outcome)
          progress(.note("\(outcome.rawValue): \(file.path)"))
        } catch {
          summary.refusals.append(error.description)
          summary.failures += 1
        }
        saving.advance()
      }
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// The file itself, or the JSON files below a folder, sorted by path.
  private static func files(at path: String) throws(PipelineError) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw PipelineError(.io, ["\(path): error: there is no such file or folder."])
    }
    guard isFolder.boolValue else { return [path] }
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let found = names.filter { $0.hasSuffix(".json") || $0.hasSuffix(".jsonl") }.sorted()
    guard !found.isEmpty else {
      throw PipelineError(.content, ["\(path): error: no .json or .jsonl file is in this folder."])
    }
    let folder = path.hasSuffix("/") ? path : path + "/"
    return found.map { folder + $0 }
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

  package var conversations: Int { added + updated + unchanged }

  init(store: String) { self.store = store }

  mutating func count(_ outcome: ThreadStore.Outcome) {
    switch outcome {
    case .added: added += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    }
  }
}
