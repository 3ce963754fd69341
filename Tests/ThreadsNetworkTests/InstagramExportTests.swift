import Foundation
import NetworkSources
import TestSupport
import Testing
import ThreadsNetwork

/// Exports of Instagram contain posts of Threads without ids, and are rejected with the reason.
@Suite struct InstagramExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let posts =
    #"{"text_post_app_text_posts": [{"media": [{"uri": "", "creation_timestamp": 1776157200, "title": "Tides \u00f0\u009f\u008c\u008a", "text_app_post": {"is_reply": false}}]}]}"#
  private static let place = "your_instagram_activity/threads/threads_and_replies"

  private func refusal(_ name: String) -> SourceError? {
    #expect(throws: SourceError.self) { try ThreadsSource().export(at: folder.path + "/" + name) }
  }

  private func zip(_ names: [String]) throws {
    let zip = ZipWriter.zip(names.map { ZipWriter.Entry($0, $0.hasSuffix("json") ? Self.posts : "<html>") })
    try folder.write(Data(zip), to: "instagram-ada-2026-04-15-Abc.zip")
  }

  @Test func zipFileIsRejected() throws {
    try zip(["media/posts/1.jpg", Self.place + ".json"])
    let error = refusal("instagram-ada-2026-04-15-Abc.zip")
    #expect(error?.kind == .content && error?.description.contains("Instagram export") == true)
    #expect(error?.description.contains("no ids, no URLs") == true)
    #expect(error?.description.contains("Threads API") == true)
    #expect(error?.description.contains("JSON") == false)
  }

  @Test func htmlExportIsRejectedWithAHint() throws {
    try zip(["media/posts/1.jpg", Self.place + ".html"])
    #expect(refusal("instagram-ada-2026-04-15-Abc.zip")?.description.contains("export as JSON") == true)
  }

  @Test(arguments: [
    "export/\(place).json", "export/threads/threads_and_replies.json", "export/threads_and_replies_1.json",
  ])
  func folderIsRejected(file: String) throws {
    try folder.write(Self.posts, to: file)
    #expect(refusal("export") != nil)
  }

  @Test(arguments: ["threads_and_replies.json", "copy.json", "threads_and_replies.html"])
  func fileAloneIsRejected(file: String) throws {
    try folder.write(Self.posts, to: file)
    #expect(refusal(file) != nil)
  }

  @Test func otherFilesAreNotExports() throws {
    try folder.write(#"{"data":[]}"#, to: "saved/threads_and_replies.json")
    try folder.write("text_post_app_text_posts", to: "saved/note.txt")
    try folder.write(Data(ZipWriter.zip([ZipWriter.Entry("data/tweets.js", "x")])), to: "x.zip")
    try folder.write(Data([0x50, 0x4B, 3, 4, 0, 0]), to: "damaged.zip")
    for name in [
      "saved", "saved/threads_and_replies.json", "saved/note.txt", "x.zip", "damaged.zip", "missing",
    ] {
      #expect(try ThreadsSource().export(at: folder.path + "/" + name) == nil, "\(name)")
    }
  }
}
