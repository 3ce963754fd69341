import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel

/// Repeated builds: the same input gives the same bytes, URLs are stable, and deleted threads disappear.
@Suite struct RepeatedBuildTests {
  /// Enough threads for four workers, by several authors, at the edges of months.
  private func large() throws -> TemporarySite {
    let site = try TemporarySite()
    try site.folder.write(
      "base_url: https://ada.example/\ntimezone: Asia/Tokyo\npagination: { per_page: 7 }\n", to: "site.yml")
    for number in 0..<TestDepth.cases(fast: 50, deep: 150) {
      let id = PostID("\(5000 + number)", on: .x)
      let author = AuthorID("\(number % 7)", on: .x)
      var conversation = Conversation(id: id, authorID: author)
      conversation.authors = [Author(id: author, handle: "author\(number % 7)", name: "Author \(number % 7)")]
      var post = Post(
        id: id, authorID: author, text: InlineText("Thread number \(number) 🧵\n\nA second line."))
      // Many have the same minute; some have no time.
      post.createdAt = number % 11 == 0 ? nil : Timestamp(seconds: 1_640_000_000 + Int64(number / 3) * 86_400)
      post.media = [Media(id: "m", kind: .photo, url: "https://media\(number % 5).example/\(number).jpg")]
      conversation.posts = [post]
      try site.save(conversation)
    }
    return site
  }

  private func expectSame(_ first: TemporarySite, _ second: TemporarySite) throws {
    let (one, two) = (try first.tree(), try second.tree())
    #expect(one.keys.sorted() == two.keys.sorted())
    for (file, data) in one where two[file] != data { Issue.record("\(file) differs") }
  }

  /// The file's time is then no finer than the time between the edit and the build.
  @Test func isUpToDateAfterABuildRightAfterAnEdit() throws {
    let site = try TemporarySite("defaults")
    try site.build()
    for edit in ["static/note.txt", "templates/strings/en.yml", "threads/README.md"] {
      try site.folder.write("# \(edit)\n", to: edit)
      try site.build()
      let folder = try SiteFolder.open(
        configFile: site.path + "/site.yml", isDefault: true, progress: { _ in })
      let build = SiteBuild(
        folder, installation: TemporarySite.installation, options: SiteBuild.Options(jobs: 2),
        progress: { _ in })
      #expect(build.isUpToDate, "\(edit)")
    }
  }

  /// The first build of a new site comes before the owner decides where to publish it.
  @Test(arguments: [
    "publish: { folder: ../public }", "check: { ignore: [empty-link] }", "fetch: { videos: true }",
    "x: { max_cost: 2 }", "bluesky: { api_url: \"https://a.example\" }",
    "nostr: { relays: [\"wss://a.example\"] }", "# a comment\n",
  ])
  func settingsThatNoBuildReadsLeaveTheSiteUpToDate(addition: String) throws {
    let site = try TemporarySite("defaults")
    let config = "title: Threads\n"
    try site.folder.write(config, to: "site.yml")
    try waitUntilFilesAreSettled()
    try site.build()
    func isUpToDate() throws -> Bool {
      let folder = try SiteFolder.open(
        configFile: site.path + "/site.yml", isDefault: true, progress: { _ in })
      return SiteBuild(
        folder, installation: TemporarySite.installation, options: SiteBuild.Options(jobs: 2),
        progress: { _ in }
      ).isUpToDate
    }
    try site.folder.write("\(addition)\n\(config)", to: "site.yml")
    #expect(try isUpToDate())
    try site.folder.write("\(addition)\n\(config)search: false\n", to: "site.yml")
    #expect(try !isUpToDate())
  }

  /// A warning of site.yml repeats with the number of its new line.
  @Test func repeatedWarningsHaveTheLinesOfTheFile() throws {
    let site = try TemporarySite("defaults")
    let config = "title: Threads\naccent: \"#ffff66\"\n"
    try site.folder.write(config, to: "site.yml")
    try waitUntilFilesAreSettled()
    try site.build()
    try site.folder.write("publish:\n  folder: ../public\n\(config)", to: "site.yml")
    try site.build()
    #expect(site.warnings.filter { $0.contains("site.yml:2:") }.count == 1)
    #expect(site.warnings.filter { $0.contains("site.yml:4:") }.count == 1)
  }

  /// `threadsite title` and other commands add `threads` at the end of site.yml, after a blank line.
  @Test(arguments: ["", "\n", "\n# My threads:\n\n", "publish: {folder: /srv/site}\n", "\n\nhooks: {}\n"])
  func firstEntryForAThreadRendersOneThread(between: String) throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("title: A\nlanguage: de\n", to: "site.yml")
    try waitUntilFilesAreSettled()
    try #require(try site.build().rendered > 2)
    try site.folder.write(
      "title: A\nlanguage: de\n\(between)threads:\n  - {url: 'https://x.com/ada/status/1001', title: Other}\n",
      to: "site.yml")
    try waitUntilFilesAreSettled()
    #expect(try site.build().rendered == 1)
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.tree() == site.folder.tree("fresh"))
  }

  /// The last line of a quoted text may look like a comment.
  @Test(arguments: ["\"", "'"])
  func changedLastLineOfAQuotedTextReachesEveryPage(mark: String) throws {
    let site = try TemporarySite("defaults")
    for word in ["threads", "notes"] {
      try site.folder.write("title: \(mark)Ada\n  #\(word)\(mark)\nlanguage: en\n", to: "site.yml")
      try waitUntilFilesAreSettled()
      try site.build()
      let page = try site.page("x/ada/three-things-about-clocks-1001/index.html")
      #expect(page.contains("Ada #\(word)"))
    }
  }

  @Test func outputIsIndependentOfWorkersAndFolder() throws {
    let first = try large()
    let second = try large()
    try first.build(jobs: 1)
    try second.build(jobs: 4)
    #expect(try first.tree().count > 120)
    try expectSame(first, second)
    for site in [first, second] { try site.publish() }
    #expect(try first.folder.text("threads/permalinks.json") == second.folder.text("threads/permalinks.json"))
    // Once with the record of permalinks, once with titles only.
    try second.build(jobs: 3)
    try expectSame(first, second)
    try SiteChecks(first).checkAll()
  }

  @Test func siteContainsNothingAboutThisMachine() throws {
    let site = try large()
    try site.build()
    let year = "\(Calendar(identifier: .gregorian).component(.year, from: Date()))"
    for (file, data) in try site.tree() {
      let text = String(decoding: data, as: UTF8.self)
      #expect(!text.contains(site.path) && !text.contains(ProjectFolders.repository.path), "\(file)")
      if year != "2022" { #expect(!text.contains(year + "-"), "\(file) has today's year") }
    }
  }

  @Test func removesThreadsThatLeftTheStore() throws {
    let site = try TemporarySite("defaults")
    try site.build()
    try site.publish()
    try site.folder.remove("threads/x/bo/2001.json")
    let summary = try site.build()
    #expect(summary.threads == 3)
    try site.publish()
    let left = try site.tree()
    #expect(!left.keys.contains { $0.contains("2001") || $0.hasPrefix("2022/") || $0.hasPrefix("media/") })
    #expect(!left.values.contains { String(decoding: $0, as: UTF8.self).contains("2001/") })
    // Its URL is not given to another thread, in case it comes back.
    #expect(try site.folder.text("threads/permalinks.json").contains("x/bo/2001"))
  }

  @Test func newTitleKeepsThePublishedURL() throws {
    let site = try TemporarySite("defaults")
    try site.build()
    #expect(try site.publish() == 4)
    let record = try site.folder.text("threads/permalinks.json")
    try site.folder.write(
      "threads:\n  - url: https://x.com/ada/status/1001\n    title: All new\n", to: "site.yml")
    try site.build()
    let page = try site.page("x/ada/three-things-about-clocks-1001/index.html")
    #expect(page.contains("<h1>All new</h1>"))
    #expect(try !site.tree().keys.contains { $0.contains("all-new") })
    #expect(try site.publish() == 0)
    #expect(try site.folder.text("threads/permalinks.json") == record)
  }

  @Test func unpublishedURLFollowsTheTitle() throws {
    let site = try TemporarySite("defaults")
    for (title, slug) in [("One", "one"), ("Two", "two"), (nil, "three-things-about-clocks")]
      as [(String?, String)]
    {
      try site.folder.write(
        "threads:\n  - url: https://x.com/ada/status/1001\n\(title.map { "    title: \($0)\n" } ?? "")",
        to: "site.yml")
      #expect(try site.build().moved.isEmpty)
      let pages = try site.tree().keys.filter { $0.hasPrefix("x/ada/") && $0.hasSuffix("-1001/index.html") }
      #expect(pages == ["x/ada/\(slug)-1001/index.html"], "no redirect stays")
      #expect(!site.folder.exists("threads/permalinks.json"))
    }
  }

  /// Publishing changes the record in the store, but not what a build makes of it.
  @Test func siteIsUpToDateAfterPublishing() throws {
    let site = try TemporarySite("defaults")
    try site.build()
    let before = try site.tree()
    try site.publish()
    let open = try SiteFolder.open(configFile: site.path + "/site.yml", isDefault: true, progress: { _ in })
    func isUpToDate() -> Bool {
      SiteBuild(open, installation: TemporarySite.installation, options: .init(jobs: 2), progress: { _ in })
        .isUpToDate
    }
    #expect(isUpToDate())
    try site.build(usesCache: false)
    #expect(try site.tree() == before)
    // Another URL in the record is an input of the build.
    try site.build()
    let record = try site.folder.text("threads/permalinks.json")
    try site.folder.write(
      record.replacing("three-things-about-clocks", with: "other"), to: "threads/permalinks.json")
    #expect(!isUpToDate())
    try site.build()
    #expect(try site.tree().keys.contains("x/ada/other-1001/index.html"))
    // Without the record, the URL follows the title again.
    try site.folder.remove("threads/permalinks.json")
    #expect(!isUpToDate())
    try site.build()
    #expect(try site.tree() == before)
  }

  @Test func growingThreadKeepsItsURLAndFeedID() throws {
    let site = try TemporarySite("base-url-with-path")
    try site.build()
    func entry() throws -> XMLTree? {
      try XMLTree.parse(Array(site.page("feed.xml").utf8))["entry"].first {
        $0.text("id") != nil && $0.text("title")?.contains("Which clock") == true
      }
    }
    let before = try #require(try entry())
    let author = AuthorID("11", on: .x)
    var conversation = Conversation(id: PostID("1010", on: .x), authorID: author)
    var post = Post(id: PostID("1011", on: .x), authorID: author, text: InlineText("And one more thing."))
    post.inReplyTo = PostID("1010", on: .x)
    post.createdAt = Timestamp(iso8601: "2024-05-01T00:00:00Z")
    conversation.posts = [post]
    try site.save(conversation)
    try site.build()
    let after = try #require(try entry())
    #expect(after.text("id") == before.text("id"))
    #expect(after["link"].first?.attributes == before["link"].first?.attributes)
    #expect(after.text("content")?.contains("And one more thing.") == true)
    #expect(after.text("updated") == "2024-05-01T00:00:00Z")
    #expect(after.text("published") == before.text("published"))
  }

  @Test func draftsHaveNoURLBeforePublication() throws {
    let site = try TemporarySite("drafts")
    try site.build(drafts: true)
    let configuration = try site.folder.text("site.yml")
    try site.folder.write(configuration + "    title: A better title\n", to: "site.yml")
    try site.build(drafts: true)
    #expect(try site.tree().keys.contains("x/ada/a-better-title-1010/index.html"))
    try site.publish()
    try site.folder.write(configuration.replacing("    draft: true\n", with: ""), to: "site.yml")
    try site.build()
    try site.publish()
    #expect(try site.folder.text("threads/permalinks.json").contains("x/ada/which-clock-is-right-1010/"))
  }

  @Test func reportsURLsThatCannotBeNotedForPublishing() throws {
    let site = try TemporarySite("defaults")
    let folder = site.folder
    let open = try SiteFolder.open(configFile: site.path + "/site.yml", isDefault: true, progress: { _ in })
    let record = String(open.builtPermalinksFile.dropFirst(open.path.count + 1))
    try folder.write("in the way", to: "\(record)/file")
    try site.build()
    #expect(folder.exists("site/index.html") && !folder.exists(".site.staging"))
    let message = site.warnings.first { $0.contains(record) } ?? ""
    #expect(message.hasPrefix("SITE/\(record): error: could not put the file in place"), "\(message)")
    #expect(message.contains("`threadsite publish` cannot record the URLs"))
    // Without it, publishing records nothing and reports this.
    #expect(try site.publish() == 0)
    #expect(site.warnings.contains { $0.contains("run `threadsite build` and publish again") })
    try folder.remove(record)
    try site.build()
    #expect(try site.publish() == 4)
    #expect(try folder.tree("threads").keys.filter { $0.hasSuffix(".tmp") }.isEmpty)
  }

  /// Simulates a full disk in the middle of the site.
  @Test(arguments: ["Rendering threads", "Writing indexes"])
  func diskErrorKeepsThePreviousSite(atStep name: String) throws {
    let site = try TemporarySite("defaults")
    try site.build()
    let before = try site.tree()
    let folder = site.folder
    try site.publish()
    let record = try folder.text("threads/permalinks.json")
    try folder.write("include: listed\nthreads:\n  - https://x.com/ada/status/1001\n", to: "site.yml")
    try folder.remove("threads/permalinks.json")
    let error = #expect(throws: PipelineError.self) {
      try site.build(jobs: 1) { step in
        guard step == name else { return }
        // The system refuses to write any file below a file.
        try? folder.remove(".site.staging/new")
        try? folder.write("in the way", to: ".site.staging/new")
      }
    }
    #expect(error?.kind == .io)
    #expect(try site.tree() == before)
    #expect(!folder.exists(".site.staging"))
    #expect(!folder.exists("threads/permalinks.json"))
    try folder.write(record, to: "threads/permalinks.json")
    #expect(try site.build().threads == 1)
  }

  @Test func clearsTheFilesOfAKilledBuild() throws {
    let site = try TemporarySite("defaults")
    try site.build()
    let whole = try site.tree()
    try site.folder.write("half", to: ".site.staging/new/x/ada/half/index.html")
    try site.build()
    #expect(try site.tree() == whole)
    #expect(!site.folder.exists(".site.staging"))
  }

  @Test func chainInAnotherConversationIsAThread() throws {
    let site = try TemporarySite()
    let root = PostID("1", on: .x)
    for (author, id) in [("ada", "1"), ("bo", "2")] {
      let authorID = AuthorID(author, on: .x)
      var conversation = Conversation(id: root, authorID: authorID)
      conversation.authors = [Author(id: authorID, handle: author, name: author)]
      var first = Post(id: root, authorID: AuthorID("ada", on: .x), text: InlineText("Ada begins."))
      first.createdAt = Timestamp(seconds: 1_600_000_000)
      var post = Post(id: PostID(id, on: .x), authorID: authorID, text: InlineText("By \(author)."))
      post.createdAt = Timestamp(seconds: 1_600_000_100)
      post.inReplyTo = id == "1" ? nil : root
      conversation.posts = id == "1" ? [first] : [first, post]
      try site.save(conversation)
    }
    try site.folder.write(
      "include: listed\nthreads:\n  - url: https://x.com/ada/status/1\n    title: Only Ada\n", to: "site.yml")
    #expect(try site.build().threads == 1)
    #expect(try site.tree().keys.contains("x/ada/only-ada-1/index.html"))
    try site.folder.write(
      "threads:\n  - https://x.com/bo/status/2\n  - https://x.com/ada/status/1\n", to: "site.yml")
    #expect(try site.build().threads == 2)
  }
}
