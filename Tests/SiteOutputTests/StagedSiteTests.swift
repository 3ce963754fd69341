import Basics
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

  @Test func publishesAWholeSite() throws {
    try publish(["": "home", "x/ada/t-1/": "thread", "feed.xml": "feed"])
    #expect(
      try Set(folder.tree("site").keys) == [".threadsite", "index.html", "x/ada/t-1/index.html", "feed.xml"])
    #expect(try folder.text("site/x/ada/t-1/index.html") == "thread")
    #expect(try names() == ["site"])
  }

  @Test func nextSiteReplacesAllOfIt() throws {
    try publish(["": "one", "gone/": "gone"])
    try publish(["": "two"])
    #expect(try Set(folder.tree("site").keys) == [".threadsite", "index.html"])
    #expect(try folder.text("site/index.html") == "two")
    #expect(try names() == ["site"])
  }

  @Test func previousSiteIsUntouchedUntilTheEnd() throws {
    try publish(["": "one"])
    let before = try folder.tree("site")
    let staged = try stage()
    try staged.write([1], to: "")
    #expect(try folder.tree("site") == before)
    try staged.discard()
    #expect(try folder.tree("site") == before)
    #expect(try names() == ["site"])
  }

  @Test func acceptsAnEmptyFolder() throws {
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    try publish(["": "home"])
    #expect(folder.exists("site/index.html"))
  }

  @Test func createsParentFolders() throws {
    let staged = try StagedSite(output: folder.path + "/public/threads/", force: false)
    try staged.write([], to: "")
    try staged.publish()
    #expect(folder.exists("public/threads/index.html"))
  }

  @Test func rejectsAForeignFolder() throws {
    try folder.write("mine", to: "site/thesis.tex")
    let error = #expect(throws: SiteOutputError.self) { try stage() }
    #expect(error?.description.contains("files that threadsite did not write") == true)
    #expect(try names() == ["site"])
    #expect(try folder.text("site/thesis.tex") == "mine")
  }

  @Test func folderNamedLikeTheMarkerIsNotAMarker() throws {
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

  @Test func rejectsAFileAsOutput() throws {
    try folder.write("mine", to: "site")
    #expect(throws: SiteOutputError.self) { try stage() }
    #expect(throws: SiteOutputError.self) { try stage(force: true) }
    #expect(try folder.text("site") == "mine")
  }

  @Test(arguments: ["/", "//", ""])
  func rejectsTheRootOfTheFileSystem(path: String) {
    #expect(throws: SiteOutputError.self) { try StagedSite(output: path, force: true) }
  }

  @Test(arguments: [true, false])
  func rejectsASymbolicLink(isDangling: Bool) throws {
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

  @Test func clearsTheFilesOfAKilledBuild() throws {
    try folder.write("half a page", to: ".site.staging/new/x/ada/t-1/index.html")
    try folder.write("?", to: ".site.staging/.hidden")
    try publish(["": "home"])
    #expect(try Set(folder.tree("site").keys) == [".threadsite", "index.html"])
    #expect(try names() == ["site"])
  }

  @Test func doesNotFollowLinksInLeftoverFiles() throws {
    try folder.write("precious", to: "elsewhere/file")
    try folder.write("", to: ".site.staging/new/index.html")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/.site.staging/new/link", withDestinationPath: folder.path + "/elsewhere")
    try publish(["": "home"])
    #expect(try folder.text("elsewhere/file") == "precious")
  }

  @Test func rejectsAStagingFolderThatIsALink() throws {
    try folder.write("precious", to: "elsewhere/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/.site.staging", withDestinationPath: folder.path + "/elsewhere")
    #expect(throws: SiteOutputError.self) { try stage() }
    #expect(try folder.text("elsewhere/file") == "precious")
  }

  // MARK: Replacement

  private func inode(_ path: String) throws -> UInt64 {
    var information = stat()
    try #require(lstat(folder.path + "/" + path, &information) == 0)
    return UInt64(information.st_ino)
  }

  @Test func doesNotTouchUnchangedFiles() throws {
    try folder.write("picture", to: "picture.jpg")
    func build(_ text: String) throws {
      let staged = try stage()
      try staged.write(Array(text.utf8), to: "")
      try staged.write(Array("same".utf8), to: "a/b/")
      try staged.copy(from: folder.path + "/picture.jpg", to: "media/picture.jpg")
      try staged.publish()
    }
    try build("one")
    let kept = ["site", "site/a", "site/a/b/index.html", "site/media/picture.jpg", "site/.threadsite"]
    let before = try kept.map(inode)
    let page = try inode("site/index.html")
    try build("two")
    #expect(try kept.map(inode) == before)
    #expect(try inode("site/index.html") != page)
    #expect(try folder.text("site/index.html") == "two")
    // The length is the same, so only the bytes differ.
    try folder.write("PICTURE", to: "picture.jpg")
    try build("two")
    #expect(try folder.text("site/media/picture.jpg") == "PICTURE")
  }

  /// A disk may be mounted at an empty folder.
  @Test func keepsAnEmptyFolder() throws {
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    let before = try inode("site")
    try publish(["": "home"])
    #expect(try inode("site") == before)
  }

  @Test func filesAndFoldersMayReplaceEachOther() throws {
    try publish(["a": "file", "b/": "page", "b/c/d/": "page", "e/f": "file"])
    try publish(["a/": "page", "a/x/y/": "page", "b": "file", "e": "file"])
    #expect(
      try folder.tree("site").mapValues { String(decoding: $0, as: UTF8.self) }.filter {
        $0.key != ".threadsite"
      }
        == ["a/index.html": "page", "a/x/y/index.html": "page", "b": "file", "e": "file"])
    #expect(try names() == ["site"])
  }

  @Test func removesFilesThatAreNotOfTheSite() throws {
    try publish(["": "home", "old/deep/er/": "old", "kept/": "kept"])
    try folder.write("precious", to: "elsewhere/file")
    try folder.write("stray", to: "site/kept/stray.txt")
    try FileManager.default.createDirectory(
      atPath: output + "/empty/er", withIntermediateDirectories: true)
    for link in ["kept/link", "link", "new"] {
      try FileManager.default.createSymbolicLink(
        atPath: output + "/" + link, withDestinationPath: folder.path + "/elsewhere")
    }
    try publish(["": "home", "kept/": "kept", "new/": "new"])
    #expect(
      try Set(folder.tree("site").keys)
        == [".threadsite", "index.html", "kept/index.html", "new/index.html"])
    #expect(!folder.exists("site/old") && !folder.exists("site/empty"))
    #expect(try folder.text("elsewhere/file") == "precious")
    #expect(!folder.exists("elsewhere/index.html"))
  }

  @Test func replacesAPageThatIsALink() throws {
    try publish(["": "home"])
    try folder.write("home", to: "elsewhere/index.html")
    try folder.remove("site/index.html")
    try FileManager.default.createSymbolicLink(
      atPath: output + "/index.html", withDestinationPath: folder.path + "/elsewhere/index.html")
    try publish(["": "home"])
    let attributes = try FileManager.default.attributesOfItem(atPath: output + "/index.html")
    #expect(attributes[.type] as? FileAttributeType == .typeRegular)
  }

  /// A program that dies at any point of the exchange leaves a complete staged site, a part of which may be
  /// in place.
  @Test(arguments: 0..<6) func finishesAnInterruptedExchange(done: Int) throws {
    try publish(["": "one", "gone/": "gone", "x": "file", "same/": "same"])
    let new = ["index.html": "two", "x/index.html": "page", "new/a.css": "css"]
    for (path, text) in new { try folder.write(text, to: ".site.staging/complete/" + path) }
    try folder.write("gone/index.html\0gone\0", to: ".site.staging/removals")
    if done > 0 {
      try FileManager.default.createDirectory(atPath: output + "/new", withIntermediateDirectories: true)
    }
    if done > 1 {
      try FileManager.default.moveItem(
        atPath: folder.path + "/.site.staging/complete/new/a.css", toPath: output + "/new/a.css")
    }
    if done > 2 { try folder.remove("site/x") }
    if done > 3 { try folder.remove("site/gone/index.html") }
    if done > 4 { try folder.remove("site/gone") }
    try StagedSite.finish(output: output)
    var expected = new
    expected["same/index.html"] = "same"
    let found = try folder.tree("site").mapValues { String(decoding: $0, as: UTF8.self) }
    #expect(found.filter { $0.key != ".threadsite" } == expected)
    #expect(try names() == ["site"])
    // Again, with nothing to do.
    try StagedSite.finish(output: output)
  }

  /// The next build finishes it first, even if that build itself fails.
  @Test func nextBuildFinishesTheInterruptedOne() throws {
    try publish(["": "one"])
    try folder.write("two", to: ".site.staging/complete/index.html")
    try folder.write("", to: ".site.staging/removals")
    try stage().discard()
    #expect(try folder.text("site/index.html") == "two")
    #expect(try names() == ["site"])
  }

  @Test func removesAFolderInPlaceOfAPage() throws {
    try publish(["": "one", "b/": "one"])
    let staged = try stage()
    try staged.write(Array("two".utf8), to: "b/")
    try folder.remove("site/b")
    try folder.write("?", to: "site/b/index.html/x/y")
    try staged.publish()
    #expect(try folder.text("site/b/index.html") == "two")
  }

  @Test func concurrentBuildsDoNotMix() throws {
    let first = try stage()
    try first.write(Array("first".utf8), to: "")
    let error = #expect(throws: SiteOutputError.self) { try stage() }
    #expect(error?.description.contains("the site is being built or published by another process") == true)
    // Another site beside it is not locked.
    let other = try StagedSite(output: folder.path + "/other", force: false)
    try other.discard()
    try first.publish()
    #expect(try folder.text("site/index.html") == "first")
  }

  @Test func lockIsReleasedWithItsBuild() throws {
    do { _ = try stage() }
    try publish(["": "second"])
    #expect(try folder.text("site/index.html") == "second")
  }

  @Test func manyConcurrentBuildsLeaveACompleteSite() async throws {
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

  @Test func rejectsWritingAFileTwice() throws {
    let staged = try stage()
    try staged.write([1], to: "x/")
    let error = #expect(throws: SiteOutputError.self) { try staged.write([2], to: "x/index.html") }
    #expect(error?.description.contains("x/index.html") == true)
    try staged.publish()
    #expect(try folder.tree("site")["x/index.html"] == Data([1]))
  }

  @Test func copiesFilesByteForByte() throws {
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

  /// Only folders whose content may have changed are listed. The removed files are the same as without this
  /// knowledge.
  @Test func doesNotListKnownFolders() throws {
    try publish(["": "one", "a/": "one", "a/b/": "one", "c/d/e/": "one", "f/": "one"])
    let files = try folder.tree("site").keys.sorted()
    let folders = StagedSite.folders(of: files)
    #expect(folders == ["", "a", "a/b", "c", "c/d", "c/d/e", "f"])
    try folder.write("stray", to: "site/a/stray.txt")
    try folder.write("stray", to: "site/f/g/h/stray.txt")
    try folder.write("stray", to: "site/a/b/unseen.txt")
    let changed: Set = ["a", "f"]
    let known = StagedSite.KnownContents(
      files: signatures(of: files),
      folders: Dictionary(uniqueKeysWithValues: folders.map { ($0, changed.contains($0)) }))
    let staged = try stage()
    for page in ["", "a/", "a/b/", "f/"] as [SitePath] {
      try staged.write(Array((page == "f/" ? "two" : "one").utf8), to: page)
    }
    let removed = try staged.putInPlace(known)
    try staged.discard()
    #expect(
      Set(removed) == [
        "a/stray.txt", "c", "c/d", "c/d/e", "c/d/e/index.html", "f/g", "f/g/h", "f/g/h/stray.txt",
      ])
    #expect(
      try folder.tree("site").keys.sorted() == [
        ".threadsite", "a/b/index.html", "a/b/unseen.txt", "a/index.html", "f/index.html", "index.html",
      ])
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/site/c"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/site/f/g"))
  }

  /// Two names that only look the same belong to two files. A kept file stays.
  @Test func removesKnownFileWhoseNameOnlyLooksLikeAnother() throws {
    let (composed, decomposed) = ("caf\u{e9}.html", "cafe\u{301}.html")
    try publish(["": "one", "kept": "one"])
    try folder.write("one", to: "site/\(composed)")
    let files = signatures(of: try folder.tree("site").keys.sorted())
    let known = StagedSite.KnownContents(
      files: files,
      folders: Dictionary(uniqueKeysWithValues: StagedSite.folders(of: files.keys).map { ($0, false) }))
    let staged = try stage()
    try staged.keep("kept", try #require(files["kept"]))
    try staged.write(Array("two".utf8), to: "")
    try staged.write(Array("two".utf8), to: SitePath(decomposed))
    #expect(try staged.putInPlace(known).map { Array($0.utf8) } == [Array(composed.utf8)])
    try staged.discard()
    #expect(
      try folder.tree("site").keys.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        == [".threadsite", decomposed, "index.html", "kept"].map { Array($0.utf8) })
  }

  @Test func fileAndFolderExchangePlaces() throws {
    for knows in [false, true] {
      if folder.exists("site") { try folder.remove("site") }
      try publish(["": "one", "a/b.html": "one", "c": "one"])
      let files = try folder.tree("site").keys.sorted()
      let known = StagedSite.KnownContents(
        files: signatures(of: files),
        folders: Dictionary(uniqueKeysWithValues: StagedSite.folders(of: files).map { ($0, false) }))
      let staged = try stage()
      for page in ["", "a", "c/d.html"] as [SitePath] { try staged.write(Array("two".utf8), to: page) }
      try staged.putInPlace(knows ? known : nil)
      try staged.discard()
      #expect(try folder.tree("site").keys.sorted() == [".threadsite", "a", "c/d.html", "index.html"])
    }
  }

  private func signatures(of files: [String]) -> [String: FileSignature] {
    var signatures: [String: FileSignature] = [:]
    for file in files { signatures[file] = FileSystem.signature(of: "\(folder.path)/site/\(file)") }
    return signatures
  }
}
