import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore
import XStub

extension FetchingTests {
  /// The author's archive and X's API return the same thread.
  @Suite("An archive and the API make one thread")
  struct ArchiveAndAPITests {
    /// Writes an unpacked archive with some posts of the sample's author, and with X's references to the
    /// answered posts.
    private func writeArchive(of posts: some Sequence<StubID>, in fetching: FetchingSite) throws {
      let sample = fetching.sample
      let world = sample.world
      let entries = posts.compactMap { id -> String? in
        guard let post = world.posts[id] else { return nil }
        let reply = post.replyTo.map {
          "\"in_reply_to_status_id_str\": \"\($0)\", \"in_reply_to_user_id_str\": \"\(sample.author.id)\","
        }
        let seconds = id.date.timeIntervalSince1970
        return """
          {"tweet": {"id_str": "\(id)", "id": "\(id)", \(reply ?? "") "full_text": "from the archive \(id)",
          "created_at": "\(Self.date(seconds))", "entities": {}, "favorite_count": "1", "retweet_count": "0"}}
          """
      }
      let folder = fetching.site.folder
      try folder.write(
        "window.YTD.tweets.part0 = [\(entries.joined(separator: ",\n"))]", to: "archive/data/tweets.js")
      try folder.write(
        """
        window.YTD.account.part0 = [{"account": {"username": "\(sample.author.username)",
        "accountId": "\(sample.author.id)", "accountDisplayName": "Mira"}}]
        """, to: "archive/data/account.js")
    }

    /// `Wed Jan 06 18:40:40 +0000 2021`
    private static func date(_ seconds: Double) -> String {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(identifier: "UTC")
      formatter.dateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
      return formatter.string(from: Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [true, false]) func makeOneThreadInEitherOrder(archiveFirst: Bool) async throws {
      let fetching = try await FetchingSite(days: 20)
      try writeArchive(of: fetching.sample.posts[0..<6], in: fetching)
      let steps = [["import", "archive"], ["fetch", "\(fetching.sample.posts[2])"]]
      for step in archiveFirst ? steps : steps.reversed() {
        let outcome = try await fetching.run(step[0], step[1])
        #expect(outcome.code == 0, "\(outcome.errors)")
      }
      let conversation = try fetching.conversation()
      let known = Set(conversation.posts.map(\.id))
      for post in fetching.sample.visible { #expect(known.contains(post.post), "\(post) is missing") }
      #expect(Set(conversation.provenance.map(\.source)) == [.xAPI, .xArchive])
      try await fetching.finish()
    }

    /// Without a post in the middle, an archive has two chains without a known connection.
    @Test(arguments: [true, false])
    func archiveWithoutAMiddlePostMakesOneThreadWithTheAPI(archiveFirst: Bool) async throws {
      let fetching = try await FetchingSite(days: 20)
      let gone = fetching.sample.posts[4]
      fetching.stub.change { $0.delete(gone) }
      try writeArchive(of: fetching.sample.posts.filter { $0 != gone }, in: fetching)
      let fetch = archiveFirst ? ["fetch", "--all"] : ["fetch", "\(fetching.sample.posts[2])"]
      let steps = [["import", "archive"], fetch]
      for step in archiveFirst ? steps : steps.reversed() {
        let outcome = try await fetching.run(step[0], step[1])
        #expect(outcome.code == 0, "\(outcome.errors)")
        if archiveFirst, step[0] == "import" { #expect(try fetching.store.list().count > 1) }
      }
      let conversation = try fetching.conversation()
      #expect(conversation.id == fetching.sample.root.post)
      let known = Set(conversation.posts.map(\.id))
      for post in fetching.sample.visible where post != gone {
        #expect(known.contains(post.post), "\(post) is missing")
      }
      try await fetching.finish()
    }

    /// The archive lacks the first posts, so the conversation of the other posts is unknown.
    @Test func chainWithoutItsBeginningFindsItsConversation() async throws {
      let fetching = try await FetchingSite(days: 20)
      try writeArchive(of: fetching.sample.posts[3..<8], in: fetching)
      #expect(try await fetching.run("import", "--with-replies", "archive").code == 0)
      let before = try fetching.conversation()
      #expect(before.id != fetching.sample.root.post)
      #expect(try await fetching.run("build").code == 0)
      #expect(try await fetching.run("publish", "--record").code == 0)
      let record = try fetching.site.folder.text("threads/permalinks.json")
      let outcome = try await fetching.run("fetch", "\(fetching.sample.posts[4])")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let after = try fetching.conversation()
      #expect(after.id == fetching.sample.root.post)
      #expect(Set(after.posts.map(\.id)).isSuperset(of: before.posts.map(\.id)))
      #expect(try await fetching.run("build").code == 0)
      let address = try #require(record.firstMatch(of: #/: "(x/[^"]+)"/#)).1
      #expect(fetching.site.folder.exists("site/\(address)index.html"), "the page keeps its URL")
      try await fetching.finish()
    }
  }
}
