import Foundation
import SiteBuild
import SiteWorkspace
import Synchronization
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// An incremental build writes the same files as a build without a cache, byte for byte.
///
/// `THREADSITE_EDITS` sets the number of edits (by default a few; more in the deep run). `THREADSITE_SEED`
/// repeats a run.
@Suite(.serialized) struct BuildCacheTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let edits =
    environment["THREADSITE_EDITS"].flatMap(Int.init) ?? TestDepth.cases(fast: 5, deep: 60)
  private static let seed = SeededRandom.seedOfRun

  /// The input of a site, which the edits change.
  private struct Contents {
    struct Thread {
      var author: Int
      var text: String
      var quotes: Int?
      /// The number of the thread that its third post links to. The link's handle may be wrong.
      var links: Int?
      var mentions = "i"
      var exists = true
      /// The settings in its entry of site.yml.
      var settings: [String: String] = [:]
      var hasPicture = false
      /// Text at the end of its third post.
      var extra = ""
      var posts = 3
      /// The number of the page of another site that its second post links to.
      var page: Int?
      /// The index of the other thread's post that `links` leads to, from 0.
      var linkedPost = 2
    }

    var threads: [Thread] = []
    var handles = ["ada", "bo", "cy"]
    var names = ["Ada", "Bo", "Cy"]
    /// The number of renames so far: the latest name counts.
    var day = 0
    var configuration: [String: String] = ["base_url": "https://ada.example/", "title": "Threads"]
    var files: [String: String] = [:]
    /// The content of files in the store's media folder.
    var picture: UInt8 = 9

    func id(_ thread: Int) -> String { "\((thread + 1) * 100)" }

    func conversation(_ number: Int) -> Conversation {
      let thread = threads[number]
      let ids = handles.indices.map { AuthorID("\(11 + $0)", on: .x) }
      var conversation = Conversation(id: PostID(id(number), on: .x), authorID: ids[thread.author])
      conversation.authors = handles.indices.map { author in
        var person = Author(id: ids[author], handle: handles[author], name: names[author])
        person.observedAt = Timestamp(seconds: 1_700_000_000 + Int64(day) * 86_400)
        return person
      }
      for place in 0..<thread.posts {
        var post = Post(
          id: PostID("\((number + 1) * 100 + place)", on: .x), authorID: ids[thread.author],
          text: InlineText(
            place == 0
              ? thread.text
              : "\(thread.text), part \(place) #tag\(number % 3)\(place == 2 ? thread.extra : "")"))
        post.conversationID = conversation.id
        post.createdAt = Timestamp(seconds: 1_600_000_000 + Int64(number) * 864_000 + Int64(place))
        post.metrics.likes = thread.text.utf8.count * 10 + number
        if place > 0 { post.inReplyTo = PostID("\((number + 1) * 100 + place - 1)", on: .x) }
        if place == 1, let quotes = thread.quotes {
          // Some quoted posts do not state their conversation.
          let isFirst = quotes.isMultiple(of: 2)
          post.quotes = PostID("\((quotes + 1) * 100 + (isFirst ? 0 : 1))", on: .x)
          var quoted = Post(
            id: PostID("\((quotes + 1) * 100 + (isFirst ? 0 : 1))", on: .x),
            authorID: ids[threads[quotes].author],
            text: InlineText("as it was quoted"))
          quoted.conversationID = isFirst ? quoted.id : nil
          conversation.related = [quoted]
        }
        if place == 1, let page = thread.page {
          let text = post.text.text + " "
          let address = "https://pages.example/\(page)"
          let start = text.unicodeScalars.count
          post.text = InlineText(
            text + address,
            entities: [TextEntity(start..<start + address.utf8.count, .link(url: address, short: nil))])
        }
        if place == 2, let links = thread.links, threads.indices.contains(links) {
          let address = "https://x.com/\(thread.mentions)/status/\((links + 1) * 100 + thread.linkedPost)"
          let text = "@\(thread.mentions) \(address)"
          let name = thread.mentions.utf8.count + 1
          post.text = InlineText(
            text,
            entities: [
              TextEntity(
                0..<name, .mention(handle: thread.mentions, url: "https://x.com/\(thread.mentions)")),
              TextEntity(name + 1..<text.utf8.count, .link(url: address, short: nil)),
            ])
        }
        if place == 2, thread.hasPicture {
          var media = Media(id: "1", kind: .photo, url: "https://pbs.twimg.com/media/a.png")
          media.file = "picture.png"
          post.media = [media]
        }
        conversation.posts.append(post)
      }
      return conversation
    }

    /// Writes all of it and deletes the files that no longer belong to it.
    func write(to site: TemporarySite, after old: Contents?) throws {
      var yaml = configuration.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }.joined()
      let entries = threads.indices.filter { threads[$0].exists && !threads[$0].settings.isEmpty }
      if !entries.isEmpty { yaml += "threads:\n" }
      for number in entries {
        yaml += "  - url: https://x.com/\(handles[threads[number].author])/status/\(id(number))\n"
        for (key, value) in threads[number].settings.sorted(by: { $0.key < $1.key }) {
          yaml += "    \(key): \(value)\n"
        }
      }
      if try !site.folder.exists("site.yml") || site.folder.text("site.yml") != yaml {
        try site.folder.write(yaml, to: "site.yml")
      }
      for (number, thread) in threads.enumerated() {
        if let old, old.threads.indices.contains(number), old.threads[number].exists {
          guard
            !thread.exists || old.conversation(number) != conversation(number)
          else { continue }
          let folder = "threads/x"
          for handle in try FileManager.default.contentsOfDirectory(atPath: site.path + "/" + folder)
          where site.folder.exists("\(folder)/\(handle)/\(id(number)).json") {
            try site.folder.remove("\(folder)/\(handle)/\(id(number)).json")
          }
        }
        if thread.exists { try site.save(conversation(number)) }
      }
      if threads.contains(where: \.hasPicture),
        old?.picture != picture || !site.folder.exists("threads/media/picture.png")
      {
        try site.folder.write(SampleMedia.png(width: picture, height: 9), to: "threads/media/picture.png")
      }
      for (path, text) in files where old?.files[path] != text { try site.folder.write(text, to: path) }
      for path in old?.files.keys ?? [:].keys where files[path] == nil { try site.folder.remove(path) }
    }
  }

  private static func record(ofDeadPages pages: [Int]) -> String {
    let links = pages.map { "\"https://pages.example/\($0)\"" }.joined(separator: ", ")
    return "{\"format\": 1, \"links\": [\(links)]}\n"
  }

  private static let words = [
    "morning", "garden", "letters", "bread", "clocks", "rivers", "maps", "wool", "salt", "stars", "ink",
    "bees",
  ]

  /// - Returns: a description of the edit, for messages.
  private func edit(_ contents: inout Contents, _ numbers: inout SeededRandom) -> String {
    let there = contents.threads.indices.filter { contents.threads[$0].exists }
    let thread = there.randomElement(using: &numbers) ?? 0
    func word() -> String { Self.words.randomElement(using: &numbers) ?? "" }
    if Int.random(in: 0..<8, using: &numbers) == 0 {
      let (key, value) =
        [
          ("intro", "About *\(word())*"), ("afterword", "\(word()) and \(word())"),
          ("intro", "\"\(word())\\n\\n\(postURL(contents, &numbers))\\n\\n\(postURL(contents, &numbers))\""),
          ("notes", "{\((thread + 1) * 100 + Int.random(in: 0..<3, using: &numbers)): \(word())}"),
        ].randomElement(using: &numbers) ?? ("intro", "x")
      contents.threads[thread].settings[key] = Bool.random(using: &numbers) ? value : nil
      return "edit of the \(key) of thread \(thread)"
    }
    if Int.random(in: 0..<10, using: &numbers) == 0 {
      contents.threads[thread].page = Int.random(in: 0..<3, using: &numbers)
      contents.configuration["archived_links"] = Int.random(in: 0..<4, using: &numbers) > 0 ? "true" : nil
      let dead = (0..<3).filter { _ in Bool.random(using: &numbers) }
      contents.files["threads/dead-links.json"] = dead.isEmpty ? nil : Self.record(ofDeadPages: dead)
      return "edit of the dead links"
    }
    if Int.random(in: 0..<6, using: &numbers) == 0 { return editPages(&contents, &numbers, word: word()) }
    if Int.random(in: 0..<8, using: &numbers) == 0 {
      contents.files["pages/shown.md"] =
        "# Shown\n\n\(postURL(contents, &numbers))\n\n\(word())\n\n\(postURL(contents, &numbers))\n"
      return "edit of a page that shows posts"
    }
    if Int.random(in: 0..<4, using: &numbers) == 0 {
      // The threads begin with a long text, so that their excerpts stay the same.
      for number in Set([thread, there.randomElement(using: &numbers) ?? thread]) {
        if contents.threads[number].extra.utf8.count > 60 { contents.threads[number].extra = "" }
        contents.threads[number].extra +=
          [" \(word())", " only\(word())", "\n\n\(word())."].randomElement(
            using: &numbers) ?? ""
      }
      return "edit of the last words of thread \(thread)"
    }
    if Int.random(in: 0..<8, using: &numbers) == 0 { return editMentions(&contents, &numbers, word: word()) }
    let kind = Int.random(in: 0..<30, using: &numbers)
    switch kind {
    case 0...2: contents.threads[thread].text += " \(word())"
    case 3: contents.threads[thread].text = "\(word()) and \(word()) \(thread)"
    case 4: contents.threads[thread].settings["title"] = "The \(word()) of \(thread)"
    case 5: contents.threads[thread].settings["tags"] = "[\(word()), \(word())]"
    case 6: contents.threads[thread].settings["slug"] = "\(word())-\(thread)"
    case 7: contents.threads[thread].settings["draft"] = Bool.random(using: &numbers) ? "true" : "false"
    case 8: contents.threads[thread].settings["hide"] = "['https://x.com/a/status/\((thread + 1) * 100 + 1)']"
    case 9: contents.threads[thread].settings = [:]
    case 10: if there.count > 3 { contents.threads[thread].exists = false }
    case 11:
      contents.threads.append(
        Contents.Thread(author: Int.random(in: 0..<3, using: &numbers), text: "New \(word())", quotes: thread)
      )
    case 12:
      if let gone = contents.threads.indices.first(where: { !contents.threads[$0].exists }) {
        contents.threads[gone].exists = true
      }
    case 13:
      contents.day += 1
      contents.handles[thread % 3] = "\(word())\(contents.day)"
      contents.names[thread % 3] = word().capitalized
    case 14: contents.threads[thread].quotes = there.filter { $0 != thread }.randomElement(using: &numbers)
    case 15: contents.threads[thread].hasPicture.toggle()
    case 23, 24:
      contents.threads[thread].links = there.randomElement(using: &numbers)
      contents.threads[thread].mentions =
        [
          contents.handles[contents.threads[thread].links.map { contents.threads[$0].author } ?? 0], "ada",
          "i",
        ]
        .randomElement(using: &numbers) ?? "i"
    case 26: contents.threads[thread].posts = Int.random(in: 3...5, using: &numbers)
    case 27: contents.threads[thread].linkedPost = Int.random(in: 0...4, using: &numbers)
    case 25: contents.threads[thread].settings["exclude"] = Bool.random(using: &numbers) ? "true" : nil
    case 28:
      contents.configuration["feed"] =
        [nil, "{entries: 3}", "{entries: 0}", "{content: summary}"].randomElement(using: &numbers) ?? nil
    case 16:
      contents.picture = contents.picture % 30 + 1
    case 17:
      let file = [
        "templates/image.mustache": "![{{alt}}]({{{url}}})\n\n<!-- \(word()) -->\n",
        "themes/own/static/style.css": "body { margin: \(contents.day)px }\n",
        "themes/own/layouts/home.mustache": "<title>{{site.title}} \(word())</title>\n",
        "templates/strings/en.yml": "site.feed: \"\(word())\"\n",
        "static/robots.txt": "User-agent: \(word())\n", "static/x/\(contents.handles[0])/index.html": word(),
      ]
      // Each of these changes the look of the site. Combinations that are errors are fine.
      let (path, text) = file.sorted { $0.key < $1.key }[Int.random(in: 0..<file.count, using: &numbers)]
      contents.files[path] = contents.files[path] == nil ? text : nil
      if contents.files.keys.contains(where: { $0.hasPrefix("themes/own/") }) {
        contents.files["themes/own/theme.yml"] = "name: own\nextends: paper\n"
        contents.configuration["theme"] = "own"
      } else {
        contents.files["themes/own/theme.yml"] = nil
        contents.configuration["theme"] = nil
      }
    case 18:
      contents.threads[thread].settings["aliases"] =
        contents.threads[thread].settings["aliases"] == nil ? "[old/\(thread)/, '\(word()).html']" : nil
    case 22:
      contents.configuration["books"] =
        contents.configuration["books"] == nil ? "[threads, authors, collections, site]" : nil
    case 19:
      contents.configuration["status_pages"] = contents.configuration["status_pages"] == nil ? "true" : nil
    case 20:
      contents.threads[thread].settings["noindex"] = Bool.random(using: &numbers) ? "true" : nil
    case 21:
      contents.configuration["authors"] =
        contents.configuration["authors"] == nil
        ? "[{accounts: ['https://x.com/\(contents.handles[contents.threads[thread].author])'], noindex: true}]"
        : nil
    default:
      let (key, value) =
        [
          ("base_url", "https://\(word()).example/"), ("title", word()),
          ("language", Bool.random(using: &numbers) ? "de" : "en"),
          ("search", Bool.random(using: &numbers) ? "true" : "false"), ("timezone", "Asia/Tokyo"),
          ("data_index", Bool.random(using: &numbers) ? "true" : "false"),
          ("description", "About \(word())"), ("noindex", Bool.random(using: &numbers) ? "true" : "false"),
          ("robots", Bool.random(using: &numbers) ? "no-training" : "none"),
          ("statistics", Bool.random(using: &numbers) ? "true" : "false"),
          ("publish", "{atproto: {account: 'did:web:\(word()).example'}}"),
          ("reading_controls", Bool.random(using: &numbers) ? "true" : "false"),
          (
            "accent", Bool.random(using: &numbers) ? "\"#1d4d7e\"" : "{light: \"#7a1f5c\", dark: \"#e0a0cc\"}"
          ),
        ].randomElement(using: &numbers) ?? ("title", "x")
      contents.configuration[key] = value
    }
    return "edit \(kind) of thread \(thread)"
  }

  /// Returns the URL of any post, or of the page of a thread with its first title, for a text that shows it.
  private func postURL(_ contents: Contents, _ numbers: inout SeededRandom) -> String {
    let thread = contents.threads.indices.randomElement(using: &numbers) ?? 0
    let post = (thread + 1) * 100 + Int.random(in: 0..<4, using: &numbers)
    let author = contents.handles[contents.threads[thread].author]
    return [
      "https://x.com/\(author)/status/\(post)", "https://x.com/i/status/\(post)",
      "https://ada.example/x/\(author)/thread-\(thread)-\((thread + 1) * 100)/",
      "https://ada.example/x/\(author)/thread-\(thread)-\((thread + 1) * 100)/#post-\(post)",
    ].randomElement(using: &numbers) ?? ""
  }

  /// Changes the replies from other sites.
  private func editMentions(
    _ contents: inout Contents, _ numbers: inout SeededRandom, word: String
  ) -> String {
    contents.configuration["webmention"] = "{inbox: saved.json}"
    let base = contents.configuration["base_url"] ?? ""
    let mentions = (0..<Int.random(in: 0...4, using: &numbers)).compactMap { number in
      let thread = contents.threads.indices.randomElement(using: &numbers) ?? 0
      let (id, handle) = ((thread + 1) * 100, contents.handles[contents.threads[thread].author])
      let target =
        ["x/\(handle)/thread-\(thread)-\(id)/", "status/\(id + 1)/", "old/\(thread)/"].randomElement(
          using: &numbers)
        ?? ""
      return WebMention(
        [.reply, .like, .mention].randomElement(using: &numbers) ?? .like,
        source: "https://b.example/\(number)", target: base + target, text: word)
    }
    contents.files["threads/webmentions.json"] = String(decoding: WebMentions(mentions).bytes, as: UTF8.self)
    return "edit of the replies from other sites"
  }

  /// Adds, changes and deletes pages of the owner and changes the menu.
  private func editPages(_ contents: inout Contents, _ numbers: inout SeededRandom, word: String) -> String {
    let kind = Int.random(in: 0..<4, using: &numbers)
    guard kind < 3 else {
      contents.configuration["menu"] =
        [nil, "[threads, about.md]", "[archive, {page: tags, label: \(word)}]"].randomElement(using: &numbers)
        ?? nil
      return "edit of the menu"
    }
    let (path, text) = [
      ("pages/about.md", "---\nmenu: true\n---\n# About \(word)\n\n[all](archive/)\n"),
      ("pages/trips/map.md", "---\ndraft: \(Bool.random(using: &numbers))\n---\n# The \(word)\n"),
      ("pages/trips/map.txt", word),
    ][kind]
    contents.files[path] = contents.files[path] == nil || Bool.random(using: &numbers) ? text : nil
    return "edit of \(path)"
  }

  /// Changes the site or the cache behind the program's back.
  private func tamper(_ site: TemporarySite, _ numbers: inout SeededRandom) throws -> String {
    let kind = Int.random(in: 0..<8, using: &numbers)
    let pages = try site.tree().keys.filter { $0 != ".threadsite" }.sorted()
    let page = try #require(pages.randomElement(using: &numbers))
    let cache = site.path + "/.threadsite/build"
    let kept = try FileManager.default.contentsOfDirectory(atPath: cache).sorted()
    switch kind {
    case 0: try site.folder.write("tampered", to: "site/" + page)
    case 1: try site.folder.remove("site/" + page)
    case 2: try site.folder.write("stray", to: "site/" + page + ".stray")
    case 3: try site.folder.remove("site")
    case 4: try FileManager.default.removeItem(atPath: cache)
    case 5:
      for name in kept {
        var bytes = try Data(contentsOf: URL(filePath: cache + "/" + name))
        if !bytes.isEmpty { bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^= 0x20 }
        try bytes.write(to: URL(filePath: cache + "/" + name))
      }
    case 6:
      for name in kept {
        let bytes = try Data(contentsOf: URL(filePath: cache + "/" + name))
        try bytes.prefix(Int.random(in: 0...bytes.count, using: &numbers))
          .write(to: URL(filePath: cache + "/" + name))
      }
    default:
      // As copying it does.
      try FileManager.default.copyItem(atPath: cache, toPath: cache + ".copy")
      try FileManager.default.removeItem(atPath: cache)
      try FileManager.default.moveItem(atPath: cache + ".copy", toPath: cache)
    }
    return "tampering \(kind) with \(page)"
  }

  /// Enough threads, and enough of one author, for statistics pages.
  private static var startingContents: Contents {
    var contents = Contents()
    for number in 0..<14 {
      contents.threads.append(
        Contents.Thread(
          author: number < 8 ? number % 3 : 0,
          text: "Thread \(number)"
            + (number.isMultiple(of: 2) ? ". " + String(repeating: "It has many words, ", count: 25) : ""),
          quotes: number > 4 && number < 8 ? number - 3 : nil,
          hasPicture: number == 2))
    }
    return contents
  }

  @Test func editsGiveTheSameFilesAsAFullBuild() throws {
    print("edits: seed \(Self.seed)")
    var numbers = SeededRandom(seed: Self.seed)
    let site = try TemporarySite()
    var contents = Self.startingContents
    try contents.write(to: site, after: nil)
    try site.build()
    var done: [String] = []
    for round in 0..<Self.edits {
      let old = contents
      var text = ""
      if round % 4 == 3, site.folder.exists("site"), site.folder.exists(".threadsite/build") {
        text = try tamper(site, &numbers)
      } else {
        text = edit(&contents, &numbers)
        try contents.write(to: site, after: old)
      }
      // Sometimes time passes between two builds. Only then does the build trust a file's time without
      // reading the file.
      if Bool.random(using: &numbers) { try waitUntilFilesAreSettled() }
      done.append(text)
      let moment = "seed \(Self.seed), round \(round): \(text)"
      let outcome = Result { () throws(PipelineError) in try site.build() }
      let fresh = Result { () throws(PipelineError) in
        try site.build(output: site.path + "/fresh", usesCache: false)
      }
      switch (outcome, fresh) {
      case (.success(let one), .success(let other)):
        let (found, expected) = (try site.tree(), try site.folder.tree("fresh"))
        #expect(found.keys.sorted() == expected.keys.sorted(), "\(moment)")
        let different = expected.keys.filter { found[$0] != expected[$0] }.sorted()
        #expect(different.isEmpty, "\(moment): \(different)")
        #expect(
          one.threads == other.threads && one.posts == other.posts && one.pages == other.pages, "\(moment)")
        #expect(one.drafts == other.drafts && one.missingAltTexts == other.missingAltTexts, "\(moment)")
      case (.failure(let one), .failure(let other)):
        #expect(
          one.messages.map(site.withoutPaths) == other.messages.map(site.withoutPaths), "\(moment)")
        // An edit that could not be built is undone.
        let failed = contents
        contents = old
        try contents.write(to: site, after: failed)
      default: Issue.record("\(moment): only one of two builds fails: \(outcome), \(fresh)")
      }
    }
  }

  /// The shards are built before an edit and joined after it, sometimes on top of the last build.
  @Test func shardsBeforeEditsGiveTheSameFilesAsAFullBuild() throws {
    print("edits of shards: seed \(Self.seed)")
    var numbers = SeededRandom(seed: Self.seed)
    let site = try TemporarySite()
    var contents = Self.startingContents
    try contents.write(to: site, after: nil)
    for round in 0..<Self.edits {
      try site.buildShards(2)
      let old = contents
      let text = edit(&contents, &numbers)
      try contents.write(to: site, after: old)
      if round % 3 != 0, site.folder.exists(".threadsite/build") {
        try site.folder.remove(".threadsite/build")
      }
      let moment = "seed \(Self.seed), round \(round): \(text)"
      var outcome = Result { () throws(PipelineError) in try site.build(joinsShards: true) }
      if case .failure(let error) = outcome,
        error.messages.allSatisfy({ $0.contains(".shard: error: it was built with other") })
      {
        outcome = Result { () throws(PipelineError) in
          try site.buildShards(2)
          return try site.build(joinsShards: true)
        }
      }
      let fresh = Result { () throws(PipelineError) in
        try site.build(output: site.path + "/fresh", usesCache: false)
      }
      switch (outcome, fresh) {
      case (.success(let one), .success(let other)):
        let (found, expected) = (try site.tree(), try site.folder.tree("fresh"))
        #expect(found.keys.sorted() == expected.keys.sorted(), "\(moment)")
        let different = expected.keys.filter { found[$0] != expected[$0] }.sorted()
        #expect(different.isEmpty, "\(moment): \(different)")
        #expect(one.threads == other.threads && one.missingAltTexts == other.missingAltTexts, "\(moment)")
      case (.failure, .failure):
        // An edit that could not be built is undone.
        let failed = contents
        contents = old
        try contents.write(to: site, after: failed)
      default: Issue.record("\(moment): only one of two builds fails: \(outcome), \(fresh)")
      }
    }
  }

  private func inodes(_ site: TemporarySite) throws -> [String: [Int64]] {
    var found: [String: [Int64]] = [:]
    for path in try site.tree().keys {
      var information = stat()
      try #require(lstat(site.path + "/site/" + path, &information) == 0)
      found[path] = [
        Int64(information.st_ino), Int64(information.st_ctim.tv_sec), Int64(information.st_ctim.tv_nsec),
      ]
    }
    return found
  }

  @Test func secondBuildRendersNothing() throws {
    let site = try TemporarySite("defaults")
    try waitUntilFilesAreSettled()
    let first = try site.build()
    let before = try inodes(site)
    let warnings = site.warnings
    let steps = try site.stepsOfBuild()
    #expect(steps.isEmpty)
    #expect(try inodes(site) == before)
    let second = try site.build()
    #expect(second.threads == first.threads && second.posts == first.posts && second.pages == first.pages)
    #expect(second.missingAltTexts == first.missingAltTexts && second.excluded == first.excluded)
    // Both builds repeat the warnings.
    #expect(site.warnings == warnings + warnings + warnings)
    // Drafts make a different site.
    #expect(try !site.stepsOfBuild(drafts: true).isEmpty)
  }

  @Test func touchedFileChangesNothing() throws {
    let site = try TemporarySite("defaults")
    try waitUntilFilesAreSettled()
    try site.build()
    let before = try inodes(site)
    for path in try site.folder.tree("threads").keys {
      try site.folder.write(try #require(site.folder.tree("threads")[path]), to: "threads/" + path)
    }
    try waitUntilFilesAreSettled()
    #expect(try !site.stepsOfBuild().isEmpty)
    #expect(try inodes(site) == before)
  }

  /// Edits the text of a thread, its title, the style sheet, and a name of its author. Checks which files are
  /// rendered and which are written for each.
  @Test func editRendersOnlyAffectedFiles() throws {
    let site = try TemporarySite()
    var contents = Contents()
    for number in 0..<12 {
      let words = Array(repeating: "more of what it says", count: 30).joined(separator: ", ")
      contents.threads.append(
        Contents.Thread(author: number % 3, text: "Thread \(number) of twelve. It says \(words)"))
    }
    contents.files = [
      "themes/own/theme.yml": "name: own\nextends: paper\n",
      "themes/own/static/style.css": "body { margin: 1px }\n",
    ]
    contents.configuration["theme"] = "own"
    try contents.write(to: site, after: nil)
    try waitUntilFilesAreSettled()
    #expect(try site.build().rendered == 12)
    func changes(_ edit: (inout Contents) throws -> Void) throws -> (rendered: Int, written: Set<String>) {
      let (before, old) = (try inodes(site), contents)
      try edit(&contents)
      try contents.write(to: site, after: old)
      try waitUntilFilesAreSettled()
      let rendered = try site.build().rendered
      let after = try inodes(site)
      return (rendered, Set(after.keys.filter { after[$0] != before[$0] }))
    }
    let words = try changes { contents in
      contents.threads[4].extra = " and some unheard words"
    }
    #expect(words.rendered == 1)
    let pages = words.written.filter { $0.hasSuffix(".html") }
    // Its own page, and the lists that show its reading time.
    let own = "x/bo/thread-4-of-twelve-500/index.html"
    let lists: Set = ["index.html", "2020/index.html", "2020/10/index.html", "x/bo/index.html"]
    #expect(pages.contains(own) && pages.isSubset(of: lists.union([own])), "\(pages)")
    #expect(words.written.filter { $0.hasSuffix("index.md") }.count == 1)
    #expect(words.written.contains("feed.xml") && words.written.contains("search/index.json"))
    #expect(words.written.allSatisfy { !$0.hasPrefix("search/r-") })

    // A few words in the middle of a thread change no list.
    contents.configuration["feed"] = "{entries: 3}"
    _ = try changes { _ in }
    for (thread, changesFeeds) in [(4, false), (11, true)] {
      let word = try changes { $0.threads[thread].extra += " unheard" }
      #expect(word.rendered == 1)
      let others = word.written.filter { !$0.hasPrefix("search/") }
      let page = "x/\(["ada", "bo", "cy"][thread % 3])/thread-\(thread)-of-twelve-\((thread + 1) * 100)/"
      let feeds = changesFeeds ? ["feed.xml", "feed.json"] : []
      #expect(others == Set([page + "index.html", page + "index.md"] + feeds))
      #expect(word.written.contains("search/index.json"))
    }

    let title = try changes { $0.threads[7].settings["title"] = "Another name" }
    #expect(title.rendered == 1)
    // Its own page, those of its neighbors and of the author's other threads, and lists; no pages of other
    // people.
    #expect(title.written.filter { $0.hasPrefix("x/") && $0.hasSuffix("index.md") }.count == 1)
    #expect(title.written.contains("index.html") && title.written.contains("x/bo/index.html"))
    #expect(!title.written.contains("x/ada/index.html"))

    let style = try changes { $0.files["themes/own/static/style.css"] = "body { margin: 2px }\n" }
    #expect(style.rendered == 0)
    #expect(style.written.filter { $0.hasSuffix("index.html") }.count > 12)
    #expect(!style.written.contains { $0.hasSuffix("index.md") })

    let name = try changes { contents in
      contents.day += 1
      contents.names[2] = "Cyan"
    }
    // Every conversation in this store names all three authors.
    #expect(name.rendered == 12)
    #expect(try changes { _ in }.rendered == 0)
  }

  /// The record of dead links is an input of all threads, but only with `archived_links: true`.
  @Test func changedDeadLinksReachThePages() throws {
    let site = try TemporarySite()
    var contents = Contents()
    for number in 0..<3 {
      contents.threads.append(Contents.Thread(author: 0, text: "Thread \(number)", page: number))
    }
    contents.files["threads/dead-links.json"] = Self.record(ofDeadPages: [1])
    func build(_ edit: (inout Contents) -> Void) throws -> (rendered: Int, marked: Set<String>) {
      let old = contents
      edit(&contents)
      try contents.write(to: site, after: old)
      try waitUntilFilesAreSettled()
      let rendered = try site.build().rendered
      let pages = try site.tree().filter { $0.key.hasPrefix("x/ada/") && $0.key.hasSuffix("/index.html") }
      let marked = pages.filter { $0.value.range(of: Data("web.archive.org".utf8)) != nil }
      return (rendered, Set(marked.keys))
    }
    try contents.write(to: site, after: nil)
    #expect(try build { _ in }.marked == [])
    #expect(try build { $0.files["threads/dead-links.json"] = Self.record(ofDeadPages: [2]) }.rendered == 0)
    let pages = ["x/ada/thread-1-200/index.html", "x/ada/thread-2-300/index.html"]
    let marked = try build { $0.configuration["archived_links"] = "true" }
    #expect(marked.rendered == 3 && marked.marked == [pages[1]])
    let changed = try build { $0.files["threads/dead-links.json"] = Self.record(ofDeadPages: [1]) }
    #expect(changed.rendered == 3 && changed.marked == [pages[0]])
    #expect(try build { _ in }.rendered == 0)
    #expect(try build { $0.files["threads/dead-links.json"] = nil }.marked == [])
  }

  /// A build restores files of the site that someone changed, and does nothing else.
  @Test func rewritesChangedFilesOfTheSite() throws {
    let site = try TemporarySite()
    var contents = Contents()
    for number in 0..<3 {
      contents.threads.append(Contents.Thread(author: 0, text: "Thread \(number)", hasPicture: number == 1))
    }
    try contents.write(to: site, after: nil)
    try waitUntilFilesAreSettled()
    try site.build()
    let expected = try site.tree()
    let files = expected.keys.sorted()
    let kinds = [
      files.first { $0 == "index.html" }, files.first { $0 == "feed.xml" },
      files.first { $0.hasSuffix(".css") },
      files.first { $0.hasSuffix(".png") && $0.contains("media/") },
      files.first { $0.hasPrefix("x/ada/thread-") && $0.hasSuffix("index.html") },
    ].compactMap(\.self)
    #expect(kinds.count == 5, "\(files)")
    try waitUntilFilesAreSettled()
    #expect(try site.stepsOfBuild().isEmpty)
    for file in kinds {
      try site.folder.write("changed by hand", to: "site/" + file)
      try site.build()
      #expect(try site.tree() == expected, "\(file)")
      try site.folder.remove("site/" + file)
      try site.build()
      #expect(try site.tree() == expected, "\(file)")
    }
  }

  /// Images have names derived from their content, but the owner can still change one.
  @Test func copiesAnImageThatChangesUnderItsName() throws {
    let site = try TemporarySite()
    var contents = Contents()
    contents.threads = [Contents.Thread(author: 0, text: "A thread", hasPicture: true)]
    try contents.write(to: site, after: nil)
    try site.build()
    let copy = try #require(
      try site.tree().keys.first {
        $0.hasSuffix("picture.png") || $0.hasSuffix(".png") && $0.contains("media/")
      })
    for width: UInt8 in [20, 21] {
      let old = contents
      contents.picture = width
      try contents.write(to: site, after: old)
      try waitUntilFilesAreSettled()
      try site.build()
      #expect(
        try Data(contentsOf: URL(filePath: site.path + "/site/" + copy))
          == Data(SampleMedia.png(width: width, height: 9)))
      let before = try inodes(site)
      try contents.write(to: site, after: contents)
      try site.folder.write("description: Number \(width)\n", to: "site.yml")
      try waitUntilFilesAreSettled()
      try site.build()
      #expect(try inodes(site)[copy] == before[copy], "unchanged files are not copied again")
    }
  }

  /// A thread grows by the post that another thread links to. The other thread's file is unchanged, but its
  /// page must link to the new post.
  @Test func growingThreadChangesThePagesThatLinkToIt() throws {
    let site = try TemporarySite()
    var contents = Contents()
    contents.threads = [
      Contents.Thread(author: 0, text: "Grows"),
      Contents.Thread(author: 1, text: "Links", links: 0, mentions: "ada", linkedPost: 3),
      Contents.Thread(author: 0, text: "Stays"),
    ]
    try contents.write(to: site, after: nil)
    func page() throws -> String { try site.folder.text("site/x/bo/links-200/index.html") }
    try waitUntilFilesAreSettled()
    try site.build()
    // The second build keeps the answers of the first, because nothing that other threads depend on has
    // changed.
    var old = contents
    contents.threads[0].extra = " and more words"
    try contents.write(to: site, after: old)
    try waitUntilFilesAreSettled()
    #expect(try site.build().rendered == 1)
    #expect(try page().contains("href=\"https://x.com/ada/status/103\""))
    old = contents
    contents.threads[0].posts = 4
    try contents.write(to: site, after: old)
    try waitUntilFilesAreSettled()
    let summary = try site.build()
    #expect(
      try !page().contains("href=\"https://x.com/ada/status/103\"") && page().contains("x/ada/grows-100/#"))
    #expect(summary.rendered == 2)
    // Its place changes only through its URL, and is removed with it.
    old = contents
    contents.threads[0].settings["slug"] = "moved"
    try contents.write(to: site, after: old)
    try waitUntilFilesAreSettled()
    try site.build()
    #expect(try page().contains("x/ada/moved-100/#"))
    old = contents
    contents.threads[0].exists = false
    try contents.write(to: site, after: old)
    try waitUntilFilesAreSettled()
    try site.build()
    #expect(try page().contains("href=\"https://x.com/ada/status/103\""))
  }

  /// Every page links to the list of collections as soon as there is a collection.
  @Test func firstCollectionChangesEveryPage() throws {
    let site = try TemporarySite()
    var contents = Contents()
    contents.threads = [
      Contents.Thread(author: 0, text: "A thread"), Contents.Thread(author: 1, text: "Other"),
    ]
    try contents.write(to: site, after: nil)
    try waitUntilFilesAreSettled()
    try site.build()
    for collections: String? in [
      "[{title: Trips, slug: trips, threads: ['https://x.com/ada/status/100']}]", nil,
    ] {
      let old = contents
      contents.configuration["collections"] = collections
      try contents.write(to: site, after: old)
      try waitUntilFilesAreSettled()
      try site.build()
      try site.build(output: site.path + "/fresh", usesCache: false)
      let (found, expected) = (try site.tree(), try site.folder.tree("fresh"))
      #expect(found.keys.sorted() == expected.keys.sorted())
      #expect(expected.keys.filter { found[$0] != expected[$0] }.isEmpty)
      #expect(try site.page("x/bo/other-200/index.html").contains("collections/") == (collections != nil))
    }
  }

  /// A cache of another version, or a damaged one, does not change the site.
  @Test(arguments: ["version", "cut", "empty", "other records", "bytes of records", "no records"])
  func ignoresAnInconsistentCache(_ damage: String) throws {
    let site = try TemporarySite("defaults")
    try waitUntilFilesAreSettled()
    try site.build()
    let expected = try site.tree()
    let folder = site.path + "/.threadsite/build"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let state = folder + "/" + (try #require(names.first { !$0.hasSuffix(".threads") }))
    let records = state + ".threads"
    var bytes = try Data(contentsOf: URL(filePath: state))
    switch damage {
    case "version":
      let digit = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) - 1
      bytes[digit] ^= 1
      try bytes.write(to: URL(filePath: state))
    case "cut": try bytes.dropLast(9).write(to: URL(filePath: state))
    case "empty": try Data().write(to: URL(filePath: state))
    case "other records":
      let other = try Data(contentsOf: URL(filePath: records))
      try Data(other.reversed()).write(to: URL(filePath: records))
    case "bytes of records":
      var other = try Data(contentsOf: URL(filePath: records))
      for place in stride(from: 100, to: other.count, by: 700) { other[place] ^= 1 }
      try other.write(to: URL(filePath: records))
    default: try FileManager.default.removeItem(atPath: records)
    }
    let touched = try #require(try site.folder.tree("threads").keys.filter { $0.hasPrefix("x/") }.min())
    try site.folder.write(try site.folder.text("threads/" + touched), to: "threads/" + touched)
    try waitUntilFilesAreSettled()
    let summary = try site.build()
    if damage != "bytes of records" { #expect(summary.rendered == summary.threads) }
    #expect(try site.tree() == expected)
  }

  /// The records grow with the number of threads, not with the number of builds.
  @Test func deletesRecordsOfFormerBuilds() throws {
    let site = try TemporarySite("defaults")
    try waitUntilFilesAreSettled()
    try site.build()
    let folder = site.path + "/.threadsite/build"
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".threads") })
    func size() throws -> Int { try Data(contentsOf: URL(filePath: "\(folder)/\(name)")).count }
    let first = try size()
    var sizes: [Int] = []
    for round in 0..<TestDepth.cases(fast: 6, deep: 40) {
      try site.folder.write("description: Round \(round)\n", to: "site.yml")
      try waitUntilFilesAreSettled()
      try site.build()
      sizes.append(try size())
    }
    #expect(try #require(sizes.max()) <= 4 * first, "\(first): \(sizes)")
    #expect(try #require(sizes.last) <= 4 * first)
  }

  @Test func rendersEverythingWithoutTheCache() throws {
    let site = try TemporarySite("defaults")
    try waitUntilFilesAreSettled()
    try site.build()
    #expect(try !site.stepsOfBuild(usesCache: false).isEmpty)
  }

  @Test func buildsWithoutACacheFolder() throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("in the way", to: ".threadsite/build")
    #expect(try site.build().threads > 0)
    #expect(try site.build().threads > 0)
    #expect(try site.folder.text(".threadsite/build") == "in the way")
  }
}

extension TemporarySite {
  /// The steps that a build reports; empty if it has nothing to do.
  fileprivate func stepsOfBuild(drafts: Bool = false, usesCache: Bool = true) throws -> Set<String> {
    let steps = Steps()
    try build(drafts: drafts, usesCache: usesCache) { steps.add($0) }
    return steps.all
  }
}

/// Collects names from any system thread.
private final class Steps: Sendable {
  private let names = Mutex<Set<String>>([])
  func add(_ name: String) { names.withLock { _ = $0.insert(name) } }
  var all: Set<String> { names.withLock { $0 } }
}
