import NetworkSources
import TestSupport
import Testing
import ThreadModel
import XNetwork

@Suite("Threads of an archive")
struct ThreadTests {
  private typealias Make = Invented

  @Test func findsThreadsInPostsOfAnyOrder() throws {
    let imported = try Imported(Invented(Invented.posts))
    let conversation = try #require(imported.conversations.first)
    #expect(imported.texts == [["one", "two & more", "three"]])
    #expect(conversation.id.value == "101" && conversation.authorID.value == "7")
    #expect(conversation.posts.allSatisfy { $0.conversationID?.value == "101" && $0.observedAt == nil })
    #expect(conversation.posts[2].inReplyTo?.value == "102")
    #expect(conversation.posts[0].url == "https://x.com/ada/status/101")
    #expect(conversation.posts[0].createdAt?.iso8601 == "2020-01-01T01:41:00Z")
    #expect(conversation.posts[0].metrics.likes == 101)
    let date = Timestamp(year: 2024, month: 1, day: 1)
    #expect(conversation.posts[0].archive == ArchiveObservation(date: date))
    #expect(conversation.provenance == [Provenance(source: .xArchive, fetchedAt: date)])
    #expect(conversation.coverage.isEmpty && conversation.tombstones.isEmpty)
    let author = try #require(conversation.author)
    #expect(author.handle == "ada" && author.name == "Ada" && author.bio?.text == "counts")
    #expect(author.website == "https://ada.example" && author.joinedAt?.iso8601 == "2010-02-09T17:10:05Z")
    #expect(imported.survey.posts == 6 && imported.plan.posts == 3)
    #expect(imported.plan.counts == counts { ($0.reposts, $0.replies, $0.short) = (1, 1, 1) })
  }

  private func counts(_ set: (inout ArchivePlan.Counts) -> Void) -> ArchivePlan.Counts {
    var counts = ArchivePlan.Counts()
    set(&counts)
    return counts
  }

  @Test func threadHasAtLeastTheRequestedNumberOfPosts() throws {
    var choice = ExportChoice()
    choice.minPosts = 4
    #expect(try Imported(Invented(Invented.posts), choice).conversations.isEmpty)
    choice.minPosts = 1
    #expect(
      try Imported(Invented(Invented.posts), choice).texts == [["one", "two & more", "three"], ["alone"]])
  }

  @Test func threadHasTheDateOfItsFirstPost() throws {
    let posts = Invented.posts + [Make.post(200_000, "later"), Make.post(200_001, "still", answers: 200_000)]
    var choice = ExportChoice()
    choice.since = Timestamp(year: 2020, month: 2, day: 1)
    let since = try Imported(Invented(posts), choice)
    #expect(since.texts == [["later", "still"]] && since.plan.counts.outOfRange == 1)
    choice.since = nil
    choice.until = Timestamp(year: 2020, month: 2, day: 1)
    #expect(try Imported(Invented(posts), choice).texts == [["one", "two & more", "three"]])
  }

  @Test func importsRepliesToOthersOnlyOnRequest() throws {
    let posts = [
      Make.post(
        120, "@bob no", answers: 119, of: "8",
        #""entities":{"user_mentions":[{"screen_name":"bob","name":"Bob","id_str":"8","indices":["0","4"]}]}"#
      ),
      Make.post(121, "and", answers: 120), Make.post(125, "also", answers: 119, of: "8"),
      Make.post(126, "more", answers: 125),
    ]
    #expect(try Imported(Invented(posts)).conversations.isEmpty)
    var choice = ExportChoice()
    choice.includesReplies = true
    let conversations = try Imported(Invented(posts), choice).conversations
    let conversation = try #require(conversations.first)
    #expect(conversations.count == 1, "both chains answer the same post")
    #expect(conversation.posts.map(\.id.value) == ["120", "121", "125", "126"])
    #expect(conversation.posts.allSatisfy { $0.conversationID == nil }, "the conversation is unknown")
    let stone = try #require(conversation.tombstones.first)
    #expect(stone.id.value == "119" && stone.reason == .notInArchive && stone.handle == "bob")
    #expect(stone.authorID?.value == "8")
    #expect(conversation.authors.map(\.handle) == ["ada", "bob"])
  }

  @Test func chainWithoutItsFirstPostIsAThread() throws {
    let posts = [Make.post(102, "two", answers: 101), Make.post(103, "three", answers: 102)]
    let conversation = try #require(try Imported(Invented(posts)).conversations.first)
    #expect(conversation.id.value == "101" && conversation.posts.count == 2)
    #expect(conversation.tombstones.map(\.id.value) == ["101"])
  }

  @Test func usesTheConversationThatTheStoreKnows() throws {
    let folder = try Imported(
      Invented([Make.post(102, "two", answers: 101), Make.post(103, "three", answers: 102)]))
    let plan = try ArchivePlan(folder.survey, ExportChoice()) {
      $0.value == "101" ? PostID("99", on: .x) : nil
    }
    #expect(plan.threadCount == 1 && plan.posts == 2)
  }

  @Test func keepsSideBranches() throws {
    let posts = Invented.posts + [Make.post(104, "beside", answers: 101)]
    #expect(try Imported(Invented(posts)).texts == [["one", "two & more", "three", "beside"]])
  }

  @Test func circularRepliesTerminate() throws {
    let posts = [
      Make.post(10, "a", answers: 12), Make.post(11, "b", answers: 10), Make.post(12, "c", answers: 11),
      Make.post(20, "self", answers: 20), Make.post(21, "next", answers: 20),
    ]
    let imported = try Imported(Invented(posts))
    #expect(imported.plan.posts + imported.plan.counts.short + imported.plan.counts.replies <= 5)
  }

  @Test func editedPostKeepsItsLastVersion() throws {
    let edit =
      #""edit_info":{"edit":{"initialTweetId":"101","editControlInitial":{"editTweetIds":["101","105"]}}}"#
    let posts = [
      Make.post(101, "one", ""), Make.post(105, "one, better", edit), Make.post(102, "two", answers: 101),
    ]
    let imported = try Imported(Invented(posts))
    let conversation = try #require(imported.conversations.first)
    #expect(conversation.id.value == "105")
    #expect(Set(conversation.posts.map(\.text.text)) == ["one, better", "two"])
    let edited = try #require(conversation.posts.first { $0.id.value == "105" })
    #expect(edited.earlierVersions.map(\.value) == ["101"] && edited.editedAt != nil)
    #expect(conversation.posts.first { $0.id.value == "102" }?.inReplyTo?.value == "105")
    #expect(imported.plan.counts.earlierVersions == 1)
  }

  @Test func longPostsHaveTheTextOfTheirNotes() throws {
    var archive = Invented([
      Make.post(101, "It begins like this &amp; goes… https://t.co/s"), Make.post(102, "two", answers: 101),
      Make.post(103, "It begins otherwise… https://t.co/s", answers: 102),
    ])
    archive.files["data/note-tweet.js"] = Invented.script(
      "note_tweet",
      [
        #"{"noteTweet":{"noteTweetId":"1","createdAt":"2020-01-01T01:41:00.000Z","core":{"text":"It begins like this & goes on","urls":[]}}}"#,
        #"{"noteTweet":{"noteTweetId":"2","createdAt":"2020-01-01T01:43:00.000Z","core":{"text":"Something else"}}}"#,
      ])
    let imported = try Imported(archive)
    #expect(imported.texts.first?.first == "It begins like this & goes on")
    #expect(imported.texts.first?.last?.hasPrefix("It begins otherwise…") == true)
    #expect(imported.notes == 1)
  }

  /// The text of a post in the thread 101, 102 that ends in `…`, with a note from the same second.
  private func text(
    of post: String, entities: String = "", notes: [String], _ core: String = ""
  ) throws -> InlineText? {
    var archive = Invented([Make.post(101, "one"), Make.post(102, post, answers: 101, of: nil, entities)])
    archive.files["data/note-tweet.js"] = Invented.script(
      "note_tweet",
      notes.map {
        "{\"noteTweet\":{\"createdAt\":\"2020-01-01T01:42:00.500Z\",\"core\":{\"text\":\"\($0)\"\(core)}}}"
      })
    return try Imported(archive).conversations.first?.posts.last?.text
  }

  @Test(arguments: ["@bob @ada_1 ", "@bob ", "@bob  @ada_1\\n", ""])
  func findsANoteWithoutTheHandlesOfItsPost(handles: String) throws {
    let entities = """
      "entities":{"user_mentions":[{"screen_name":"bob","id_str":"8","indices":["0","4"]},
      {"screen_name":"ada_1","id_str":"9","indices":["5","11"]}]}
      """
    let core = """
      ,"mentions":[{"screenName":"eve","fromIndex":"16","toIndex":"20"}],
      "urls":[{"shortUrl":"https://t.co/l","expandedUrl":"https://example.org/long","fromIndex":"23","toIndex":"37"}]
      """
    let note = "Long words, and @eve: \u{1F600}https://t.co/l to the end"
    let text = try #require(
      try text(
        of: "\(handles)Long words, and @eve: \u{1F600}https… https://t.co/s", entities: entities,
        notes: [note], core))
    let expected =
      handles.replacing("\\n", with: "\n") + "Long words, and @eve: \u{1F600}example.org/long to the end"
    #expect(text.text == expected)
    let scalars = Array(expected.unicodeScalars)
    let marked = text.entities.map { entity in
      String(String.UnicodeScalarView(scalars[entity.range]))
    }
    let names = ["@bob", "@ada_1"].filter(handles.contains)
    #expect(marked == names + ["@eve", "example.org/long"])
  }

  @Test func ignoresAmbiguousNotes() throws {
    let cut = "@bob Long words that go on…"
    #expect(
      try text(of: cut, notes: ["Long words that go on and on"])?.text == "@bob Long words that go on and on")
    #expect(
      try text(of: cut, notes: ["Long words that go on and on", "Long words that go on elsewhere"])?.text
        == cut,
      "two notes match")
    #expect(
      try text(of: cut, notes: ["Other", "Long words that go on and on"])?.text.hasSuffix("and on") == true)
    #expect(
      try text(of: cut, notes: ["@bob Long words that go on, whole", "Long words that go on without"])?.text
        == "@bob Long words that go on, whole", "the one with the handles is nearer")
    #expect(
      try text(of: "@bob Lon…", notes: ["Long words that go on"])?.text == "@bob Lon…", "too little to know")
    #expect(try text(of: "https://t.co/x …", notes: ["Long words"])?.text.hasSuffix("…") == true)
    #expect(
      try text(of: "bob@example Long words…", notes: ["Long words, whole"])?.text == "bob@example Long words…"
    )
    #expect(
      try text(
        of: "https://t.co/x begins with a link…", notes: ["https://t.co/x begins with a link, and goes on"])?
        .text
        == "https://t.co/x begins with a link, and goes on")
  }

  @Test func skipsAndCountsCirclePosts() throws {
    var archive = Invented(Invented.posts)
    archive.files["data/twitter-circle-tweet.js"] = Invented.script(
      "twitter_circle_tweet",
      ["{\"tweet\":\(Make.post(102, "POISON"))}", "{\"tweet\":\(Make.post(999, "POISON"))}"])
    let imported = try Imported(archive)
    #expect(imported.plan.counts.circle == 2)
    #expect(imported.conversations.isEmpty, "post one is single, and post three answers a hidden post")
    #expect(!"\(imported.conversations)".contains("POISON"))
  }

  @Test func quotedPostsAreTombstonesOrIncluded() throws {
    let id = 1_346_889_436_626_259_968
    func quote(_ handle: String, _ quoted: Int) -> String {
      "\"entities\":{\"urls\":[{\"url\":\"https://t.co/q\",\"expanded_url\":\"https://twitter.com/\(handle)/status/\(quoted)\",\"indices\":[\"2\",\"16\"]}]}"
    }
    let posts = [
      Make.post(id, "a https://t.co/q", quote("bob", 1_346_889_436_626_250_000)),
      Make.post(id + 1, "b https://t.co/q", answers: id, of: nil, quote("ada", 1_346_889_436_626_250_001)),
      Make.post(1_346_889_436_626_250_001, "mine"),
    ]
    let conversation = try #require(try Imported(Invented(posts)).conversations.first)
    #expect(conversation.posts.map(\.text.text) == ["a", "b"])
    #expect(conversation.related.map(\.text.text) == ["mine"])
    #expect(conversation.tombstones.map(\.handle) == ["bob"])
    #expect(conversation.tombstones.first?.id == conversation.posts.first?.quotes)
  }
}

@Suite("Other content of an archive")
struct ProfileAndQuoteTests {
  private static let first = 1_346_889_436_626_259_968

  /// A post's entities: links by their short forms, and a photo.
  private func entities(_ links: [(String, String)] = [], photo: String? = nil) -> String {
    let urls = links.map { "{\"url\":\"\($0.0)\",\"expanded_url\":\"\($0.1)\"}" }.joined(separator: ",")
    let media = photo.map {
      "{\"id_str\":\"5\",\"type\":\"photo\",\"url\":\"https://t.co/m\",\"media_url_https\":\"https://pbs.twimg.com/media/\($0).jpg\"}"
    }
    return "\"entities\":{\"urls\":[\(urls)],\"media\":[\(media ?? "")]}"
  }

  @Test func importsPhotosOfQuotedOwnPosts() throws {
    let (quoted, linked, circle) = (Self.first - 30, Self.first - 20, Self.first - 10)
    func address(_ id: Int) -> String { "https://x.com/ada/status/\(id)" }
    func post(_ id: Int, _ text: String, answers: Int? = nil, _ more: String) -> String {
      Invented.post(id, text, answers: answers, of: nil, more)
    }
    var archive = Invented([
      post(
        Self.first, "a https://t.co/l in the middle https://t.co/q",
        entities([("https://t.co/l", address(linked)), ("https://t.co/q", address(quoted))])),
      post(
        Self.first + 1, "b https://t.co/c", answers: Self.first,
        entities([("https://t.co/c", address(circle))])),
      post(quoted, "mine https://t.co/m", entities(photo: "quoted")),
      post(linked, "linked https://t.co/m", entities(photo: "linked")),
      post(circle, "secret https://t.co/m", entities(photo: "circle")),
    ])
    archive.files["data/twitter-circle-tweet.js"] = Invented.script(
      "twitter_circle_tweet", ["{\"id_str\":\"\(circle)\"}"])
    for (id, name) in [(quoted, "quoted"), (linked, "linked"), (circle, "circle")] {
      archive.media["data/tweets_media/\(id)-\(name).jpg"] = [1, 2, 3]
    }
    let imported = try Imported(archive)
    let conversation = try #require(imported.conversations.first)
    #expect(conversation.related.map(\.id.value) == ["\(quoted)"])
    #expect(conversation.related.first?.media.map(\.file) == ["stored-\(quoted)-quoted.jpg"])
    #expect(Array(imported.plan.mediaWanted) == ["\(quoted)-quoted.jpg"])
    archive.media = [:]
    #expect(try Imported(archive).plan.mediaMissing == ["\(quoted)-quoted.jpg"])
  }

  @Test func resolvesLinksOfTheProfileThroughPosts() throws {
    var archive = Invented([
      Invented.post(
        101, "one", answers: nil, of: nil, entities([("https://t.co/web", "https://ada.example/x")])),
      Invented.post(
        102, "two", answers: 101, of: nil,
        entities([
          ("https://t.co/bio", "https://example.org/me"), ("https://t.co/bad", "javascript:alert(1)"),
        ])),
    ])
    archive.files["data/profile.js"] = Invented.script(
      "profile",
      [
        #"{"profile":{"description":{"bio":"<b> https://t.co/bio, https://t.co/bad https://t.co/none","website":"https://t.co/web"}}}"#
      ])
    let author = try #require(try Imported(archive).conversations.first?.author)
    #expect(author.website == "https://ada.example/x")
    let bio = try #require(author.bio)
    #expect(bio.text == "<b> example.org/me, https://t.co/bad https://t.co/none")
    #expect(
      bio.entities == [
        TextEntity(4..<18, .link(url: "https://example.org/me", short: "https://t.co/bio"))
      ])
  }
}

extension Invented {
  fileprivate static func post(_ id: Int, _ text: String, _ more: String) -> String {
    post(id, text, answers: nil, of: nil, more)
  }
}
