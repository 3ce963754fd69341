import Basics
import SiteConfig
import SiteWorkspace

/// The lines of site.yml that named removed threads, for restoring them with the threads.
///
/// They are stored in a file beside the removed threads. For each removal, it contains the threads, the former contents of site.yml, and a
/// digest to detect later changes.
struct ConfigLines: Sendable {
  struct Removal: Sendable {
    /// The stems of the threads in the store.
    var threads: Set<String>
    /// The contents of site.yml before the removal.
    var before: String
    /// The digest of site.yml after the removal.
    var after: String
    /// The removed entries of `sources` and `threads`, with their original text.
    var sources: [[String]]
    var entries: [[String]]
  }

  /// Oldest first.
  var removals: [Removal] = []
  private let path: String

  /// - Parameter folder: the folder of the removed threads.
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

  /// Returns the digest of a file's text.
  static func digest(_ bytes: [UInt8]) -> String { ContentHash.of(bytes) }
}
