import Foundation
import TestSupport
import Testing
import ThreadModel
import XAPI

/// Every file of the real data, each imported alone: what comes of it, or why nothing does.
@Suite(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures")) struct FixtureTests {
  @Test func dump() throws {
    let folder = try #require(ProjectFolders.sharedFixtures).appending(path: "x")
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() where path.contains(".json") {
      var importer = XImporter()
      do {
        try importer.add(Array(try Data(contentsOf: folder.appending(path: path))), file: path)
        let r = importer.result()
        print("DUMP", path, r.report.posts, r.report.reposts, r.conversations.count, r.report.files[0].problems, r.conversations.prefix(3).map { "\($0.id.value) \($0.authorID.value) \($0.author?.handle ?? "?") \($0.posts.count) \($0.related.count) \($0.tombstones.count)" })
      } catch { print("DUMP", error) }
    }
  }
}
