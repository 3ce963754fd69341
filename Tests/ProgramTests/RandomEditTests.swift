import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// After random edits, an incremental build and a build of shards write the same files as a build without a cache, byte for byte.
///
/// `THREADSITE_EDITS` sets the number of edits (by default a few; more in the deep run). `THREADSITE_SEED`
/// repeats a run.
@Suite(.serialized) struct RandomEditTests {
  private static let edits =
    ProcessInfo.processInfo.environment["THREADSITE_EDITS"].flatMap(Int.init)
    ?? TestDepth.cases(fast: 5, deep: 60)
  private static let seed = SeededRandom.seedOfRun

  private static let words = [
    "morning", "garden", "letters", "bread", "clocks", "rivers", "maps", "wool", "salt", "stars", "ink",
    "bees",
  ]

  /// - Returns: a description of the edit, for messages.
  private func edit(_ contents: inout EditedContents, _ numbers: inout SeededRandom) -> String {
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
      contents.files["threads/dead-links.json"] =
        dead.isEmpty ? nil : EditedContents.record(ofDeadPages: dead)
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
    if contents.files["themes/own/static/style.css"] != nil, Int.random(in: 0..<4, using: &numbers) == 0 {
      contents.files["themes/own/static/style.css"] =
        "/* \(word()) */ body { margin: \(Int.random(in: 0..<3, using: &numbers))px }\n"
      return "edit of the style sheet"
    }
    if Int.random(in: 0..<8, using: &numbers) == 0 { return editMentions(&contents, &numbers, word: word()) }
    if Int.random(in: 0..<12, using: &numbers) == 0 {
      let other = contents.threads.indices.randomElement(using: &numbers) ?? 0
      let url =
        "https://x.com/\(contents.handles[contents.threads[other].author])/status/\((other + 1) * 100)"
      contents.threads[thread].settings["same_as"] = Bool.random(using: &numbers) ? "['\(url)']" : nil
      return "edit of the copies of thread \(thread)"
    }
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
        EditedContents.Thread(
          author: Int.random(in: 0..<3, using: &numbers), text: "New \(word())", quotes: thread)
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
  private func postURL(_ contents: EditedContents, _ numbers: inout SeededRandom) -> String {
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
    _ contents: inout EditedContents, _ numbers: inout SeededRandom, word: String
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
  private func editPages(_ contents: inout EditedContents, _ numbers: inout SeededRandom, word: String)
    -> String
  {
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
  ///
  /// - Parameter isPreview: whether the site is that of a preview, which does not look at the files in the site's folder again.
  private func tamper(
    _ site: TemporarySite, isPreview: Bool, _ numbers: inout SeededRandom
  ) throws -> String {
    let kind = Int.random(in: (isPreview ? 3 : 0)..<8, using: &numbers)
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
  private static var startingContents: EditedContents {
    var contents = EditedContents()
    for number in 0..<14 {
      contents.threads.append(
        EditedContents.Thread(
          author: number < 8 ? number % 3 : 0,
          text: "Thread \(number)"
            + (number.isMultiple(of: 2) ? ". " + String(repeating: "It has many words, ", count: 25) : ""),
          quotes: number > 4 && number < 8 ? number - 3 : nil,
          hasPicture: number == 2))
    }
    return contents
  }

  /// Compares a build with one in another folder without a cache: both have the same files, or both fail.
  ///
  /// - Parameter comparesMessages: whether both must fail with the same messages. A shard reports only errors of its own threads.
  /// - Returns: whether both succeeded.
  private func isBuiltLikeAFreshSite(
    _ outcome: Result<BuildSummary, PipelineError>, _ site: TemporarySite, _ moment: String,
    comparesMessages: Bool = true, namesStyleSheetsByContent: Bool = true
  ) throws -> Bool {
    let fresh = Result { () throws(PipelineError) in
      try site.build(
        output: site.path + "/fresh", usesCache: false, namesStyleSheetsByContent: namesStyleSheetsByContent)
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
      return true
    case (.failure(let one), .failure(let other)):
      guard comparesMessages else { return false }
      #expect(one.messages.map(site.withoutPaths) == other.messages.map(site.withoutPaths), "\(moment)")
    default: Issue.record("\(moment): only one of two builds fails: \(outcome), \(fresh)")
    }
    return false
  }

  /// The files of the store with their inodes, sizes and times, by path.
  private func signatures(_ site: TemporarySite) throws -> [String: [Int]] {
    var found: [String: [Int]] = [:]
    for path in try site.folder.tree("threads").keys {
      var information = stat()
      try #require(lstat(site.path + "/threads/" + path, &information) == 0)
      found[path] = [
        Int(information.st_ino), Int(information.st_size), Int(information.st_ctim.tv_sec),
        Int(information.st_ctim.tv_nsec),
      ]
    }
    return found
  }

  /// Returns the paths of changes as a watcher reports them: of media only the folder.
  private func changes(from old: [String: [Int]], to new: [String: [Int]], _ site: TemporarySite) -> [String]
  {
    Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.map { path in
      site.path + "/threads/" + (path.hasPrefix("media/") ? "media" : path)
    }
  }

  /// - Parameter isPreview: whether the builds are those of a preview: the names of style sheets stay the same, and a memory connects the
  ///   builds.
  @Test(arguments: [false, true])
  func editsGiveTheSameFilesAsAFullBuild(isPreview: Bool) throws {
    print("edits: seed \(Self.seed)")
    var numbers = SeededRandom(seed: Self.seed &+ (isPreview ? 1 : 0))
    let site = try TemporarySite()
    var contents = Self.startingContents
    try contents.write(to: site, after: nil)
    var memory = isPreview ? BuildMemory() : nil
    var seen = try signatures(site)
    try site.build(namesStyleSheetsByContent: !isPreview, memory: memory)
    for round in 0..<(Self.edits + 1) / 2 {
      let old = contents
      // The preview is started again.
      if isPreview, round % 9 == 8 { memory = BuildMemory() }
      var text = ""
      if round % 4 == 3, site.folder.exists("site"), site.folder.exists(".threadsite/build") {
        text = try tamper(site, isPreview: isPreview, &numbers)
      } else {
        text = edit(&contents, &numbers)
        try contents.write(to: site, after: old)
      }
      // Sometimes time passes between two builds. Only then does the build trust a file's time without
      // reading the file.
      if Bool.random(using: &numbers) { try waitUntilFilesAreSettled() }
      let moment = "seed \(Self.seed), preview \(isPreview), round \(round): \(text)"
      let now = try signatures(site)
      let changed = changes(from: seen, to: now, site)
      seen = now
      let outcome = Result { () throws(PipelineError) in
        try site.build(namesStyleSheetsByContent: !isPreview, memory: memory, changed: changed)
      }
      guard
        try !isBuiltLikeAFreshSite(outcome, site, moment, namesStyleSheetsByContent: !isPreview)
      else { continue }
      // An edit that could not be built is undone.
      let failed = contents
      contents = old
      try contents.write(to: site, after: failed)
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
      guard try !isBuiltLikeAFreshSite(outcome, site, moment, comparesMessages: false) else { continue }
      // An edit that could not be built is undone.
      let failed = contents
      contents = old
      try contents.write(to: site, after: failed)
    }
  }
}
