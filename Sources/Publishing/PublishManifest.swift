import Basics
import SiteOutput

/// The list of published files, stored at the destination. Only files in it are ever deleted.
///
/// While a file is being published, the list contains several digests for it, so that the list is correct even if publishing is
/// interrupted.
struct PublishManifest: Sendable, Equatable {
  var files: [SitePath: [String]] = [:]

  init() {}

  /// - Returns: `nil` if the bytes are not a valid list.
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

  /// Whether a path stays within the folder to which it is relative.
  static func isSafe(_ path: String) -> Bool {
    !path.isEmpty
      && path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) && !$0.contains(0)
      }
  }
}
