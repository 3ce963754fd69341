import Basics
import Export
import Foundation
import HTTPTransport
import Publishing
import SiteBuild
import SiteConfig
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel
import ThreadStore
import Upkeep

/// Random sequences of operations that remove words from a site. After each step, no file contains a word
/// that it should not.
///
/// Every text, handle, name and media file has a unique word: four common letters and eight of its own. One
/// search for the common letters finds all words of a file. It also works in the search index, whose terms
/// share their first letters with the previous term. `THREADSITE_SEED` repeats a run, and
/// `THREADSITE_SEQUENCES` sets the number of sequences.
@Suite("Privacy", .fewAtOnce) struct PrivacyPropertyTests {
  private static let sequences =
    ProcessInfo.processInfo.environment["THREADSITE_SEQUENCES"].flatMap(Int.init)
    ?? TestDepth.cases(fast: 2, deep: 50)

  @Test("No file contains hidden, removed or excluded words", arguments: 0..<sequences)
  func leavesNoRemovedWords(number: Int) async throws {
    try await PrivateWorld(seed: SeededRandom.seedOfRun &* 1_000_003 &+ UInt64(number)).run()
  }
}

/// A site, and the expected words of its files.
private final class PrivateWorld {
  /// A post with its unique words.
  struct Entry {
    let id: PostID
    let author: AuthorID
    let word: String
    let picture: String?
    /// Whether the post was deleted on its network.
    var isDeleted = false
    var isHidden = false
    /// The index of the post that it quotes.
    var quotes: Int?
    var text: String
  }

  struct Thread {
    let author: AuthorID
    /// Indices of entries.
    var posts: [Int]
    var isRemoved = false
    var isForgotten = false
  }

  private let site: TemporarySite
  private let seed: UInt64
  private var random: SeededRandom
  private let platform: Platform
  private let ada: AuthorID
  private let zeb: AuthorID
  /// All handles that each author has had, with the present one last.
  private var handles: [AuthorID: [String]] = [:]
  private var names: [AuthorID: String] = [:]
  private var entries: [Entry] = []
  private var threads: [Thread] = []
  private var isLeftOut = false
  /// Zeb's handle at the time of the exclusion.
  private var leftOutHandle = ""
  private var day: Int64 = 0
  private var steps: [String] = []
  private var hasFailed = false

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededRandom(seed: seed)
    site = try TemporarySite()
    platform = [.x, .mastodon, .bluesky].randomElement(using: &random) ?? .x
    ada = Self.author(11, on: platform)
    zeb = Self.author(77_700_011, on: platform)
    for person in [ada, zeb] {
      handles[person] = [newHandle()]
      names[person] = "Name \(newWord())"
    }
    for number in 0..<4 {
      let author = number == 3 ? zeb : ada
      var posts: [Int] = []
      for place in 0..<3 {
        // The second post of one of Ada's threads may be an answer by Zeb.
        let isAnswer = place == 1 && number == 1
        posts.append(add(number * 100 + 100 + place, by: isAnswer ? zeb : author))
      }
      threads.append(Thread(author: author, posts: posts))
    }
    entries[threads[0].posts[1]].quotes = threads[3].posts[0]
    entries[threads[2].posts[0]].quotes = threads[0].posts[2]
    for thread in threads.indices { try save(thread) }
  }

  // MARK: Words

  private static let mark = "qxzj"

  private func letters(_ count: Int) -> String {
    String((0..<count).map { _ in "abcdefghikmnoprstuvwy".randomElement(using: &random) ?? "a" })
  }

  private func newWord() -> String { letters(2) + Self.mark + letters(8) }

  private func newHandle() -> String {
    // 14 letters, because X allows 15.
    switch platform {
    case .mastodon: newWord() + "@social.example"
    case .bluesky: newWord() + ".example"
    default: newWord()
    }
  }

  private static func author(_ number: Int, on platform: Platform) -> AuthorID {
    switch platform {
    case .x: AuthorID("\(number)", on: .x)
    case .mastodon: AuthorID("\(number)", by: "social.example", on: .mastodon)
    default: AuthorID("did:plc:\(number)qxzj\(number == 11 ? "adaadaadaada" : "zebzebzebzeb")", on: platform)
    }
  }

  private func post(_ number: Int, by author: AuthorID) -> PostID {
    switch platform {
    case .x: PostID("\(number)", on: .x)
    case .mastodon: PostID("\(number)", by: "social.example", on: .mastodon)
    default: PostID("3k\(number)", by: author.value, on: platform)
    }
  }

  private func handle(_ person: AuthorID) -> String { handles[person]?.last ?? "" }

  /// A text that names Zeb in one of many forms.
  private func textWithName() -> String {
    let handle = handle(zeb)
    let local = String(handle.prefix { $0 != "@" })
    let forms: [String]
    switch platform {
    case .x:
      forms = [
        "@\(handle)", "@\(handle)'s", "昨日@\(handle)さん", "＠\(handle)",
        "https://fxtwitter.com/\(handle)/status/5",
        "https://x.com/intent/user?screen_name=\(handle)", "twitter.com/\(handle)",
        "https://twitter.com/#!/\(handle)",
      ]
    case .mastodon:
      forms = [
        "@\(handle)", "@\(local)'s", "昨日@\(local)さん", "acct:\(handle)", "https://social.example/@\(local)/5",
        "https://other.example/authorize_interaction?uri=https%3A%2F%2Fsocial.example%2F%40\(local)",
      ]
    default:
      forms = [
        "@\(handle)", "@\(handle)'s", "昨日@\(handle)さん", handle, "https://bsky.app/profile/\(handle)",
        "https://bsky.app/profile/\(zeb.value)/post/3k5", "at://\(zeb.value)/app.bsky.feed.post/3k5",
      ]
    }
    return forms.randomElement(using: &random) ?? handle
  }

  private func add(_ number: Int, by author: AuthorID) -> Int {
    let word = newWord()
    let isNaming = author == ada && Bool.random(using: &random)
    entries.append(
      Entry(
        id: post(number, by: author), author: author, word: word,
        picture: Int.random(in: 0..<3, using: &random) == 0 ? newWord() + ".png" : nil,
        text: "Of \(word)" + (isNaming ? " and \(textWithName())" : "") + ", it is said"))
    return entries.count - 1
  }

  // MARK: The store

  private func facts(_ entry: Entry, of thread: Thread) -> Post {
    var facts = Post.Facts(id: entry.id, authorID: entry.author, text: InlineText(entry.text))
    facts.conversationID = entries[thread.posts[0]].id
    facts.createdAt = Timestamp(seconds: 1_700_000_000 + (Int64(entry.id.value.filter(\.isNumber)) ?? 0))
    facts.quotes = entry.quotes.map { entries[$0].id }
    if let picture = entry.picture {
      var media = Media(id: picture, kind: .photo)
      media.file = picture
      facts.media = [media]
    }
    return Post(facts)
  }

  private func person(_ id: AuthorID) -> Author {
    var author = Author(id: id, handle: handle(id), name: names[id])
    author.observedAt = Timestamp(seconds: 1_700_000_000 + day * 86_400)
    return author
  }

  private func save(_ number: Int) throws {
    let thread = threads[number]
    var conversation = Conversation(id: entries[thread.posts[0]].id, authorID: thread.author)
    conversation.authors = [person(ada), person(zeb)]
    for (place, index) in thread.posts.enumerated() where !entries[index].isDeleted {
      var post = facts(entries[index], of: thread)
      if place > 0 { post.inReplyTo = entries[thread.posts[place - 1]].id }
      conversation.posts.append(post)
      if let quoted = entries[index].quotes {
        conversation.related.append(
          facts(entries[quoted], of: Thread(author: entries[quoted].author, posts: [quoted])))
      }
    }
    for index in thread.posts
      + conversation.related.compactMap({ post in entries.firstIndex { $0.id == post.id } })
    {
      if let picture = entries[index].picture, !site.folder.exists("threads/media/\(picture)") {
        try site.folder.write(SampleMedia.png(), to: "threads/media/\(picture)")
      }
    }
    try site.save(conversation)
  }

  private func configure(publishingTo place: String = "folder: www") throws {
    var text = """
      title: A
      base_url: https://a.example/
      status_pages: true
      books: [threads, site]
      publish:
        \(place)

      """
    if isLeftOut {
      let name =
        platform == .mastodon ? "'@\(leftOutHandle)'" : zeb.value
      text += "leave_out: [\(name)]\n"
    }
    var list = ""
    for thread in threads where !thread.isRemoved && !(isLeftOut && thread.author == zeb) {
      // An entry of a thread without posts would be an error.
      let own = thread.posts.filter { entries[$0].author == thread.author && !entries[$0].isDeleted }
      let hidden = thread.posts.filter { entries[$0].isHidden }.map { "'\(address($0))'" }
      guard let first = own.first, !hidden.isEmpty else { continue }
      list += "  - url: \(address(first))\n    hide: [\(hidden.joined(separator: ", "))]\n"
    }
    if !list.isEmpty { text += "threads:\n" + list }
    try site.folder.write(text, to: "site.yml")
  }

  private func address(_ index: Int) -> String {
    let entry = entries[index]
    switch platform {
    case .x: return "https://x.com/i/status/\(entry.id.value)"
    case .mastodon: return "https://social.example/web/statuses/\(entry.id.value)"
    default: return "https://bsky.app/profile/\(entry.author.value)/post/\(entry.id.value)"
    }
  }

  private func open() throws -> SiteFolder {
    try SiteFolder.open(configFile: site.path + "/site.yml", isDefault: true) { _ in }
  }

  // MARK: Steps

  func run() async throws {
    try configure()
    try site.build(jobs: 1)
    try await publish()
    for _ in 0..<4 {
      try step()
      try configure()
      try site.build(jobs: 1)
      try check()
      if Int.random(in: 0..<4, using: &random) == 0 { try await publish() }
      if Int.random(in: 0..<4, using: &random) == 0 { try export() }
      if hasFailed { return }
    }
    try await publish()
    try export()
    if Int.random(in: 0..<4, using: &random) == 0 { try await publishToBranch() }
  }

  private func step() throws {
    let thread = Int.random(in: 0..<threads.count, using: &random)
    let place = Int.random(in: 0..<threads[thread].posts.count, using: &random)
    let index = threads[thread].posts[place]
    let isGone = threads[thread].isRemoved || isLeftOut && threads[thread].author == zeb
    switch Int.random(in: 0..<7, using: &random) {
    case 0, 1:
      // The first post gives the page its name.
      let index = threads[thread].posts[Bool.random(using: &random) ? 0 : place]
      guard !isGone, entries[index].author == threads[thread].author, !entries[index].isDeleted else {
        return
      }
      steps.append("hide \(entries[index].id)")
      entries[index].isHidden = true
    case 2:
      guard !isGone, threads.count(where: { !$0.isRemoved }) > 2 else { return }
      steps.append("remove \(entries[threads[thread].posts[0]].id)")
      let removal = ThreadRemoval(try open(), jobs: 1, now: Timestamp(seconds: 1_800_000_000))
      let stem = try stem(of: thread)
      let plan = try removal.plan(threads: [stem], account: nil)
      try removal.carryOut(plan)
      threads[thread].isRemoved = true
      if Bool.random(using: &random) {
        _ = try removal.forget(threads: [], account: nil)
        for index in threads.indices where threads[index].isRemoved { threads[index].isForgotten = true }
      }
      try checkKeptFiles()
    case 3:
      guard !isLeftOut else { return }
      steps.append("leave out \(zeb)")
      isLeftOut = true
      leftOutHandle = handle(zeb)
    case 4:
      guard !isGone, !(isLeftOut && entries[index].author == zeb), !entries[index].isDeleted else { return }
      steps.append("delete \(entries[index].id)")
      entries[index].isDeleted = true
      try delete(index)
    case 5:
      let person = Bool.random(using: &random) ? zeb : ada
      guard !(isLeftOut && person == zeb) else { return }
      // A name is known only from a stored thread. Without a thread by Zeb, no file contains his new handle.
      guard person == ada || threads.contains(where: { $0.author == zeb && !$0.isRemoved }) else { return }
      day += 1
      handles[person]?.append(newHandle())
      steps.append("rename \(person) to \(handle(person))")
      // The threads are fetched again with the new handle. Zeb's former handles are still known from Ada's
      // threads.
      for number in threads.indices
      where !threads[number].isRemoved && !(isLeftOut && threads[number].author == zeb)
        && (person == ada || threads[number].author == zeb)
      {
        try resave(number, person)
      }
    default:
      guard threads.count < 7 else { return }
      let number = threads.count
      let posts = (0..<2).map { add(number * 100 + 100 + $0, by: ada) }
      threads.append(Thread(author: ada, posts: posts))
      steps.append("add \(entries[posts[0]].id)")
      try save(number)
    }
  }

  private func resave(_ number: Int, _ renamed: AuthorID) throws {
    let store = ThreadStore(folder: site.path + "/threads")
    let id = entries[threads[number].posts[0]].id
    guard let file = try store.find(id, by: threads[number].author) else { return }
    var conversation = try store.read(file)
    conversation.authors = conversation.authors.map { $0.id == renamed ? person($0.id) : $0 }
    try store.save(conversation)
  }

  /// The name of a file of the store, as the user may write it.
  private func stem(of thread: Int) throws -> String {
    let store = ThreadStore(folder: site.path + "/threads")
    let file = try store.find(entries[threads[thread].posts[0]].id, by: threads[thread].author)
    return try #require(file).path
  }

  /// Saves the data of a fetch after the network reported the deletion in every thread that contains the
  /// post.
  private func delete(_ index: Int) throws {
    let store = ThreadStore(folder: site.path + "/threads")
    for file in try store.list() {
      let conversation = try store.read(file)
      guard (conversation.posts + conversation.related).contains(where: { $0.id == entries[index].id }) else {
        continue
      }
      var removal = Conversation(id: conversation.id, authorID: conversation.authorID)
      var stone = Tombstone(id: entries[index].id, reason: .deleted)
      stone.authorID = entries[index].author
      stone.removedAt = Timestamp(seconds: 1_900_000_000)
      removal.tombstones = [stone]
      try store.save(removal)
    }
    // The image is removed with the last post that shows it.
    if let picture = entries[index].picture, site.folder.exists("threads/media/\(picture)") {
      try site.folder.remove("threads/media/\(picture)")
    }
  }

  private func runPublication() async throws {
    var options = SitePublication.Options(jobs: 1)
    options.checks = false
    options.deletionLimit = .percent(100)
    let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": site.path]
    let publication = SitePublication(
      try open(), installation: TemporarySite.installation, options: options, environment: environment,
      transport: CurlTransport(userAgent: "tests"), records: { throw CancellationError() }, progress: { _ in }
    )
    _ = try await publication.run()
  }

  private func publish() async throws {
    try await runPublication()
    try expectNothing(in: "www", but: shownWords, inPaths: formerWords)
    try expectNothing(in: ".threadsite/publish", but: shownWords.union(formerWords), inPaths: [])
  }

  private func publishToBranch() async throws {
    let remote = site.path + "/remote.git"
    try git("init", "--quiet", "--bare", remote)
    let place = "git: { remote: \(remote), branch: pages, author: A <a@a.example> }"
    try configure(publishingTo: place)
    try await runPublication()
    try FileManager.default.createDirectory(atPath: site.path + "/branch", withIntermediateDirectories: true)
    try git("--git-dir", remote, "--work-tree", site.path + "/branch", "checkout", "-f", "pages", "--", ".")
    try expectNothing(in: "branch", but: shownWords, inPaths: formerWords)
    #expect(site.folder.exists("branch/index.html"))
    try configure()
  }

  private func git(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try ProcessLauncher.start(process)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "git \(arguments)")
  }

  private func export() throws {
    for format in ExportFormat.allCases {
      var options = ExportOptions(jobs: 1)
      options.output = "\(site.path)/taken/\(format.defaultName)"
      try FileManager.default.createDirectory(atPath: site.path + "/taken", withIntermediateDirectories: true)
      _ = try SiteExport(try open(), installation: TemporarySite.installation, options: options) { _ in }
        .run(format)
    }
    try configure(publishingTo: "atproto: { account: 'did:plc:ewvi7nxzyoun6zhxrhs64oiz' }")
    let records = try SiteExport(
      try open(), installation: TemporarySite.installation, options: ExportOptions(jobs: 1),
      progress: { _ in }
    ).records()
    let texts = records.records.map { JSONWriter.text(of: $0.value, .compact).string }
    try site.folder.write(texts.joined(separator: "\n"), to: "taken/records.ndjson")
    try configure()
    try expectNothing(in: "taken", but: shownWords, inPaths: [])
  }

  // MARK: Expected words

  private func isShown(_ index: Int) -> Bool {
    !entries[index].isDeleted && !(isLeftOut && entries[index].author == zeb)
  }

  private func words(_ index: Int) -> [String] {
    [entries[index].word] + (entries[index].picture.map { [$0] } ?? [])
  }

  private var peoplesWords: Set<String> {
    var words: Set<String> = []
    for person in [ada, zeb] where person == ada || !isLeftOut {
      words.formUnion(handles[person] ?? [])
      words.insert(names[person] ?? "")
      words.insert(person.value)
    }
    return words
  }

  /// The words that the store may contain of threads and of the posts they quote.
  private func threadWords(includingHidden: Bool) -> Set<String> {
    var result = peoplesWords
    for thread in threads where !thread.isRemoved && !(isLeftOut && thread.author == zeb) {
      for index in thread.posts {
        let isRead = isShown(index) && (includingHidden || !entries[index].isHidden)
        if isRead { result.formUnion(words(index)) }
        // The store keeps the quote of a deleted post.
        if let quoted = entries[index].quotes, isShown(quoted), isRead || includingHidden {
          result.formUnion(words(quoted))
        }
      }
    }
    return result
  }

  private var shownWords: Set<String> { threadWords(includingHidden: false) }

  /// Words in the former URLs of pages, which redirect to the new ones.
  private var formerWords: Set<String> {
    var result: Set<String> = []
    for thread in threads where !thread.isRemoved && !(isLeftOut && thread.author == zeb) {
      for index in thread.posts where !(isLeftOut && entries[index].author == zeb) {
        result.insert(entries[index].word)
      }
    }
    return result.union(handles[ada] ?? []).union(isLeftOut ? [] : handles[zeb] ?? [])
  }

  private func check() throws {
    try expectNothing(in: "site", but: shownWords, inPaths: formerWords)
    try expectNothing(
      in: "threads", but: threadWords(includingHidden: true), inPaths: [],
      also: ["permalinks.json": formerWords, "removed.json": [ada.value, zeb.value]])
    try expectNothing(in: ".threadsite/build", but: shownWords.union(formerWords), inPaths: [])
    for name in try FileManager.default.contentsOfDirectory(atPath: site.path + "/.threadsite")
    where !["build", "left-out", "removed", "publish"].contains(name) {
      try expectNothing(in: ".threadsite/" + name, but: shownWords, inPaths: [])
    }
    try checkRecords()
  }

  /// Checks that the records of threads name no former URL.
  private func checkRecords() throws {
    for (path, data) in try site.folder.tree(".threadsite/build") where path.hasSuffix(".threads") {
      expect(data, at: ".threadsite/build/\(path)", has: shownWords)
    }
  }

  /// Checks the files after a removal, before any build.
  private func checkKeptFiles() throws {
    let allowed = threadWords(includingHidden: true)
    for (path, data) in try site.folder.tree(".threadsite")
    where !path.hasPrefix("left-out/") && !path.hasPrefix("publish/") {
      if path.hasPrefix("removed/"), threads.contains(where: { $0.isRemoved && !$0.isForgotten }) { continue }
      expect(data, at: ".threadsite/\(path)", has: path.hasPrefix("removed/") ? [] : allowed)
    }
  }

  private func expectNothing(
    in folder: String, but allowed: Set<String>, inPaths former: Set<String>,
    also files: [String: Set<String>] = [:]
  ) throws {
    for (path, data) in try site.folder.tree(folder) {
      // The history of a branch belongs to the owner.
      if path.hasPrefix("git/") { continue }
      expect(Data(path.utf8), at: "the path \(folder)/\(path)", has: allowed.union(former))
      var more = files[path] ?? []
      // It lists paths.
      if path == ".threadsite-published.json" || path.hasSuffix(".threadsite") { more.formUnion(former) }
      expect(data, at: "\(folder)/\(path)", has: allowed.union(more))
      if path.hasSuffix(".epub") {
        for (name, bytes) in try UnpackedBook(data).files {
          expect(Data(bytes), at: "\(folder)/\(path)/\(name)", has: allowed)
        }
      }
    }
  }

  /// Checks that the data contain only the allowed words.
  private func expect(_ data: Data, at place: String, has allowed: Set<String>) {
    let mark = Data(Self.mark.utf8)
    let tails = allowed.compactMap { word in
      word.firstRange(of: Self.mark).map { word[$0.upperBound...].prefix(8) }
    }
    var rest = data[...]
    while let range = rest.range(of: mark) {
      let tail = rest[range.upperBound...].prefix(8).prefix { $0 >= 0x61 && $0 <= 0x7A }
      let text = String(decoding: tail, as: UTF8.self)
      // A word may be cut off.
      if !tails.contains(where: { $0.hasPrefix(text) }) {
        hasFailed = true
        let start = max(data.startIndex, range.lowerBound - 60)
        let around = String(decoding: data[start..<min(data.endIndex, range.upperBound + 30)], as: UTF8.self)
        Issue.record(
          "seed \(seed), \(platform), after \(steps.joined(separator: "; ")): \(place) has \(Self.mark)\(text): …\(around)…"
        )
        return
      }
      rest = rest[range.upperBound...]
    }
  }
}
