import Foundation
import SiteWorkspace
import TestSupport
import Testing

/// Files in the store's media folder are published only if their content matches their type.
@Suite struct PublishedMediaTests {
  private static let markup = Data("<html><script>alert(document.domain)</script></html>".utf8)

  private static let bad: [(String, Data)] = [
    ("a markup file, such as HTML or SVG", markup),
    ("a markup file, such as HTML or SVG", Data("\u{FEFF}  <svg onload='alert(1)'/>".utf8)),
    ("an empty file", Data()),
    ("no JPEG, PNG, GIF, WebP, AVIF, MP4, MP3, Ogg, WAV, FLAC, M4A or WebVTT", Data("alert(1)".utf8)),
    ("its content is JPEG, but its name does not end in .jpg", SampleMedia.jpeg()),
    // Two billion pixels in a few bytes.
    ("it has 65535 × 35000 pixels, which is over the limit", SampleMedia.jpeg(width: 65_535, height: 35_000)),
    ("its PNG header is damaged or truncated", SampleMedia.png().prefix(20)),
  ]

  @Test(arguments: bad.indices)
  func doesNotPublishInvalidMedia(index: Int) throws {
    let (reason, bytes) = Self.bad[index]
    let site = try TemporarySite("defaults")
    let name = reason.contains("65535") ? "two.jpg" : "two.png"
    if name == "two.jpg" {
      let json = try site.folder.text("threads/x/bo/2001.json")
      try #require(json.contains("two.png"))
      try site.folder.write(json.replacing("two.png", with: "two.jpg"), to: "threads/x/bo/2001.json")
    }
    try site.folder.write(bytes, to: "threads/media/" + name)
    let error = #expect(throws: PipelineError.self) { try site.build() }
    #expect(error?.kind == .content)
    let messages = error?.messages.joined(separator: "\n") ?? ""
    #expect(
      messages.contains("\(site.path)/threads/media/\(name): error: this file cannot be published"),
      "\(messages)")
    #expect(messages.contains(reason), "\(messages)")
    #expect(!site.folder.exists("site"))
  }

  @Test func pipeInTheMediaFolderDoesNotHangTheBuild() throws {
    let site = try TemporarySite("defaults")
    try site.folder.remove("threads/media/two.png")
    #expect(mkfifo(site.path + "/threads/media/two.png", 0o600) == 0)
    let error = #expect(throws: PipelineError.self) { try site.build() }
    #expect(error?.kind == .content)
    #expect(
      error?.messages.joined().contains("two.png: error: could not read the file: it is not a regular file")
        == true)
  }

  @Test(arguments: ["threads/x/ada/1001.json", "threads/permalinks.json", "threads/sources.json"])
  func pipeInTheStoreDoesNotHangTheBuild(name: String) throws {
    let site = try TemporarySite("defaults")
    if site.folder.exists(name) { try site.folder.remove(name) }
    #expect(mkfifo(site.path + "/" + name, 0o600) == 0)
    let error = #expect(throws: PipelineError.self) { try site.build() }
    #expect(error?.kind == .content)
    #expect(
      error?.messages.joined().contains("\(name): error: could not read the file: it is not a regular file")
        == true)
  }

  @Test func pipeDoesNotHangTheImport() throws {
    let site = try TemporarySite("defaults")
    #expect(mkfifo(site.path + "/pipe.json", 0o600) == 0)
    let outcome = try Program(folder: site.path).run(["import", "pipe.json"])
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("pipe.json: error: could not read the file: it is not a regular file"))
  }
}
