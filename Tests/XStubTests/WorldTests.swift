import Basics
import Foundation
import Testing
import XStub

/// The sample world has the documented content, and the entities match their texts.
@Suite struct WorldTests {
  static let start = Date(timeIntervalSinceNow: -2 * 86_400)
  let sample = StubWorld.sampleThread(startingAt: Self.start)

  @Test("IDs contain their times") func idsCarryTimes() {
    let date = Date(timeIntervalSince1970: 1_609_958_440)
    // An example from X's own documents.
    #expect(StubID("1346889436626259968").map { abs($0.date.timeIntervalSince(date)) < 1 } ?? false)
    #expect(abs(StubID(at: date, counter: 7).date.timeIntervalSince(date)) < 0.001)
    #expect(abs(sample.root.date.timeIntervalSince(Self.start)) < 0.001)
    #expect(StubID("12345678901234567890") == nil && StubID("") == nil && StubID("1a") == nil)
  }

  @Test("The thread has 25 posts, each in reply to the previous one") func chain() throws {
    #expect(sample.posts.count == 25)
    #expect(sample.visible.count == 24)
    #expect(sample.posts == sample.posts.sorted())
    for (parent, id) in zip(sample.posts, sample.posts.dropFirst()) {
      let post = try #require(sample.world.post(id))
      #expect(post.replyTo == parent)
      #expect(post.conversation == sample.root)
      #expect(post.author == sample.author.id)
    }
    #expect(sample.world.post(sample.missing)?.isDeleted == true)
    #expect(sample.world.post(sample.versions[0])?.isLatestVersion == false)
  }

  @Test("Offsets count the scalars of the escaped text")
  func offsets() async throws {
    try await withStub(sample.world) { stub in
      let ids = sample.posts.map(\.description).joined(separator: ",")
      let answer = try await stub.json(
        "/2/tweets", allFields().merging(["ids": ids]) { $1 })
      let posts = try #require(answer["data"]?.array)
      #expect(posts.count == 24)
      var count = 0
      for post in posts {
        count += try check(post)
        if let note = post["note_tweet"] { count += try check(note) }
      }
      #expect(count > 25)
    }
  }

  /// Checks that each entity matches its part of the text.
  private func check(_ post: JSONValue) throws -> Int {
    let text = Array(try #require(post["text"]?.string).unicodeScalars)
    var count = 0
    for (kind, list) in post["entities"]?.object ?? [:] {
      for entity in list.array ?? [] {
        let start = try #require(entity["start"]?.int)
        let end = try #require(entity["end"]?.int)
        var slice = String.UnicodeScalarView()
        slice.append(contentsOf: text[start..<end])
        let expected =
          switch kind {
          case "urls": entity["url"]?.string
          case "mentions": "@" + (entity["username"]?.string ?? "")
          case "hashtags": "#" + (entity["tag"]?.string ?? "")
          default: "$" + (entity["tag"]?.string ?? "")
          }
        #expect(String(slice) == expected)
        count += 1
      }
    }
    return count
  }

  @Test("A reply to someone else begins with their handle, a self-reply does not") func handles() {
    #expect(sample.world.post(sample.replies[0])?.text.plain == "@mira_stub Lovely! 😍")
    #expect(sample.world.post(sample.answer)?.text.plain.hasPrefix("@kenji_stub ") == true)
    #expect(sample.world.post(sample.branch[0])?.text.plain == "A side note on notes.")
  }

  @Test("Withheld, suspended, deleted and hidden posts give their errors") func changes() async throws {
    try await withStub(sample.world) { stub in
      let ids = sample.posts.prefix(6).map(\.description)
      stub.change { world in
        world.delete(sample.posts[0])
        world.hide(sample.posts[1], as: .unavailable)
        world.hide(sample.posts[2], as: .disallowed)
        world.withhold(sample.posts[3], StubWithheld(countries: ["DE"]))
      }
      let query = ["ids": ids.joined(separator: ","), "tweet.fields": "withheld,entities"]
      var answer = try await stub.json("/2/tweets", query)
      #expect(answer.errorTypes == ["resource-not-found", "resource-unavailable", "disallowed-resource"])
      #expect(answer.ids == Array(ids[3...]))
      #expect(answer["data"]?[0]?["withheld"]?["scope"] == "tweet")
      #expect(answer["data"]?[0]?["text"]?.string?.hasSuffix("Learn more.") == true)
      stub.change { $0.protect(sample.author.id) }
      answer = try await stub.json("/2/tweets", query)
      #expect(answer["data"] == nil)
      #expect(answer.errorTypes.suffix(3) == Array(repeating: "not-authorized-for-resource", count: 3))
    }
  }
}
