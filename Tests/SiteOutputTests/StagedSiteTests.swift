import Foundation
import SiteOutput
import TestSupport
import Testing

@Suite struct StagedSiteTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var output: String { folder.path + "/site" }

  private func stage(force: Bool = false) throws -> StagedSite {
    try StagedSite(output: output, force: force)
  }

  private func publish(_ files: [SitePath: String]) throws {
    let staged = try stage()
    for (path, text) in files { try staged.write(Array(text.utf8), to: path) }
    try staged.publish()
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func aSiteIsPublishedWhole() throws {
    try publish(["": "home", "x/ada/t-1/": "thread", "feed.xml": "feed"])
    #expect(
      try Set(folder.tree("site").keys) == [".threadsite", "index.html", "x/ada/t-1/index.html", "feed.xml"])
    #expect(try folder.text("site/x/ada/t-1/index.html") == "thread")
    #expect(try names() == ["site"])
  }

  @Test func theNextSiteReplacesAllOfIt() throws {
    try publish(["": "one", "gone/": "gone"])
    try publish(["": "two"])
    #expect(try Set(folder.tree("site").keys) == [".threadsite", "index.html"])
    #expect(try folder.text("site/index.html") == "two")
    #expect(try names() == ["site"])
  }

  @Test func nothingOfThePreviousSiteIsTouchedBefore() throws {
    try publish(["": "one"])
    let before = try folder.tree("site")
    let staged = try stage()
    try staged.write([1], to: "")
    #expect(try folder.tree("site") == before)
    try staged.discard()
    #expect(try folder.tree("site") == before)
    #expect(try names() == ["site"])
  }

  @Test func anEmptyFolderIsFree() throws {
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    try publish(["": "home"])
    #expect(folder.exists("site/index.html"))
  }

  @Test func foldersOnTheWayAreMade() throws {
    let staged = try StagedSite(output: folder.path + "/public/threads/", force: false)
    try staged.write([], to: "")
    try staged.publish()
    #expect(folder.exists("public/threads/index.html"))
  }

  @Test func aForeignFolderIsLeftAlone() throws {
    try folder.write("mine", to: "site/thesis.tex")
    let error = #expect(throws: SiteOutputError.self) { try stage() }
    #expect(error?.description.contains("files that threadsite did not write") == true)
    #expect(try names() == ["site"])
    #expect(try folder.text("site/thesis.tex") == "mine")
  }

  @Test func aFolderNamedLikeTheMarkerIsNoMarker() throws {
    try folder.write("mine", to: "site/.threadsite/thesis.tex")
    #expect(throws: SiteOutputError.self) { try stage() }
  }

  @Test func forceReplacesAForeignFolder() throws {
    try folder.write("mine", to: "site/thesis.tex")
    let staged = try stage(force: true)
    try staged.write([], to: "")
    try staged.publish()
    #expect(try Set(folder.tree("site").keys) == [".threadsite", "index.html"])
  }

  @Test func aFileIsNoFolder() throws {
    try folder.write("mine", to: "site")
    #expect(throws: SiteOutputError.self) { try stage() }
    #expect(throws: SiteOutputError.self) { try stage(force: true) }
    #expect(try folder.text("site") == "mine")
  }

  @Test(arguments: ["/", "//", ""])
  func theTopOfTheDiskIsRefused(path: String) {
    #expect(throws: SiteOutputError.self) { try StagedSite(output: path, force: true) }
  }

  @Test(arguments: [true, false])
  func aSymbolicLinkIsRefused(isDangling: Bool) throws {
    if !isDangling { try folder.write("precious", to: "elsewhere/file") }
    try FileManager.default.createSymbolicLink(
      atPath: output, withDestinationPath: folder.path + "/elsewhere")
    for force in [true, false] {
      let error = #expect(throws: SiteOutputError.self) { try stage(force: force) }
      #expect(error?.description.contains("symbolic link") == true)
    }
    #expect(try names() == (isDangling ? ["site"] : ["elsewhere", "site"]))
    if !isDangling { #expect(try folder.text("elsewhere/file") == "precious") }
  }

  @Test func whatAKilledBuildLeftIsCleared() throws {
    try folder.write("half a page", to: ".site.staging/new/x/ada/t-1/index.html")
    try folder.write("?", to: ".site.staging/.hidden")
    try publish(["": "home"])
    #expect(try Set(folder.tree("site").keys) == [".threadsite", "index.html"])
    #expect(try names() == ["site"])
  }

  @Test func linksInWhatWasLeftAreNotFollowed() throws {
    try folder.write("precious", to: "elsewhere/file")
    try folder.write("", to: ".site.staging/new/index.html")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/.site.staging/new/link", withDestinationPath: folder.path + "/elsewhere")
    try publish(["": "home"])
    #expect(try folder.text("elsewhere/file") == "precious")
  }

  @Test func aStagingFolderThatIsALinkIsRefused() throws {
    try folder.write("precious", to: "elsewhere/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/.site.staging", withDestinationPath: folder.path + "/elsewhere")
    #expect(throws: SiteOutputError.self) { try stage() }
    #expect(try folder.text("elsewhere/file") == "precious")
  }

  /// Where folders cannot be exchanged, a build may die between putting the old site aside and the new one in its place.
  @Test func aSiteThatWasPutAsideComesBack() throws {
    try publish(["": "one"])
    try FileManager.default.createDirectory(
      atPath: folder.path + "/.site.staging", withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: output, toPath: folder.path + "/.site.staging/old")
    let staged = try stage()
    try staged.discard()
    #expect(try folder.text("site/index.html") == "one")
  }

  @Test func twoBuildsAtOnceDoNotMix() throws {
    let first = try stage()
    try first.write(Array("first".utf8), to: "")
    let error = #expect(throws: SiteOutputError.self) { try stage() }
    #expect(error?.description.contains("another build is writing this site") == true)
    // Another site beside it is free.
    let other = try StagedSite(output: folder.path + "/other", force: false)
    try other.discard()
    try first.publish()
    #expect(try folder.text("site/index.html") == "first")
  }

  @Test func theLockGoesWithItsBuild() throws {
    do { _ = try stage() }
    try publish(["": "second"])
    #expect(try folder.text("site/index.html") == "second")
  }

  @Test func manyBuildsAtOnceLeaveAWholeSite() async throws {
    let output = output
    let published = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<16 {
        group.addTask {
          guard let staged = try? StagedSite(output: output, force: false) else { return false }
          do {
            for page in 0..<50 { try staged.write(Array("\(number)".utf8), to: SitePath("p\(page)/")) }
            try staged.publish()
            return true
          } catch {
            Issue.record(error)
            return false
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(published > 0)
    let pages = try folder.tree("site").filter { $0.key != ".threadsite" }
    #expect(pages.count == 50)
    #expect(Set(pages.values).count == 1)
    #expect(try names() == ["site"])
  }

  @Test func aFileIsWrittenOnce() throws {
    let staged = try stage()
    try staged.write([1], to: "x/")
    let error = #expect(throws: SiteOutputError.self) { try staged.write([2], to: "x/index.html") }
    #expect(error?.description.contains("x/index.html") == true)
    try staged.publish()
    #expect(try folder.tree("site")["x/index.html"] == Data([1]))
  }

  @Test func filesAreCopiedByteForByte() throws {
    let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try folder.write(bytes, to: "picture.jpg")
    let staged = try stage()
    try staged.copy(from: folder.path + "/picture.jpg", to: "media/picture.jpg")
    #expect(throws: SiteOutputError.self) {
      try staged.copy(from: folder.path + "/none.jpg", to: "media/none.jpg")
    }
    #expect(throws: SiteOutputError.self) { try staged.copy(from: folder.path, to: "media/folder") }
    try staged.publish()
    #expect(try folder.tree("site")["media/picture.jpg"] == bytes)
  }
}
