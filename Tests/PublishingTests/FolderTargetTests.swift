import Basics
import Foundation
import Publishing
import SiteOutput
import TestSupport
import Testing

@Suite struct FolderTargetTests {
  private let site: PublishingSite
  private let place: String

  init() throws {
    site = try PublishingSite()
    place = site.top.path + "/www"
  }

  private func target(force: Bool = false) -> FolderTarget { FolderTarget(place, replacesForeign: force) }

  /// The published files without the list.
  private func publishedFiles() throws -> [String: Data] {
    var tree = try site.top.tree("www")
    tree[".threadsite-published.json"] = nil
    return tree
  }

  @Test func publishesTheSite() async throws {
    let first = try await site.publish(to: target())
    #expect(first?.added.count == PublishingSite.files.count)
    #expect(try publishedFiles() == site.content())
    #expect(try await site.publish(to: target())?.isEmpty == true)
    try site.change()
    PublishingSite.expectChange(try await site.publish(to: target()))
    #expect(try publishedFiles() == site.content())
    // Its folder, which became empty, is also removed.
    #expect(!site.top.exists("www/x/@ada/هذا-1"))
  }

  @Test func comparingChangesNothing() async throws {
    try await site.publish(to: target())
    try site.change()
    let before = try site.top.tree("www")
    PublishingSite.expectChange(try await target().compare(site.published).difference)
    #expect(try site.top.tree("www") == before)
  }

  @Test func doesNotWriteUnchangedFiles() async throws {
    try await site.publish(to: target())
    func inode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: place + "/" + name)[.systemFileNumber] as? Int
    }
    let (page, style) = try (inode("index.html"), inode("assets/site.css"))
    try site.change()
    try await site.publish(to: target())
    #expect(try inode("index.html") == page)
    // Files are replaced as a whole, never overwritten in place.
    #expect(try inode("assets/site.css") != style)
  }

  @Test func keepsFilesOfOthers() async throws {
    try site.top.write("theirs", to: "www/blog/index.html")
    try site.top.write("theirs", to: "www/x/notes.txt")
    try await site.publish(to: target())
    try site.change()
    try await site.publish(to: target())
    var others = try publishedFiles()
    for path in try site.content().keys { others[path] = nil }
    #expect(
      others.mapValues { String(decoding: $0, as: UTF8.self) } == [
        "blog/index.html": "theirs", "x/notes.txt": "theirs",
      ])
  }

  @Test func doesNotReplaceFilesOfOthersByDefault() async throws {
    try site.top.write("theirs", to: "www/index.html")
    // A file in place of the site's folder, and a folder in place of the site's file.
    try site.top.write("theirs", to: "www/media")
    try site.top.write("theirs", to: "www/feed.xml/inside")
    let error = await #expect(throws: PublishError.self) { try await site.publish(to: target()) }
    #expect(error?.kind == .content)
    for name in ["index.html", "media/empty.bin", "feed.xml"] {
      #expect(error?.description.contains(name) == true, "\(name)")
    }
    #expect(try publishedFiles().count == 3)
    try site.top.remove("www/media")
    try site.top.remove("www/feed.xml")
    try await site.publish(to: target(force: true))
    #expect(try publishedFiles() == site.content())
  }

  @Test func keepsFilesThatWereChangedByHand() async throws {
    try await site.publish(to: target())
    try site.top.write("by hand", to: "www/x/@ada/هذا-1/index.html")
    try site.change()
    let difference = try await site.publish(to: target())
    #expect(difference?.removed.isEmpty == true)
    #expect(try site.top.text("www/x/@ada/هذا-1/index.html") == "by hand")
  }

  /// A killed program leaves a list that it wrote before the files, with the planned state.
  @Test func resumesAnInterruptedRun() async throws {
    try await site.publish(to: target())
    let list = try site.top.text("www/.threadsite-published.json")
    try site.change()
    try await site.publish(to: target())
    // The state after the first list and one file: the list names both versions.
    var value = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: Any])
    var files = try #require(value["files"] as? [String: [String]])
    let now = try #require(
      (try JSONSerialization.jsonObject(with: Data(site.top.text("www/.threadsite-published.json").utf8))
        as? [String: Any])?["files"]
        as? [String: [String]])
    for (path, digests) in now {
      files[path] = (files[path] ?? []) + digests.filter { files[path]?.contains($0) != true }
    }
    value["files"] = files
    try site.top.write(
      try JSONSerialization.data(withJSONObject: value), to: "www/.threadsite-published.json")
    try site.top.write("left behind", to: "www/.threadsite-publishing/file")
    try site.top.write("<!doctype html><title>One</title>", to: "www/x/@ada/هذا-1/index.html")
    try site.top.remove("site/x/bo/3/index.html")
    let difference = try await site.publish(to: target())
    #expect(difference?.removed.map(\.text) == ["x/@ada/هذا-1/index.html", "x/bo/3/index.html"])
    #expect(try publishedFiles() == site.content())
  }

  @Test func doesNotFollowLinks() async throws {
    try site.top.write("secret", to: "elsewhere/index.html")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: place + "/assets", withDestinationPath: site.top.path + "/elsewhere")
    let error = await #expect(throws: PublishError.self) { try await site.publish(to: target()) }
    #expect(error?.description.contains("assets/site.css") == true)
    #expect(try site.top.tree("elsewhere").count == 1)
  }

  @Test func damagedListStopsTheRun() async throws {
    try await site.publish(to: target())
    for text in [
      "", "{", "{\"version\":1,\"files\":{\"../../etc/passwd\":[]}}", "{\"version\":2,\"files\":{}}",
    ] {
      try site.top.write(text, to: "www/.threadsite-published.json")
      let error = await #expect(throws: PublishError.self) { try await site.publish(to: target()) }
      #expect(error?.description.contains(".threadsite-published.json") == true)
    }
  }

  @Test func doesNotPublishAnEmptySite() async throws {
    let empty = try PublishingSite([:])
    let error = await #expect(throws: PublishError.self) {
      try await empty.publish(to: FolderTarget(empty.top.path + "/www", replacesForeign: false))
    }
    #expect(error?.kind == .content)
  }

  /// Remembered digests are used only for unchanged files.
  @Test func detectsChangesWithUnchangedTimes() async throws {
    try await site.publish(to: target())
    try site.top.write("", to: "youngest")
    let youngest = try #require(FileSystem.signature(of: site.top.path + "/youngest"))
    while !youngest.isSettled(at: FileSignature.now) { await Task.yield() }
    _ = try await target().compare(site.published)
    let path = site.top.path + "/site/assets/site.css"
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.write(contentsOf: Data("BODY".utf8))
    try handle.close()
    try FileManager.default.setAttributes(
      [.modificationDate: attributes[.modificationDate] as Any], ofItemAtPath: path)
    #expect(
      try await target().compare(site.published).difference?.changed.map(\.path.text) == ["assets/site.css"])
  }
}
