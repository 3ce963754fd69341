import Foundation
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel

/// No file of the program contains hidden or removed words.
@Suite("Removed words")
struct RemovedWordsTests {
  private func thread(_ number: Int, _ texts: [String], on platform: Platform = .x) -> Conversation {
    let author = AuthorID(
      platform == .x ? "11" : "12", by: platform == .x ? nil : "social.example", on: platform)
    let ids = texts.indices.map {
      PostID("\(number + $0)", by: platform == .x ? nil : "social.example", on: platform)
    }
    var conversation = Conversation(id: ids[0], authorID: author)
    conversation.authors = [
      Author(id: author, handle: platform == .x ? "ada" : "ada@social.example", name: "Ada")
    ]
    conversation.posts = texts.indices.map { index in
      var facts = Post.Facts(id: ids[index], authorID: author, text: InlineText(texts[index]))
      facts.conversationID = ids[0]
      facts.createdAt = Timestamp(seconds: 1_700_000_000 + Int64(number + index))
      if index > 0 { facts.inReplyTo = ids[index - 1] }
      return Post(facts)
    }
    return conversation
  }

  private func filesContaining(_ word: String, in folder: String, of site: TemporarySite) throws -> [String] {
    try site.folder.tree(folder).filter { $0.value.contains(word) }.keys.sorted()
  }

  private func run(_ site: TemporarySite, _ arguments: String...) throws {
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let outcome = try program.run(arguments)
    #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
  }

  @Test("Hiding the first post removes its words from the page's URL and every file of the site")
  func hidesWordsOfFirstPost() throws {
    let site = try TemporarySite()
    try site.save(thread(1000, ["Quixotic zeppelins", "A second post", "A third post"]))
    try site.save(thread(2000, ["Another thread https://x.com/ada/status/1001", "It goes on"]))
    try site.folder.write(
      "title: A\nbase_url: https://a.example/\nstatus_pages: true\nbooks: [threads, site]\n", to: "site.yml")
    try run(site, "build")
    try run(site, "publish", "--record")
    #expect(site.folder.exists("site/x/ada/quixotic-zeppelins-1000/index.html"))
    try run(site, "hide", "https://x.com/ada/status/1000")
    try run(site, "build")
    #expect(site.folder.exists("site/x/ada/1000/index.html"))
    #expect(try filesContaining("uixotic", in: "site", of: site) == [])
    // The list of the site's files contains the old URL, which still redirects to the page; the records of
    // threads do not.
    #expect(
      try filesContaining("uixotic", in: ".threadsite", of: site).filter { $0.hasSuffix(".threads") } == [])
    #expect(
      try site.page("x/ada/quixotic-zeppelins-1000/index.html").contains("url=../../../x/ada/1000/"))
    let tree = try site.tree()
    try run(site, "build", "--no-cache")
    #expect(try site.tree() == tree)
  }

  @Test("A page keeps its URL if the hidden post is not in its title")
  func keepsURLWhenOtherPostIsHidden() throws {
    let site = try TemporarySite()
    try site.save(thread(1000, ["Quixotic zeppelins", "A second post", "A third post"]))
    try site.folder.write("title: A\n", to: "site.yml")
    try run(site, "build")
    try run(site, "publish", "--record")
    try run(site, "title", "https://x.com/ada/status/1000", "Balloons")
    try run(site, "hide", "https://x.com/ada/status/1001")
    try run(site, "build")
    #expect(site.folder.exists("site/x/ada/quixotic-zeppelins-1000/index.md"))
  }

  @Test("The copy of a thread on another network gets no URL with words of a hidden post")
  func hidesWordsInURLOfCopy() throws {
    let site = try TemporarySite()
    try site.save(thread(1000, ["Quixotic zeppelins", "A second post", "A third post"]))
    try site.save(thread(5000, ["Quixotic zeppelins", "A second post", "A third post"], on: .mastodon))
    try site.folder.write(
      "title: A\nthreads:\n  - url: https://x.com/ada/status/1000\n    same_as: [https://social.example/@ada/5000]\n    hide: [1000]\n",
      to: "site.yml")
    try run(site, "build")
    #expect(try site.tree().keys.filter { $0.contains("uixotic") } == [])
    #expect(try filesContaining("uixotic", in: "site", of: site) == [])
  }

  @Test("Removed words are only in .threadsite/removed, and nowhere after --forget")
  func removesCopies() throws {
    let site = try TemporarySite()
    try site.save(thread(1000, ["Quixotic zeppelins", "A second post"]))
    try site.save(thread(2000, ["Another thread", "It goes on"]))
    try site.folder.write("title: A\n", to: "site.yml")
    try run(site, "build")
    #expect(try !filesContaining("uixotic", in: ".threadsite/build", of: site).isEmpty)
    // The responses of X that an interrupted fetch keeps.
    try site.folder.write("{\"id\":\"1001\",\"text\":\"Quixotic\"}", to: ".threadsite/x/thread-1000/1.json")
    try site.folder.write("{\"id\":\"2001\",\"text\":\"Another\"}", to: ".threadsite/x/thread-2000/1.json")
    try run(site, "remove", "--yes", "https://x.com/ada/status/1000")
    #expect(
      try filesContaining("uixotic", in: ".threadsite", of: site).allSatisfy { $0.hasPrefix("removed/") })
    #expect(site.folder.exists(".threadsite/x/thread-2000/1.json"))
    try run(site, "build")
    #expect(
      try filesContaining("uixotic", in: ".threadsite", of: site).allSatisfy { $0.hasPrefix("removed/") })
    try run(site, "remove", "--forget", "--yes")
    #expect(try filesContaining("uixotic", in: ".threadsite", of: site) == [])
    #expect(try filesContaining("uixotic", in: "site", of: site) == [])
    #expect(try filesContaining("uixotic", in: "threads", of: site) == [])
  }

  @Test("The lists and the repository of publications are deleted with a thread")
  func removesDataAboutPublications() throws {
    let site = try TemporarySite()
    try site.save(thread(1000, ["Quixotic zeppelins", "A second post"]))
    try site.save(thread(2000, ["Another thread", "It goes on"]))
    try site.folder.write("title: A\npublish:\n  folder: www\n  max_deletes: 100%\n", to: "site.yml")
    try run(site, "build")
    try run(site, "publish")
    #expect(site.folder.exists(".threadsite/publish"))
    try site.folder.write(
      "x/ada/quixotic-zeppelins-1000/index.html", to: ".threadsite/publish/folder-1.sha256")
    try site.folder.write("objects", to: ".threadsite/publish/git/objects/pack/1.pack")
    try run(site, "remove", "--yes", "https://x.com/ada/status/1000")
    #expect(!site.folder.exists(".threadsite/publish"))
    try run(site, "build")
    try run(site, "publish")
    #expect(try site.folder.tree("www").keys.allSatisfy { !$0.contains("quixotic") })
  }

  /// Compared with a search for one text after another.
  @Test("The search for many texts finds each of them", arguments: 0..<200)
  func findsTexts(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    func text(_ length: Int) -> String {
      String(decoding: (0..<length).map { _ in Array("abABc".utf8)[random(5)] }, as: UTF8.self)
    }
    let marks = (0..<random(4)).map { _ in text(random(12)) }
    let bytes = text(random(200))
    let isNamed = marks.contains { !$0.isEmpty && bytes.lowercased().contains($0.lowercased()) }
    #expect(ByteSearch(marks).finds(in: Array(bytes.utf8)) == isNamed, "\(marks) \(bytes)")
  }

  @Test("The record of dead links has no links of removed threads")
  func removesLinksFromTheRecordOfDeadLinks() throws {
    let site = try TemporarySite()
    for (number, page) in [(1000, "https://quixotic.example/"), (2000, "https://other.example/ä")] {
      var conversation = thread(number, ["Look: \(page)", "A second post"])
      conversation.posts[0].text = InlineText(
        "Look: \(page)",
        entities: [TextEntity(6..<6 + page.unicodeScalars.count, .link(url: page, short: nil))])
      try site.save(conversation)
    }
    try site.folder.write("title: A\n", to: "site.yml")
    try site.folder.write(
      "{\"format\": 1, \"links\": [\"https://other.example/%C3%A4\", \"https://quixotic.example/\"]}",
      to: "threads/dead-links.json")
    try run(site, "remove", "--yes", "https://x.com/ada/status/1000")
    let record = try site.folder.text("threads/dead-links.json")
    #expect(record.contains("other.example") && !record.contains("quixotic"))
    try site.folder.write("{", to: "threads/dead-links.json")
    try run(site, "remove", "--yes", "https://x.com/ada/status/2000")
    #expect(!site.folder.exists("threads/dead-links.json"), "an unreadable record is deleted")
  }

  @Test("A record of dead links that could not be read again is not written")
  func limitsTheRecordOfDeadLinks() throws {
    let site = try TemporarySite()
    let store = site.path + "/threads"
    var record = DeadLinks()
    record.update(dead: ["https://other.example/"], unverified: [])
    try site.folder.write("", to: "threads/.keep")
    try record.save(store: store)
    let filler = String(repeating: "a", count: 1900)
    record.update(dead: Set((0..<9000).map { "https://other.example/\($0)/\(filler)" }), unverified: [])
    let error = #expect(throws: PipelineError.self) { try record.save(store: store) }
    #expect(error?.messages.first?.contains("dead-links.json: error: the 9000 dead links") == true)
    #expect(try DeadLinks.load(store: store).urls == ["https://other.example/"])
  }

  @Test("A build without the cache deletes the cache of an earlier site")
  func deletesCacheWithoutCache() throws {
    let site = try TemporarySite()
    try site.save(thread(1000, ["Quixotic zeppelins", "A second post"]))
    try site.folder.write("title: A\n", to: "site.yml")
    try site.build()
    #expect(try !filesContaining("uixotic", in: ".threadsite", of: site).isEmpty)
    try site.folder.write(
      "title: A\nthreads:\n  - url: https://x.com/ada/status/1000\n    hide: [1000]\n", to: "site.yml")
    try site.build(usesCache: false)
    #expect(try filesContaining("uixotic", in: ".threadsite", of: site) == [])
  }
}
