import Basics
import SiteConfig

/// Lines of site.yml that named threads which were removed, for the day that these come back.
///
/// In a file beside what was removed: for each removal the threads, the file as it was before, and what tells whether anybody has changed it since.
struct ConfigLines: Sendable {
  struct Removal: Sendable {
    /// By their places in the store.
    var threads: Set<String>
    /// The file before the removal.
    var before: String
    /// Of the file after it.
    var after: String
    /// The entries of `sources` and `threads` that went, as they were written.
    var sources: [[String]]
    var entries: [[String]]
  }

  /// Oldest first.
  var removals: [Removal] = []
  private let path: String

  /// - Parameter folder: of what was removed.
  init(in folder: String) throws(PipelineError) {
    path = folder + "/site.yml.json"
    guard FileSystem.kind(of: path) != .nothing else { return }
    do {
      let value = try JSONValue(parsing: try FileBytes.read(path))
      for entry in value["removals"]?.array ?? [] {
        func lines(_ key: String) -> [[String]] {
          (entry[key]?.array ?? []).map { ($0.array ?? []).compactMap(\.string) }
        }
        removals.append(
          Removal(
            threads: Set((entry["threads"]?.array ?? []).compactMap(\.string)),
            before: entry["before"]?.string ?? "", after: entry["after"]?.string ?? "",
            sources: lines("sources"), entries: lines("entries")))
      }
    } catch let error as JSONError {
      throw PipelineError(.content, [error.description(file: path)])
    } catch {
      throw PipelineError(.io, error)
    }
  }

  func save() throws(PipelineError) {
    let values = removals.map { removal -> JSONValue in
      func lines(_ entries: [[String]]) -> JSONValue {
        .array(entries.map { .array($0.map { .string($0) }) })
      }
      return [
        "threads": .array(removal.threads.sorted().map { .string($0) }), "before": .string(removal.before),
        "after": .string(removal.after), "sources": lines(removal.sources),
        "entries": lines(removal.entries),
      ]
    }
    do {
      guard !removals.isEmpty else { return try FileSystem.remove(path) }
      try AtomicFile.write(
        JSONWriter.text(of: .object(["format": .integer(1), "removals": .array(values)])).bytes, to: path)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// What a file's text is known by.
  static func digest(_ bytes: [UInt8]) -> String { ContentHash.of(bytes) }
}
