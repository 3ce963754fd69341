import Foundation
import Synchronization
import TestSupport
import Testing

/// The effect of an edit on a site.
struct BuildEffect: Equatable {
  /// The steps that the build reported.
  var steps: [String] = []
  var written: Set<String> = []
  var removed: Set<String> = []
}

extension TemporarySite {
  /// The inode number and the time of the last change of each file.
  func inodes() throws -> [String: [Int64]] {
    var found: [String: [Int64]] = [:]
    for file in try tree().keys {
      var information = stat()
      try #require(lstat(path + "/site/" + file, &information) == 0)
      found[file] = [
        Int64(information.st_ino), Int64(information.st_ctim.tv_sec), Int64(information.st_ctim.tv_nsec),
      ]
    }
    return found
  }

  /// Edits a site and builds it. Expects the files of a build without the cache.
  func change(
    _ contents: inout EditedContents, namesStyleSheetsByContent: Bool = true,
    _ edit: (inout EditedContents) -> Void
  ) throws -> BuildEffect {
    let (before, old) = (try inodes(), contents)
    edit(&contents)
    try contents.write(to: self, after: old)
    try waitUntilFilesAreSettled()
    let steps = Mutex<[String]>([])
    try build(namesStyleSheetsByContent: namesStyleSheetsByContent) { step in
      steps.withLock { $0.append(step) }
    }
    let after = try inodes()
    try build(
      output: path + "/fresh", usesCache: false, namesStyleSheetsByContent: namesStyleSheetsByContent)
    #expect(try tree() == folder.tree("fresh"))
    return BuildEffect(
      steps: steps.withLock { $0 }, written: Set(after.keys.filter { after[$0] != before[$0] }),
      removed: Set(before.keys).subtracting(after.keys))
  }
}

extension EditedContents {
  /// Five threads of two authors, and a theme of the site with more files.
  static func withOwnTheme(_ files: [String: String]) -> EditedContents {
    var contents = EditedContents()
    for number in 0..<5 {
      contents.threads.append(EditedContents.Thread(author: number % 2, text: "Thread \(number)"))
    }
    contents.files = files.merging(["themes/own/theme.yml": "name: own\nextends: paper\n"]) { own, _ in own }
    contents.configuration["theme"] = "own"
    return contents
  }
}
