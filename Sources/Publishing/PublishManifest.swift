import Basics
import SiteOutput

/// The list of what was published to a place, which lies there, too: it says what is the site's, so that nothing else is ever deleted.
///
/// A file has more than one digest while it is being published: whatever happens in between, the list says what the file may be.
struct PublishManifest: Sendable, Equatable {
  var files: [SitePath: [String]] = [:]

  init() {}

  /// - Returns: `nil` for what is no such list.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes), value["version"]?.int == 1,
      let files = value["files"]?.object
    else { return nil }
    for (path, digests) in files {
      guard Self.isSafe(path), let digests = digests.array else { return nil }
      self.files[SitePath(path)] = digests.compactMap(\.string)
    }
  }

  var bytes: [UInt8] {
    let members = files.map { ($0.key.text, JSONValue.array($0.value.map { .string($0) })) }
    let value: JSONValue = ["version": 1, "files": .object(Dictionary(members) { first, _ in first })]
    return Array(JSONWriter.text(of: value).string.utf8)
  }

  /// Whether a path stays below the folder that it is seen from.
  static func isSafe(_ path: String) -> Bool {
    !path.isEmpty
      && path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) && !$0.contains(0)
      }
  }
}
