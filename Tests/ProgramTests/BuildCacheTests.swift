import Foundation
import SiteBuild
import SiteWorkspace
import Synchronization
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// An incremental build reads and writes only the files that a change affects.
@Suite(.serialized) struct BuildCacheTests {
  @Test func secondBuildRendersNothing() throws {
    let site = try TemporarySite("defaults")
    try waitUntilFilesAreSettled()
    let first = try site.build()
    let before = try site.inodes()
    let warnings = site.warnings
    let steps = try site.stepsOfBuild()
    #expect(steps.isEmpty)
    #expect(try site.inodes() == before)
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
    let before = try site.inodes()
    for path in try site.folder.tree("threads").keys {
      try site.folder.write(try #require(site.folder.tree("threads")[path]), to: "threads/" + path)
    }
    try waitUntilFilesAreSettled()
    #expect(try !site.stepsOfBuild().isEmpty)
    #expect(try site.inodes() == before)
  }

  /// Edits the text of a thread, its title, the style sheet, and a name of its author. Checks which files are
  /// rendered and which are written for each.
  @Test func editRendersOnlyAffectedFiles() throws {
    let site = try TemporarySite()
    var contents = EditedContents()
    for number in 0..<12 {
      let words = Array(repeating: "more of what it says", count: 30).joined(separator: ", ")
      contents.threads.append(
        EditedContents.Thread(author: number % 3, text: "Thread \(number) of twelve. It says \(words)"))
    }
    contents.files = [
      "themes/own/theme.yml": "name: own\nextends: paper\n",
      "themes/own/static/style.css": "body { margin: 1px }\n",
    ]
    contents.configuration["theme"] = "own"
    try contents.write(to: site, after: nil)
    try waitUntilFilesAreSettled()
    #expect(try site.build().rendered == 12)
    func changes(_ edit: (inout EditedContents) throws -> Void) throws -> (
      rendered: Int, written: Set<String>
    ) {
      let (before, old) = (try site.inodes(), contents)
      try edit(&contents)
      try contents.write(to: site, after: old)
      try waitUntilFilesAreSettled()
      let rendered = try site.build().rendered
      let after = try site.inodes()
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

  /// A build after a removed folder knows all of the site.
  @Test func removedFolderLeavesTheCacheValid() throws {
    let site = try TemporarySite()
    var contents = EditedContents.withOwnTheme(["static/notes/a.txt": "a"])
    try contents.write(to: site, after: nil)
    try site.build()
    let removal = try site.change(&contents) { $0.files["static/notes/a.txt"] = nil }
    #expect(removal.removed == ["notes/a.txt"])
    #expect(try site.change(&contents) { _ in } == BuildEffect())
  }

  /// The record of dead links is an input of all threads, but only with `archived_links: true`.
  @Test func changedDeadLinksReachThePages() throws {
    let site = try TemporarySite()
    var contents = EditedContents()
    for number in 0..<3 {
      contents.threads.append(EditedContents.Thread(author: 0, text: "Thread \(number)", page: number))
    }
    contents.files["threads/dead-links.json"] = EditedContents.record(ofDeadPages: [1])
    func build(_ edit: (inout EditedContents) -> Void) throws -> (rendered: Int, marked: Set<String>) {
      let old = contents
      edit(&contents)
      try contents.write(to: site, after: old)
      try waitUntilFilesAreSettled()
      let rendered = try site.build().rendered
      let pages = try site.tree().filter { $0.key.hasPrefix("x/ada/") && $0.key.hasSuffix("/index.html") }
      let marked = pages.filter { $0.value.contains("web.archive.org") }
      return (rendered, Set(marked.keys))
    }
    try contents.write(to: site, after: nil)
    #expect(try build { _ in }.marked == [])
    #expect(
      try build { $0.files["threads/dead-links.json"] = EditedContents.record(ofDeadPages: [2]) }.rendered
        == 0)
    let pages = ["x/ada/thread-1-200/index.html", "x/ada/thread-2-300/index.html"]
    let marked = try build { $0.configuration["archived_links"] = "true" }
    #expect(marked.rendered == 3 && marked.marked == [pages[1]])
    let changed = try build { $0.files["threads/dead-links.json"] = EditedContents.record(ofDeadPages: [1]) }
    #expect(changed.rendered == 3 && changed.marked == [pages[0]])
    #expect(try build { _ in }.rendered == 0)
    #expect(try build { $0.files["threads/dead-links.json"] = nil }.marked == [])
  }

  /// A build restores files of the site that someone changed, and does nothing else.
  @Test func rewritesChangedFilesOfTheSite() throws {
    let site = try TemporarySite()
    var contents = EditedContents()
    for number in 0..<3 {
      contents.threads.append(
        EditedContents.Thread(author: 0, text: "Thread \(number)", hasPicture: number == 1))
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
    var contents = EditedContents()
    contents.threads = [EditedContents.Thread(author: 0, text: "A thread", hasPicture: true)]
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
      let before = try site.inodes()
      try contents.write(to: site, after: contents)
      try site.folder.write("description: Number \(width)\n", to: "site.yml")
      try waitUntilFilesAreSettled()
      try site.build()
      #expect(try site.inodes()[copy] == before[copy], "unchanged files are not copied again")
    }
  }

  /// A thread grows by the post that another thread links to. The other thread's file is unchanged, but its
  /// page must link to the new post.
  @Test func growingThreadChangesThePagesThatLinkToIt() throws {
    let site = try TemporarySite()
    var contents = EditedContents()
    contents.threads = [
      EditedContents.Thread(author: 0, text: "Grows"),
      EditedContents.Thread(author: 1, text: "Links", links: 0, mentions: "ada", linkedPost: 3),
      EditedContents.Thread(author: 0, text: "Stays"),
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
    var contents = EditedContents()
    contents.threads = [
      EditedContents.Thread(author: 0, text: "A thread"), EditedContents.Thread(author: 1, text: "Other"),
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

  /// Edits of texts append to the cache. Its size stays limited, and an incomplete last change is detected.
  @Test func appendsEditsOfTextsToTheCache() throws {
    let site = try TemporarySite()
    var contents = EditedContents()
    for number in 0..<6 {
      contents.threads.append(
        EditedContents.Thread(author: 0, text: String(repeating: "Words of \(number). ", count: 30)))
    }
    try contents.write(to: site, after: nil)
    try waitUntilFilesAreSettled()
    try site.build()
    let folder = site.path + "/.threadsite/build"
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder).first { !$0.contains(".") })
    let state = URL(filePath: "\(folder)/\(name)")
    let first = try Data(contentsOf: state)
    var last = first
    var (appended, written) = (0, 0)
    for round in 0..<30 {
      let old = contents
      contents.threads[round % 6].extra = " More in \(round)."
      try contents.write(to: site, after: old)
      try waitUntilFilesAreSettled()
      #expect(try site.build().rendered == 1)
      let bytes = try Data(contentsOf: state)
      if bytes.starts(with: last) { appended += 1 } else { written += 1 }
      last = bytes
      #expect(bytes.count < first.count * 2)
    }
    #expect(appended > 0 && written > 0, "\(appended) \(written)")
    // As after a power failure.
    try last.dropLast(3).write(to: state)
    let old = contents
    contents.threads[0].extra = " The end."
    try contents.write(to: site, after: old)
    try waitUntilFilesAreSettled()
    #expect(try site.build().rendered == 6)
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.tree() == site.folder.tree("fresh"))
  }

  /// A file of the owner replaces the page of a thread, which is still in the feeds.
  @Test func editKeepsThreadsWithReplacedPagesInTheFeeds() throws {
    let site = try TemporarySite()
    var contents = EditedContents()
    let words = Array(repeating: "more of what it says", count: 30).joined(separator: ", ")
    for number in 0..<3 {
      contents.threads.append(
        EditedContents.Thread(author: 0, text: "Thread \(number) of three. It says \(words)"))
    }
    contents.files["static/x/ada/thread-1-of-three-200/index.html"] = "<p>My own page</p>"
    try contents.write(to: site, after: nil)
    try waitUntilFilesAreSettled()
    try site.build()
    // The first edit changes the reading time.
    for _ in 0..<3 {
      _ = try site.change(&contents) { $0.threads[0].extra += " unheard" }
      #expect(try site.page("feed.xml").matches(of: /<entry/).count == 3)
      #expect(try site.page("x/ada/thread-1-of-three-200/index.html") == "<p>My own page</p>")
    }
  }

  /// A build warns of a text for an image as soon as the image's author describes it, even if no list changes.
  @Test func editRepeatsTheWarningsAboutDescriptions() throws {
    let site = try TemporarySite()
    let file = "threads/x/ada/100.json"
    func save(describing text: String?) throws {
      var contents = EditedContents()
      contents.threads = [EditedContents.Thread(author: 0, text: "A thread with two pictures")]
      var conversation = contents.conversation(0)
      for (place, name) in ["first.png", "second.png"].enumerated() {
        var media = Media(id: "\(place)", kind: .photo, url: "https://pbs.twimg.com/media/\(name)")
        media.file = name
        media.altText = place == 0 ? "The first" : text
        conversation.posts[place].media = [media]
      }
      if site.folder.exists(file) { try site.folder.remove(file) }
      try site.save(conversation)
      try waitUntilFilesAreSettled()
    }
    try site.folder.write(
      "threads: [{url: 'https://x.com/ada/status/100', alt: {second.png: The second}}]\n", to: "site.yml")
    for name in ["first.png", "second.png"] {
      try site.folder.write(SampleMedia.png(width: 9, height: 9), to: "threads/media/\(name)")
    }
    var counts: [Int] = []
    for text in [nil, "As its author sees it", nil] {
      try save(describing: text)
      try site.build()
      counts.append(site.warnings.count { $0.contains("the author described this image") })
    }
    #expect(counts == [0, 1, 1])
  }

  /// Only the known folders contain themes, whatever the names of the folders above the site.
  @Test func changedTemplateReachesThePagesOfASiteBelowAFolderOfThemes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/themes/demo/static/blog"
    try FileManager.default.createDirectory(
      atPath: folder.path + "/themes/demo/static", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: TemporarySite.fixtures.appending(path: "Sites/defaults").path, toPath: path)
    let template = try String(
      contentsOf: ProjectFolders.repository.appending(path: "templates/poll.mustache"), encoding: .utf8)
    for words in ["", " (as counted)"] {
      let file = URL(filePath: path + "/templates/poll.mustache")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(template.replacing("{{summary}}", with: "{{summary}}" + words).utf8).write(to: file)
      let site = try SiteFolder.open(configFile: path + "/site.yml", isDefault: true, progress: { _ in })
      let summary = try SiteBuild(
        site, installation: TemporarySite.installation, options: SiteBuild.Options(jobs: 2),
        progress: { _ in }
      ).run()
      #expect(summary.rendered == summary.threads)
    }
  }

  /// A watcher reports only the folder of media.
  @Test func noticesARemovedFolderOfMediaInAPreview() throws {
    let site = try TemporarySite()
    var contents = EditedContents()
    contents.threads = [EditedContents.Thread(author: 0, text: "With a picture", hasPicture: true)]
    try contents.write(to: site, after: nil)
    try waitUntilFilesAreSettled()
    let memory = BuildMemory()
    try site.build(memory: memory)
    #expect(try site.tree().keys.contains("media/picture.png"))
    for change in ["remove", "restore"] {
      if change == "remove" {
        try site.folder.remove("threads/media")
      } else {
        try site.folder.write(SampleMedia.png(width: 9, height: 9), to: "threads/media/picture.png")
      }
      try waitUntilFilesAreSettled()
      let outcome = Result { () throws(PipelineError) in
        try site.build(memory: memory, changed: [site.path + "/threads/media"])
      }
      let fresh = Result { () throws(PipelineError) in
        try site.build(output: site.path + "/fresh", usesCache: false)
      }
      switch (outcome, fresh) {
      case (.success, .success): #expect(try site.tree() == site.folder.tree("fresh"))
      case (.failure(let one), .failure(let other)): #expect(one.messages == other.messages)
      default: Issue.record("\(change): only one of two builds fails")
      }
    }
  }

  /// A build with `leave_out` changes the store itself, which no watcher has reported yet.
  @Test func leavesOutAnAccountInAPreview() throws {
    let site = try TemporarySite()
    var contents = EditedContents()
    contents.threads = [
      EditedContents.Thread(author: 0, text: "One"), EditedContents.Thread(author: 1, text: "Two"),
    ]
    try contents.write(to: site, after: nil)
    try waitUntilFilesAreSettled()
    let memory = BuildMemory()
    #expect(try site.build(memory: memory).threads == 2)
    let old = contents
    contents.configuration["leave_out"] = "['https://x.com/bo']"
    try contents.write(to: site, after: old)
    try waitUntilFilesAreSettled()
    #expect(try site.build(memory: memory, changed: [site.path + "/site.yml"]).threads == 1)
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.tree() == site.folder.tree("fresh"))
  }

  /// A build does not read hidden files and backups of editors beside a thread.
  @Test func ignoresFilesOfEditors() throws {
    let site = try TemporarySite("defaults")
    try waitUntilFilesAreSettled()
    try site.build()
    let thread = try #require(try site.folder.tree("threads").keys.filter { $0.hasPrefix("x/") }.min())
    for name in [thread + "~", thread.replacing("x/", with: "x/.hidden/"), "x/.a.swp"] {
      try site.folder.write("open", to: "threads/" + name)
    }
    try waitUntilFilesAreSettled()
    #expect(try site.stepsOfBuild().isEmpty)
  }

  /// The preview learns that a site is in place, whether or not the cache is used.
  @Test(arguments: [false, true])
  func reportsThatTheSiteIsInPlace(usesCache: Bool) throws {
    let site = try TemporarySite("defaults")
    var reported: [BuildSummary] = []
    let summary = try site.build(usesCache: usesCache, whenInPlace: { reported.append($0) })
    #expect(reported.map(\.threads) == [summary.threads])
    #expect(try site.page("index.html").contains("<html"))
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
