import Foundation
import NetworkSources
import TestSupport
import Testing
import ThreadModel
import Unroll
import XNetwork

@Suite("A real archive", .enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
struct RealArchiveTests {
  private var path: String {
    (ProjectFolders.sharedFixtures?.path ?? "") + "/archive/twitter-archive-2022-11.zip"
  }

  /// The archive's posts, read with Foundation.
  private func posts() throws -> [String: [String: Any]] {
    var found: [String: [String: Any]] = [:]
    try XArchive.zip(path).read(["data/tweets.js"]) { (_, content) throws(SourceError) in
      var data = Data()
      while let piece = try content.next() { data.append(contentsOf: piece) }
      guard let start = data.firstIndex(of: UInt8(ascii: "[")),
        let list = try? JSONSerialization.jsonObject(with: data[start...]) as? [[String: Any]]
      else { return }
      for element in list {
        guard let post = element["tweet"] as? [String: Any], let id = post["id_str"] as? String else {
          continue
        }
        found[id] = post
      }
    }
    return found
  }

  /// The text made only by string replacement, without the offsets of entities.
  private func text(_ post: [String: Any], quotes: Bool) -> String {
    var text = post["full_text"] as? String ?? ""
    let entities = post["entities"] as? [String: Any] ?? [:]
    let media = (post["extended_entities"] as? [String: Any] ?? entities)["media"] as? [[String: Any]] ?? []
    for object in media { text = text.replacing(object["url"] as? String ?? "-", with: "") }
    for link in entities["urls"] as? [[String: Any]] ?? [] {
      let short = link["url"] as? String ?? "-"
      var long = link["expanded_url"] as? String ?? ""
      if quotes, text.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix(short),
        long.contains("/status/")
      {
        long = ""
      }
      for scheme in ["https://", "http://"] where long.hasPrefix(scheme) {
        long = String(long.dropFirst(scheme.count))
      }
      if long.hasSuffix("/"), !long.dropLast().contains("/") { long = String(long.dropLast()) }
      text = text.replacing(short, with: long)
    }
    for (escape, plain) in [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
      text = text.replacing(escape, with: plain)
    }
    return text
  }

  @Test func contains26ThreadsInOrderWithExactTexts() throws {
    let imported = try Imported(path)
    let raw = try posts()
    #expect(raw.count == 1986 && imported.survey.posts == 1986)
    #expect(imported.conversations.count == 26)
    #expect(imported.plan.counts.reposts == 643)
    #expect(imported.survey.author.handle == "andreruffert")
    for conversation in imported.conversations {
      let thread = UnrolledThread(unrolling: conversation)
      let shown = thread.mainPosts.map(\.post.id.value)
      #expect(shown.first == conversation.id.value)
      #expect(thread.completeness.known == conversation.posts.count)
      for (earlier, later) in zip(shown, shown.dropFirst()) {
        #expect(raw[later]?["in_reply_to_status_id_str"] as? String == earlier)
      }
      for post in conversation.posts {
        let expected = text(try #require(raw[post.id.value]), quotes: post.quotes != nil)
        #expect(
          post.text.text.split(whereSeparator: \.isWhitespace)
            == expected.split(whereSeparator: \.isWhitespace),
          "\(post.id)")
        #expect(expected.hasPrefix(post.text.text.prefix(20)) && !post.text.text.contains("https://t.co/"))
      }
    }
  }

  @Test func hasThePhotosOfItsThreadsOrReportsMissingOnes() throws {
    let imported = try Imported(path)
    let media = imported.conversations.flatMap { $0.posts.flatMap(\.media) }
    #expect(media.count { $0.file != nil } + imported.plan.mediaMissing.count == media.count)
    #expect(media.count { $0.file != nil } > 0)
    #expect(media.allSatisfy { $0.file != nil || $0.url != nil || !$0.variants.isEmpty })
  }
}
