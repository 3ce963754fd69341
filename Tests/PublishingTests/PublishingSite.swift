import Basics
import Foundation
import Publishing
import SiteOutput
import TestSupport
import Testing

/// A small site in a folder of its own, with space for the targets beside it.
final class PublishingSite: Sendable {
  let top: TemporaryFolder

  /// Includes names that often cause trouble for hosts.
  static let files: [String: String] = [
    "index.html": "<!doctype html><title>All</title>",
    "x/@ada/هذا-1/index.html": "<!doctype html><title>One</title>",
    "x/@ada/日本 &+=%~-2/index.html": "<!doctype html><title>Two</title>",
    "assets/site.css": "body { color: black }",
    "_headers": "/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n",
    "feed.xml": "<feed/>", ".nojekyll": "", ".well-known/security.txt": "Contact: mailto:a@example.org\n",
    "media/empty.bin": "", "x/@ada/a\"b'c\\d.md": "# Odd\n",
  ]

  init(_ files: [String: String] = PublishingSite.files) throws {
    top = try TemporaryFolder()
    try top.write("This is threadsite's.\n", to: "site/.threadsite")
    for (path, text) in files { try top.write(text, to: "site/" + path) }
  }

  var published: PublishedSite {
    PublishedSite(
      folder: top.path + "/site", basePath: "/", state: top.path + "/.threadsite/publish", jobs: 2
    ) { _, _, _ in
    }
  }

  /// The site's present files, read from the disk.
  func content() throws -> [String: Data] {
    var tree = try top.tree("site")
    tree[".threadsite"] = nil
    return tree
  }

  /// Compares and publishes.
  @discardableResult
  func publish(to target: some PublishTarget) async throws -> SiteDifference? {
    let work = try await target.compare(published)
    if work.difference?.isEmpty == true { return work.difference }
    try await work.carryOut().get()
    return work.difference
  }

  /// Adds, changes and removes files, as `expectChange` expects.
  func change() throws {
    try top.write("body { color: navy }", to: "site/assets/site.css")
    try top.write("<!doctype html><title>Three</title>", to: "site/x/bo/3/index.html")
    try top.remove("site/x/@ada/هذا-1/index.html")
    try top.remove("site/x/@ada/هذا-1")
  }

  static func expectChange(_ difference: SiteDifference?) {
    #expect(difference?.added.map(\.path.text) == ["x/bo/3/index.html"])
    #expect(difference?.changed.map(\.path.text) == ["assets/site.css"])
    #expect(difference?.removed.map(\.text) == ["x/@ada/هذا-1/index.html"])
    #expect(difference?.unchanged == PublishingSite.files.count - 2)
  }
}

/// Runs a program and returns its output.
@discardableResult
func shell(_ words: String..., in folder: String, input: String? = nil, fails: Bool = false) throws -> String
{
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = words
  process.currentDirectoryURL = URL(filePath: folder)
  process.environment = [
    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder, "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "T", "GIT_AUTHOR_EMAIL": "t@example.org", "GIT_COMMITTER_NAME": "T",
    "GIT_COMMITTER_EMAIL": "t@example.org",
  ]
  let output = ProcessLauncher.makePipe()
  process.standardOutput = output
  process.standardError = output
  process.standardInput = FileHandle.nullDevice
  try ProcessLauncher.start(process)
  let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  let text = String(decoding: bytes, as: UTF8.self)
  if !fails { try #require(process.terminationStatus == 0, "\(words): \(text)") }
  return text
}
