import Basics
import Foundation
import Intake
import InterfaceText
import MediaMirror
import SiteConfig
import TestSupport
import Testing
import ThreadModel
import ThreadStore

@Suite("Importing an archive into the store")
struct ArchiveImportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var store: ThreadStore { ThreadStore(folder: folder.path + "/threads") }

  // MARK: Invented archives

  private static func post(_ id: Int, _ text: String, answers: Int? = nil, media: String? = nil) -> String {
    var members = [
      "\"id_str\":\"\(id)\"", "\"full_text\":\"\(text)\"", "\"favorite_count\":\"\(id)\"",
      "\"created_at\":\"Wed Jan 01 0\(id % 10):41:00 +0000 2020\"",
    ]
    if let answers {
      members.append("\"in_reply_to_status_id_str\":\"\(answers)\",\"in_reply_to_user_id_str\":\"7\"")
    }
    if let media {
      members.append(
        "\"extended_entities\":{\"media\":[{\"id_str\":\"\(id % 1_000_000)0\",\"type\":\"photo\",\"media_url_https\":\"https://pbs.twimg.com/media/\(media)\"}]}"
      )
    }
    return "{\"tweet\":{" + members.joined(separator: ",") + "}}"
  }

  private static let thread = [
    post(103, "three", answers: 102), post(101, "one", media: "a.png"), post(102, "two", answers: 101),
    post(104, "four", answers: 103, media: "b.png"), post(109, "alone", media: "c.png"),
  ]

  /// The first bytes of a PNG file, which is all that the import reads.
  private static func png(width: UInt8, height: UInt8) -> Data {
    Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
      + Data([0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0]) + Data(repeating: 7, count: 300)
  }

  private func write(
    _ posts: [String], year: Int = 2022, counted: Int? = nil, to name: String = "archive"
  ) throws -> String {
    func script(_ name: String, _ elements: [String]) -> String {
      "window.YTD.\(name).part0 = [ " + elements.joined(separator: ",\n") + " ]"
    }
    try folder.write(script("tweets", posts), to: "\(name)/data/tweets.js")
    try folder.write(
      script("account", [#"{"account":{"username":"ada","accountId":"7","accountDisplayName":"Ada"}}"#]),
      to: "\(name)/data/account.js")
    try folder.write(
      """
      window.__THAR_CONFIG = {"archiveInfo":{"generationDate":"\(year)-01-01T00:00:00.000Z"},
      "dataTypes":{"tweets":{"files":[{"fileName":"data/tweets.js","count":"\(counted ?? posts.count)"}]}}}
      """,
      to: "\(name)/data/manifest.js")
    for (file, width) in [("101-a.png", 40), ("104-b.png", 50), ("109-c.png", 60)] {
      try folder.write(Self.png(width: UInt8(width), height: 30), to: "\(name)/data/tweets_media/\(file)")
    }
    return folder.path + "/" + name
  }

  @discardableResult
  private func run(
    _ path: String, in store: String = "threads", _ change: (inout ArchiveOptions) -> Void = { _ in }
  ) throws -> ArchiveSummary {
    var options = ArchiveOptions()
    change(&options)
    let work = SiteImport(store: "\(folder.path)/\(store)", jobs: 2) { _ in }
    return try #require(try work.run([path], archives: options).archives.first)
  }

  private func conversation(in store: String = "threads") throws -> Conversation {
    let store = ThreadStore(folder: "\(folder.path)/\(store)")
    return try store.read(try #require(try store.list().first))
  }

  // MARK: Importing

  @Test func importsThreadsWithTheirMediaOnly() throws {
    let summary = try run(try write(Self.thread))
    #expect(summary.posts == 5 && summary.threads == 1 && summary.postsInThreads == 4 && summary.added == 1)
    #expect(summary.mediaCopied == 2 && summary.mediaMissing.isEmpty && summary.mediaRefused.isEmpty)
    #expect(summary.leftOut == ["1 post in no thread or in a short thread"])
    let conversation = try conversation()
    #expect(conversation.posts.map(\.text.text) == ["one", "two", "three", "four"])
    let photo = try #require(conversation.posts[0].media.first)
    #expect(photo.width == 40 && photo.height == 30 && photo.isFileFromArchive)
    let names = try folder.tree("threads/media").keys.filter { !$0.hasPrefix(".") }
    #expect(
      Set(names) == Set(conversation.posts.flatMap(\.media).compactMap(\.file)),
      "the image of a post without a thread is not copied")
  }

  @Test func importingAgainChangesNothing() throws {
    let path = try write(Self.thread)
    try run(path)
    let before = try folder.tree("threads")
    let again = try run(path)
    #expect(again.unchanged == 1 && again.added == 0 && again.updated == 0)
    #expect(again.mediaCopied == 0 && again.mediaKnown == 2)
    #expect(try folder.tree("threads") == before)
  }

  @Test func newerArchiveAddsOnlyNewPosts() throws {
    try run(try write(Self.thread))
    let before = try folder.tree("threads")
    #expect(try run(try write(Self.thread, year: 2023, to: "newer")).unchanged == 1)
    #expect(try folder.tree("threads") == before)
    let more = Self.thread + [Self.post(105, "five", answers: 104)]
    #expect(try run(try write(more, year: 2024, to: "newest")).updated == 1)
    #expect(try conversation().posts.count == 5)
  }

  @Test func reportsMissingPostsAndRemovesThemOnRequest() throws {
    let old = try write(Self.thread)
    try run(old)
    let newer = try write(Self.thread.filter { !$0.contains("\"104\"") }, year: 2024, to: "newer")
    let report = try run(newer)
    #expect(report.vanished == ["104"] && !report.isPruned)
    #expect(try conversation().posts.count == 4)
    let pruned = try run(newer) { $0.prunes = true }
    #expect(pruned.vanished == ["104"] && pruned.isPruned)
    let conversation = try conversation()
    #expect(conversation.posts.map(\.text.text) == ["one", "two", "three"])
    #expect(conversation.tombstones.map(\.id.value) == ["104"])
    #expect(try folder.tree("threads/media").keys.filter { !$0.hasPrefix(".") }.count == 1)
    #expect(try run(newer).vanished.isEmpty)
    try run(old)
    #expect(try self.conversation().posts.count == 3, "an older archive does not bring it back")
    #expect(
      try run(old) { $0.prunes = true }.vanished.isEmpty, "an older archive knows nothing of later posts")
  }

  // MARK: Incomplete archives

  /// The same posts without some, as if those had been deleted or lost.
  private static func without(_ ids: String...) -> [String] {
    thread.filter { post in !ids.contains { post.contains("\"id_str\":\"\($0)\"") } }
  }

  @Test func archiveWithoutAPartRemovesNothing() throws {
    try run(try write(Self.thread))
    let before = try folder.tree("threads")
    let lacking = try write(Self.without("103", "104"), year: 2024, counted: 5, to: "lacking")
    let report = try run(lacking)
    #expect(report.posts == 3 && report.expectedPosts == 5 && report.vanished.isEmpty)
    #expect(
      report.shortfalls == [
        "\(lacking)/data/tweets.js: error: contains 3 posts, but the archive's manifest counts 5 posts",
        "\(lacking): error: the archive is incomplete (5 posts expected, 3 read): its content was imported, and missing posts "
          + "were not treated as deleted. Download the archive again; if X sent several zip files, unpack all of them into "
          + "one folder and import that; if you removed posts by hand, correct the counts in data/manifest.js",
      ])
    let pruned = try run(lacking) { $0.prunes = true }
    #expect(!pruned.isPruned && pruned.vanished.isEmpty && pruned.unexplained == ["103", "104"])
    #expect(
      pruned.pruneRefusal
        == "\(lacking): error: --prune removed nothing, because posts missing from this archive may still exist: the archive is incomplete"
    )
    #expect(try folder.tree("threads") == before)
  }

  @Test func missingPostsOfAnUncountedArchiveAreNotDeleted() throws {
    try run(try write(Self.thread))
    let before = try folder.tree("threads")
    for (name, manifest) in [
      ("none", nil),
      (
        "without",
        "window.__THAR_CONFIG = {\"archiveInfo\":{\"generationDate\":\"2024-01-01T00:00:00.000Z\"}}"
      ),
      (
        "fewer",
        #"x = {"archiveInfo":{"generationDate":"2024-01-01T00:00:00.000Z"},"dataTypes":{"tweets":{"files":[{"fileName":"data/tweets.js","count":"2"}]}}}"#
      ),
    ] {
      let path = try write(Self.without("104") + [Self.post(106, "later")], year: 2024, to: name)
      if let manifest {
        try folder.write(manifest, to: "\(name)/data/manifest.js")
      } else {
        try folder.remove("\(name)/data/manifest.js")
      }
      for prunes in [false, true] {
        let report = try run(path) { $0.prunes = prunes }
        #expect(
          report.vanished.isEmpty && !report.isPruned && report.shortfalls.isEmpty && !report.doubts.isEmpty)
        // Without a manifest, the archive is as old as its latest post, and that post is older than the other
        // archive.
        #expect(report.unexplained == (manifest == nil ? [] : ["104"]))
        #expect((report.pruneRefusal != nil) == (prunes && manifest != nil))
      }
      #expect(try folder.tree("threads") == before, "\(name)")
    }
  }

  @Test func quotedOwnPostIsImportedAndRemovedWithItsPhoto() throws {
    let quoted = 1_346_889_436_626_259_900
    let link =
      "\"entities\":{\"urls\":[{\"url\":\"https://t.co/q\",\"expanded_url\":\"https://x.com/ada/status/\(quoted)\"}]},"
    let posts = [
      Self.post(quoted + 1, "see https://t.co/q").replacing("\"full_text\"", with: link + "\"full_text\""),
      Self.post(quoted + 2, "and", answers: quoted + 1),
    ]
    let all = posts + [Self.post(quoted, "mine", media: "a.png")]
    let path = try write(all)
    try folder.write(Self.png(width: 70, height: 30), to: "archive/data/tweets_media/\(quoted)-a.png")
    #expect(try run(path).mediaCopied == 1)
    let photo = try #require(try conversation().related.first?.media.first)
    #expect(photo.width == 70 && photo.isFileFromArchive)
    #expect(try folder.tree("threads/media").keys.contains(try #require(photo.file)))
    let again = try run(path)
    #expect(again.unchanged == 1 && again.mediaCopied == 0 && again.mediaKnown == 1)
    let newer = try write(posts, year: 2024, to: "newer")
    #expect(try run(newer) { $0.prunes = true }.vanished == ["\(quoted)"])
    #expect(try conversation().related.isEmpty && (try conversation().posts.count) == 2)
    #expect(try folder.tree("threads/media").keys.filter { !$0.hasPrefix(".") }.isEmpty)
  }

  @Test func wholeArchiveCompletesThreadsOfAPartialOne() throws {
    let more = Self.thread + [Self.post(105, "five", answers: 104), Self.post(106, "six", answers: 105)]
    let whole = try write(more, to: "whole")
    // Without the third post there are two chains, and the conversation of the second is unknown.
    let lacking = try write(
      more.filter { !$0.contains("\"id_str\":\"103\"") }, counted: more.count, to: "lacking")
    try run(whole, in: "one")
    #expect(try run(lacking, in: "other").threads == 2)
    #expect(try run(whole, in: "other").threads == 1)
    #expect(try folder.tree("one/x") == folder.tree("other/x"))
    #expect(try run(lacking, in: "other").problems.isEmpty == false)
    #expect(
      try folder.tree("one/x") == folder.tree("other/x"), "the partial archive changes nothing afterwards")
  }

  @Test func postsSkippedByChoiceAreNotDeleted() throws {
    try run(try write(Self.thread))
    let before = try folder.tree("threads")
    let newer = try write(Self.thread, year: 2024, to: "newer")
    let day = try CalendarDay("2021-01-01")
    for change in [
      { $0.limits.since = day }, { $0.limits.minPosts = 9 }, { $0.copiesMedia = false },
    ] as [(inout ArchiveOptions) -> Void] {
      let report = try run(newer) {
        change(&$0)
        $0.prunes = true
      }
      #expect(report.vanished.isEmpty && report.problems.isEmpty)
    }
    #expect(try folder.tree("threads") == before)
  }

  @Test func reportsMissingMediaFolder() throws {
    let path = try write(Self.thread)
    try folder.remove("archive/data/tweets_media")
    let report = try run(path)
    #expect(report.mediaMissing.count == 2 && report.added == 1)
    #expect(
      report.shortfalls.first?.contains("there is no tweets_media folder in it, so all 2 photos") == true
    )
    #expect(try run(path) { $0.copiesMedia = false }.problems.isEmpty)
  }

  @Test func archiveAndNetworkGiveTheSameInEitherOrder() throws {
    let archive = try write(Self.thread)
    try folder.write(
      """
      {"data":[
        {"id":"101","author_id":"7","conversation_id":"101","text":"one","attachments":{"media_keys":["3_1010"]},
         "public_metrics":{"like_count":5,"reply_count":2}},
        {"id":"102","author_id":"7","conversation_id":"101","text":"two","attachments":{"poll_ids":["9"]},
         "in_reply_to_user_id":"7","referenced_tweets":[{"type":"replied_to","id":"101"}]}],
       "includes":{"users":[{"id":"7","username":"ada","name":"Ada L."}],
         "media":[{"media_key":"3_1010","type":"photo","url":"https://pbs.twimg.com/media/a.png","alt_text":"a hill","width":20,"height":15}],
         "polls":[{"id":"9","options":[{"position":1,"label":"yes","votes":3}],"voting_status":"closed"}]}}
      """, to: "saved.json")
    let saved = folder.path + "/saved.json"
    for (store, paths) in [("one", [archive, saved]), ("other", [saved, archive])] {
      for path in paths { _ = try SiteImport(store: folder.path + "/" + store) { _ in }.run([path]) }
    }
    #expect(try folder.tree("one/x") == folder.tree("other/x"))
    let first = try conversation(in: "one")
    let photo = try #require(first.posts[0].media.first)
    #expect(first.posts.count == 4 && first.posts[0].media.count == 1)
    #expect(
      photo.altText == "a hill" && photo.file != nil && photo.width == 40,
      "alt text from one source, the file from the other")
    #expect(first.posts[1].poll != nil && first.posts[0].metrics == Metrics(likes: 5, replies: 2))
    #expect(first.author?.name == "Ada L.")
    #expect(try run(archive, in: "one").unchanged == 1)
  }

  @Test func skipsMediaOnRequest() throws {
    let summary = try run(try write(Self.thread)) { $0.copiesMedia = false }
    #expect(summary.mediaCopied == 0 && !folder.exists("threads/media"))
    #expect(try conversation().posts[0].media.first?.url == "https://pbs.twimg.com/media/a.png")
  }

  @Test func rejectsInvalidImageAndKeepsItsURL() throws {
    let path = try write(Self.thread)
    try folder.write("<svg onload=alert(1)>", to: "archive/data/tweets_media/101-a.png")
    try folder.remove("archive/data/tweets_media/104-b.png")
    let summary = try run(path)
    #expect(summary.mediaRefused.count == 1 && summary.mediaRefused[0].contains("101-a.png"))
    #expect(summary.mediaMissing == ["104-b.png"])
    #expect(try conversation().posts.allSatisfy { $0.media.allSatisfy { $0.file == nil && $0.url != nil } })
  }

  @Test func usesDaysInTheTimeZoneOfTheSite() throws {
    let path = try write(Self.thread)
    func threads(_ zone: String, since day: String) throws -> Int {
      let calendar = SiteCalendar(zone: try #require(TimeZone(identifier: zone)))
      var options = ArchiveOptions()
      options.limits.since = try CalendarDay(day)
      let work = SiteImport(store: folder.path + "/days", calendar: calendar) { _ in }
      return try work.run([path], archives: options).archives.first?.threads ?? -1
    }
    #expect(try threads("UTC", since: "2020-01-01") == 1)
    #expect(try threads("UTC", since: "2020-01-02") == 0)
    #expect(
      try threads("America/New_York", since: "2020-01-01") == 0,
      "it began on New Year's Eve in this time zone")
  }

  // MARK: The command

  @Test func commandReportsItsResults() throws {
    let path = try write(Self.thread)
    try folder.write("title: A\n", to: "site.yml")
    let program = Program(folder: folder.path)
    let outcome = try program.run(["import", path, "--json"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("5 posts, 1 thread of 4 posts"))
    #expect(outcome.errors.contains("not read: direct messages"))
    let json = try JSONValue(parsing: Array(outcome.output.utf8))
    #expect(json["archives"]?[0]?["threads"] == 1 && json["archives"]?[0]?["media_copied"] == 2)
    #expect(try program.run(["import", path, "--since", "2024-02-30"]).code == 64)
    let lacking = try write(Self.thread, year: 2023, counted: 9, to: "lacking")
    let partly = try program.run(["import", lacking, "--prune", "--json"])
    #expect(
      partly.code == 65 && partly.errors.contains("the archive is incomplete (9 posts expected, 5 read)"))
    #expect(
      partly.errors.contains("--prune removed nothing") && !partly.errors.contains("deleted in the meantime"))
    let report = try JSONValue(parsing: Array(partly.output.utf8))["archives"]?[0]
    #expect(report?["whole"] == false && report?["expected_posts"] == 9 && report?["threads"] == 1)
    #expect(
      try program.run(["import", lacking]).errors.contains("1 thread of 4 posts"),
      "the existing posts are imported"
    )
    try folder.write("no zip", to: "broken.zip")
    let broken = try program.run(["import", "broken.zip"])
    #expect(broken.code == 65 && broken.errors.contains("broken.zip: error: not a complete zip file"))
    #expect(try program.run(["build", "--offline", "--quiet"]).code == 0)
    #expect(folder.exists("site/index.html"))
  }
}

@Suite("An incomplete archive as a source in site.yml")
struct ListedArchiveTests {
  @Test func isReportedUntilItIsComplete() throws {
    let folder = try TemporaryFolder()
    let posts = (1...3).map { id in
      let answer =
        id > 1 ? "\"in_reply_to_status_id_str\":\"\(id - 1)\",\"in_reply_to_user_id_str\":\"7\"," : ""
      return
        "{\"tweet\":{\(answer)\"id_str\":\"\(id)\",\"full_text\":\"post\",\"created_at\":\"Wed Jan 01 0\(id):00:00 +0000 2020\"}}"
    }
    func write(_ posts: [String]) throws {
      try folder.write(
        "window.YTD.tweets.part0 = [\(posts.joined(separator: ","))]", to: "archive/data/tweets.js")
    }
    try folder.write("sources:\n  - archive: archive\n", to: "site.yml")
    try folder.write(
      #"x = [{"account":{"username":"ada","accountId":"7"}}]"#, to: "archive/data/account.js")
    try folder.write(
      #"x = {"dataTypes":{"tweets":{"files":[{"fileName":"data/tweets.js","count":"3"}]}}}"#,
      to: "archive/data/manifest.js")
    try write(posts.dropLast())
    let program = Program(folder: folder.path)
    for _ in 1...2 {
      let lacking = try program.run(["fetch"])
      #expect(
        lacking.code == 65 && lacking.errors.contains("(3 posts expected, 2 read)"), "\(lacking.errors)")
    }
    // The manifest, by which archives are dated, is unchanged.
    try write(posts)
    #expect(try program.run(["fetch"]).code == 0)
    let store = ThreadStore(folder: folder.path + "/threads")
    #expect(try store.list().map { try store.read($0).posts.count } == [3])
  }

  /// Other limits may want threads that an earlier reading left out, although the archive is the same.
  @Test func isReadAgainForOtherLimits() throws {
    let folder = try TemporaryFolder()
    func post(_ id: Int, day: Int, _ answer: String = "") -> String {
      "{\"tweet\":{\(answer)\"id_str\":\"\(id)\",\"full_text\":\"post\",\"created_at\":\"Wed Jan 0\(day) 00:00:00 +0000 2020\"}}"
    }
    let answer = "\"in_reply_to_status_id_str\":\"1\",\"in_reply_to_user_id_str\":\"7\","
    try folder.write(
      #"x = [{"account":{"username":"ada","accountId":"7"}}]"#, to: "archive/data/account.js")
    try folder.write(
      #"x = {"dataTypes":{"tweets":{"files":[{"fileName":"data/tweets.js","count":"3"}]}}}"#,
      to: "archive/data/manifest.js")
    let posts = [post(1, day: 1), post(2, day: 1, answer), post(3, day: 3)]
    try folder.write("x = [\(posts.joined(separator: ","))]", to: "archive/data/tweets.js")
    let store = ThreadStore(folder: folder.path + "/threads")
    let steps = [
      ("min_posts: 2\n    since: 2020-01-02", 0), ("min_posts: 1\n    since: 2020-01-02", 1),
      ("min_posts: 1\n    since: 2020-01-01", 2),
    ]
    for (limits, threads) in steps {
      try folder.write("sources:\n  - archive: archive\n    \(limits)\n", to: "site.yml")
      let outcome = try Program(folder: folder.path).run(["fetch"])
      #expect(try store.list().count == threads, "\(limits): \(outcome.errors)")
    }
  }
}

@Suite(
  "The real archive becomes a site",
  .enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
struct RealArchiveSiteTests {
  @Test func sampleArchiveHas26ThreadsWithPhotos() throws {
    let site = try TemporarySite()
    let zip = (ProjectFolders.sharedFixtures?.path ?? "") + "/archive/twitter-archive-2022-11.zip"
    let summary = try SiteImport(store: site.path + "/threads", jobs: 2) { _ in }.run([zip])
    #expect(summary.added == 26 && summary.archives.first?.threads == 26)
    #expect(summary.archives.first?.mediaRefused == [])
    try site.build()
    let pages = try site.tree().keys.filter { $0.hasPrefix("x/andreruffert/") && $0.hasSuffix("/index.html") }
    let store = ThreadStore(folder: site.path + "/threads")
    let all = try store.list().map { try store.read($0) }
    var shown = 0
    for conversation in all {
      let page = try #require(pages.first { $0.hasSuffix("-\(conversation.id.value)/index.html") })
      let html = try site.page(page)
      for post in conversation.posts { #expect(html.contains(post.id.value)) }
      for file in conversation.posts.flatMap(\.media).compactMap(\.file) {
        shown += 1
        #expect(html.contains(file), "\(file) is not on its page")
      }
    }
    #expect(all.count == 26 && shown > 0)
  }
}
