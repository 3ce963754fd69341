import Basics
import NetworkSources
import TestSupport
import Testing
import ThreadModel
import ThreadsNetwork
import Unroll

/// Threads made from saved responses.
@Suite struct ThreadTests {
  private func thread() throws -> Conversation {
    let (conversations, report) = try imported(InventedThread.files)
    #expect(report.problems == [] && report.reposts == 1)
    #expect(conversations.count == 1)
    return try #require(conversations.first)
  }

  private func post(_ number: Int) throws -> Post {
    try #require(try thread().posts.first { $0.id == InventedThread.postID(number) })
  }

  @Test func joinsTheResponsesToOneThread() throws {
    let thread = try thread()
    #expect(thread.id == InventedThread.postID(101))
    #expect(thread.authorID == ThreadsID.author("ada") && thread.author?.handle == "ada")
    #expect(thread.author?.url == "https://www.threads.com/@ada")
    #expect(thread.posts.map(\.id.value) == ([Int](101...112) + [201, 202]).map(InventedThread.id))
    #expect(thread.posts.allSatisfy { $0.conversationID == thread.id })
    #expect(thread.provenance.map(\.source) == ["threads-api", "threads-api"])
  }

  @Test func mainLineFollowsTheAuthorsReplies() throws {
    let unrolled = UnrolledThread(unrolling: try thread())
    #expect(unrolled.mainPosts.map(\.post.id) == (101...112).map(InventedThread.postID))
  }

  /// Ids of Threads need not grow with time.
  @Test func repliesDetermineTheOrderOfPostsOfOneSecond() throws {
    let time: JSONObject = ["timestamp": "2026-04-14T09:00:00+0000"]
    let posts = [
      InventedThread.post(101, by: "ada", "1", time),
      InventedThread.post(190, by: "ada", "2", answers: 101, time),
      InventedThread.post(150, by: "ada", "3", answers: 190, time),
      InventedThread.post(170, by: "ada", "4", answers: 150, time),
    ]
    let conversations = try imported([JSONWriter.text(of: InventedThread.list(posts)).bytes]).conversations
    let unrolled = UnrolledThread(unrolling: try #require(conversations.first))
    #expect(unrolled.mainPosts.map(\.post.text.text) == ["1", "2", "3", "4"])
  }

  @Test func keepsTheQuotedPost() throws {
    let thread = try thread()
    #expect(try post(105).quotes == InventedThread.postID(300))
    #expect(thread.related.map(\.text.text) == ["Four metres."])
    #expect(thread.authors.compactMap(\.handle).sorted() == ["Carl", "ada", "bob_2"])
  }

  @Test func childrenOfACarouselAreMedia() throws {
    let media = try post(107).media
    #expect(media.map(\.kind) == [.photo, .video, "unknown"])
    #expect(media[0].url == "https://cdn.example/1.jpg?e=1" && media[0].altText == "The harbor at low tide")
    #expect(media[1].bestVideo?.url == "https://cdn.example/2.mp4?e=1")
    #expect(media[1].posterURL == "https://cdn.example/2.jpg" && media[1].altText == nil)
  }

  @Test(arguments: [("IMAGE", MediaKind.photo), ("VIDEO", .video), ("AUDIO", .audio)])
  func singleAttachmentIsAMedium(type: String, kind: MediaKind) throws {
    let one = InventedThread.post(
      101, by: "ada", "",
      ["media_type": .string(type), "media_url": "https://cdn.example/a.mp4", "alt_text": "A"])
    let post = try #require(try imported([JSONWriter.text(of: one).bytes]).conversations.first?.posts.first)
    #expect(post.media.map(\.kind) == [kind] && post.media[0].altText == "A")
    #expect(post.media[0].id == InventedThread.id(101))
  }

  @Test func repliesOfOthersAreInTheThread() throws {
    let unrolled = UnrolledThread(unrolling: try thread())
    #expect(unrolled.mainPosts.allSatisfy { $0.post.authorID == ThreadsID.author("ada") })
    #expect(try post(201).authorID == ThreadsID.author("carl"))
    #expect(try post(202).inReplyTo == InventedThread.postID(201))
  }

  @Test func hiddenRepliesAreNotKept() throws {
    let thread = try thread()
    #expect(!thread.posts.contains { $0.id == InventedThread.postID(203) })
    #expect(thread.tombstones.map(\.id) == [InventedThread.postID(203)])
    #expect(!thread.authors.contains { $0.handle == "dora" })
  }

  /// A reply is hidden by a response in any position.
  @Test func replyThatBecomesHiddenIsRemoved() throws {
    let shown = InventedThread.post(203, by: "dora", "Rude words", answers: 103)
    let file = JSONWriter.text(of: InventedThread.list([shown])).bytes
    let all = InventedThread.files
    for order in [[file] + all, all + [file]] {
      var stored: [Conversation] = []
      for file in order { stored = try imported([file], into: stored) }
      #expect(stored.count == 1 && stored.first?.posts.count == 14)
    }
    let alone = try imported([
      file, JSONWriter.text(of: InventedThread.list([InventedThread.others[2]])).bytes,
    ])
    #expect(alone.conversations.map(\.posts.count) == [0])
  }

  @Test func factsOfAPost() throws {
    let first = try post(101)
    #expect(first.url == "https://www.threads.com/@ada/post/C101")
    #expect(first.extra == ["shortcode": "C101", "owner": ["id": "5550001"]])
    #expect(first.createdAt == Timestamp(iso8601: "2026-04-14T09:11:00Z"))
    #expect(try post(103).observedAt == Timestamp(iso8601: "2026-04-15T08:00:00Z"))
    let kinds = first.text.segments.compactMap(\.entity)
    #expect(
      kinds == [
        .mention(handle: "bob_2", url: "https://www.threads.com/@bob_2"), .hashtag(tag: "tides", url: nil),
        .link(url: "https://tides.example/a", short: nil),
      ])
  }

  /// Posts that were reported for copyright have no `permalink`.
  @Test func shortcodeReplacesAMissingPermalink() throws {
    let one = InventedThread.post(101, by: "ada", "x", ["permalink": nil])
    let post = try imported([JSONWriter.text(of: one).bytes]).conversations.first?.posts.first
    #expect(post?.url == "https://www.threads.com/@ada/post/C101")
  }

  /// The order of the files, and their distribution over imports, make no difference.
  @Test func orderOfTheFilesMakesNoDifference() throws {
    var random = SeededRandom()
    let whole = try imported(InventedThread.files).conversations
    // Also one file for each post, and files without the fields for the place of a post.
    var portions = InventedThread.files
    for post in InventedThread.continuation + InventedThread.others + [InventedThread.first] {
      portions.append(JSONWriter.text(of: post).bytes)
      var bare = post.object ?? [:]
      bare["root_post"] = nil
      portions.append(JSONWriter.text(of: .object(bare)).bytes)
    }
    let all = try imported(portions).conversations
    #expect(all.map(\.posts.count) == [14])
    for round in 0..<TestDepth.cases(fast: 20, deep: 500) {
      for (files, expected) in [(InventedThread.files, whole), (portions, all)] {
        var rest = files.shuffled(using: &random)[...]
        var stored: [Conversation] = []
        while !rest.isEmpty {
          let portion = rest.prefix(Int.random(in: 1...files.count, using: &random))
          rest = rest.dropFirst(portion.count)
          stored = try imported(Array(portion), into: stored)
        }
        #expect(stored == expected, "round \(round), THREADSITE_SEED=\(SeededRandom.seedOfRun)")
      }
    }
    #expect(try imported(portions, into: all) == all)
  }

  /// Without the first post, the conversations of the repliers are the same for any order.
  @Test func orderOfTheFilesMakesNoDifferenceWithoutTheFirstPost() throws {
    var random = SeededRandom()
    var files: [[UInt8]] = []
    for post in InventedThread.continuation + InventedThread.others {
      files.append(JSONWriter.text(of: post).bytes)
      var bare = post.object ?? [:]
      bare["root_post"] = nil
      files.append(JSONWriter.text(of: .object(bare)).bytes)
    }
    let expected = try imported(files).conversations
    #expect(expected.map(\.authorID) == ["ada", "carl"].map(ThreadsID.author))
    // Carl's post answers Ada's third; the first is missing.
    #expect(expected.map(\.posts.count) == [13, 3] && expected.flatMap(\.tombstones).count == 1)
    for round in 0..<TestDepth.cases(fast: 20, deep: 500) {
      var rest = files.shuffled(using: &random)[...]
      var stored: [Conversation] = []
      while !rest.isEmpty {
        let portion = rest.prefix(Int.random(in: 1...files.count, using: &random))
        rest = rest.dropFirst(portion.count)
        stored = try imported(Array(portion), into: stored)
      }
      #expect(stored == expected, "round \(round), THREADSITE_SEED=\(SeededRandom.seedOfRun)")
    }
  }

  /// A response of `/{id}/replies` without the first post. The number of stored posts grows with the response, not with its square.
  @Test func repliesOfManyAuthorsToAMissingPostAreStoredOnce() throws {
    let replies = (200..<350).map { number in
      InventedThread.post(
        number, by: "u\(number)", "x", answers: 101, ["timestamp": "2026-04-14T09:00:00+0000"])
    }
    let file = JSONWriter.text(of: InventedThread.list(replies)).bytes
    let (conversations, _) = try imported([file])
    #expect(conversations.count == 150 && conversations.allSatisfy { $0.id == InventedThread.postID(101) })
    #expect(conversations.allSatisfy { $0.posts.map(\.authorID) == [$0.authorID] })
    // With the first post, they are one conversation.
    let whole = JSONWriter.text(of: InventedThread.list([InventedThread.first] + replies)).bytes
    var answers = ThreadsAnswers()
    try answers.take(whole, file: "0.json")
    #expect(answers.removeParts().map(\.posts.count) == [151])
    #expect(try imported([whole], into: conversations).map(\.posts.count) == [151])
  }

  @Test func hiddenRepliesOfManyAuthorsAreStoredOnce() throws {
    let hidden = (200..<350).map { number in
      InventedThread.post(number, by: "u\(number)", "x", answers: 101, ["hide_status": "HIDDEN"])
    }
    let alone = try imported([JSONWriter.text(of: InventedThread.list(hidden)).bytes]).conversations
    #expect(alone.count == 150 && alone.flatMap(\.tombstones).count == 150)
    let shown = InventedThread.post(120, by: "ada", "x", answers: 103)
    let file = JSONWriter.text(of: InventedThread.list([shown])).bytes
    // A later response that shows a reply does not restore it.
    let replies = JSONWriter.text(
      of: InventedThread.list([InventedThread.post(203, by: "u203", "x", answers: 101)])
    ).bytes
    let stored = try imported([file, replies], into: alone)
    #expect(stored.map(\.authorID) == [ThreadsID.author("ada")])
    #expect(stored.map(\.tombstones.count) == [150])
  }

  @Test func repliesInAnUnknownThreadBelongToTheirAuthors() throws {
    let (conversations, _) = try imported([
      JSONWriter.text(
        of: InventedThread.list([
          InventedThread.post(201, by: "carl", "Why?", answers: 103),
          InventedThread.post(204, by: "eve", "How?", answers: 201),
        ])
      ).bytes
    ])
    #expect(Set(conversations.map(\.authorID)) == [ThreadsID.author("carl"), ThreadsID.author("eve")])
    #expect(conversations.allSatisfy { $0.id == InventedThread.postID(101) })
    // Each has its author's posts and those that they answer.
    #expect(conversations.sorted { $0.authorID < $1.authorID }.map(\.posts.count) == [2, 1])
    // They are joined when the first post is known.
    let joined = try imported(InventedThread.files, into: conversations)
    #expect(joined.map(\.authorID) == [ThreadsID.author("ada")])
    #expect(joined.first?.posts.count == 15)
  }
}
