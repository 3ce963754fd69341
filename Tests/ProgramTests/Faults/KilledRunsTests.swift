import Basics
import Foundation
import MediaMirror
import TestSupport
import Testing
import ThreadModel
import ThreadStore
import XStub

/// Programs killed at random times: every file is complete, old or new, the next run resumes, and no files
/// are left behind.
///
/// The fast run kills one import. `THREADSITE_KILLS` sets the number per command (by default a few).
/// `THREADSITE_SEED` repeats a run.
@Suite(.serialized) struct KilledRunsTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let count = environment["THREADSITE_KILLS"].flatMap(Int.init) ?? TestDepth.cases(fast: 1, deep: 5)
  private static let seed = SeededRandom.seedOfRun

  private static let share = ["THREADSITE_SHARE": ProjectFolders.repository.path]

  /// Runs a command and kills it after a fraction of its usual duration.
  ///
  /// - Returns: whether it was killed before it finished.
  private func kill(_ arguments: [String], in site: TemporarySite, after seconds: Double) throws -> Bool {
    let executable = try #require(Program.executable)
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: site.path, directoryHint: .isDirectory)
    process.environment = Self.share
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try ProcessLauncher.start(process)
    usleep(UInt32(seconds * 1_000_000))
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
  }

  private func run(_ arguments: [String], in site: TemporarySite) throws -> (code: Int32, seconds: Double) {
    let start = ContinuousClock.now
    let outcome = try Program(folder: site.path, environment: Self.share).run(arguments)
    if outcome.code != 0 { Issue.record("\(arguments): \(outcome.errors)") }
    return (outcome.code, (ContinuousClock.now - start) / .seconds(1))
  }

  /// An unpacked archive with threads of two posts and one image each.
  private func writeArchive(_ threads: Range<Int>, text: String, to site: TemporarySite) throws {
    try site.folder.write("title: A\n", to: "site.yml")
    var posts: [String] = []
    for number in threads {
      let (first, second) = (1000 + 2 * number, 1001 + 2 * number)
      posts.append(
        """
        {"tweet":{"id_str":"\(first)","full_text":"\(text) \(number)","created_at":"Wed Jan 01 08:41:00 +0000 2020",\
        "extended_entities":{"media":[{"id_str":"\(first)0","type":"photo","media_url_https":"https://pbs.twimg.com/media/p\(number).png"}]}}}
        """)
      posts.append(
        """
        {"tweet":{"id_str":"\(second)","full_text":"more \(text)","created_at":"Wed Jan 01 08:42:00 +0000 2020",\
        "in_reply_to_status_id_str":"\(first)","in_reply_to_user_id_str":"7"}}
        """)
      try site.folder.write(
        SampleMedia.png(width: UInt8(10 + number), height: 9),
        to: "archive/data/tweets_media/\(first)-p\(number).png")
    }
    try site.folder.write(
      "window.YTD.tweets.part0 = [ " + posts.joined(separator: ",\n") + " ]", to: "archive/data/tweets.js")
    try site.folder.write(
      #"window.YTD.account.part0 = [ {"account":{"username":"ada","accountId":"7","accountDisplayName":"Ada"}} ]"#,
      to: "archive/data/account.js")
  }

  /// The store's own files, without hidden files.
  private func stored(_ site: TemporarySite) throws -> [String: Data] {
    try site.folder.tree("threads").filter { !$0.key.hasPrefix("media/.incoming/") }
  }

  private func expectNoLeftovers(_ site: TemporarySite, _ moment: String) throws {
    let left = try site.folder.tree().keys.filter {
      $0.hasSuffix(".tmp") || $0.contains(".staging/")
        || $0.contains(".incoming/") && !$0.hasSuffix("/.gitignore") && !$0.hasSuffix("/sources")
    }
    #expect(left.isEmpty, "\(moment): \(left)")
  }

  /// Checks that each file of the store has its content from before or from a complete run, and that every
  /// conversation can be read.
  private func expectWhole(
    _ site: TemporarySite, old: [String: Data], new: [String: Data], _ moment: String
  ) throws {
    for (name, data) in try stored(site) where !name.hasSuffix(".tmp") {
      #expect(data == old[name] || data == new[name], "\(moment): \(name)")
    }
    for (name, _) in old { #expect(site.folder.exists("threads/" + name), "\(moment): \(name) is gone") }
    let store = ThreadStore(folder: site.path + "/threads")
    for file in try store.list() { _ = try store.read(file) }
  }

  @Test func killedImportResumes() throws {
    print("kills: seed \(Self.seed)")
    var numbers = SeededRandom(seed: Self.seed)
    let reference = try TemporarySite()
    try writeArchive(0..<20, text: "one", to: reference)
    _ = try run(["import", "archive"], in: reference)
    let old = try stored(reference)
    try writeArchive(10..<60, text: "two", to: reference)
    let (_, seconds) = try run(["import", "archive"], in: reference)
    let new = try stored(reference)
    var killed = 0
    for round in 0..<Self.count {
      let site = try TemporarySite()
      try writeArchive(0..<20, text: "one", to: site)
      _ = try run(["import", "archive"], in: site)
      try writeArchive(10..<60, text: "two", to: site)
      let delay = Double.random(in: 0...seconds, using: &numbers)
      let moment = "seed \(Self.seed), import \(round), \(delay) of \(seconds) s"
      killed += try kill(["import", "archive"], in: site, after: delay) ? 1 : 0
      try expectWhole(site, old: old, new: new, moment)
      #expect(try run(["import", "archive"], in: site).code == 0)
      #expect(try stored(site) == new, "\(moment)")
      try expectNoLeftovers(site, moment)
    }
    print("kills: \(killed) of \(Self.count) imports were killed before they were done")
  }

  @Test(.deep) func killedBuildResumes() throws {
    var numbers = SeededRandom(seed: Self.seed &+ 1)
    let site = try TemporarySite()
    try site.folder.write("base_url: https://ada.example/\n", to: "site.yml")
    try writeArchive(0..<20, text: "one", to: site)
    _ = try run(["import", "archive"], in: site)
    _ = try run(["build"], in: site)
    let old = try site.tree()
    try writeArchive(10..<60, text: "two", to: site)
    _ = try run(["import", "archive"], in: site)
    let before = try stored(site)
    let (_, seconds) = try run(["build"], in: site)
    let new = try site.tree()
    let after = try stored(site)
    #expect(old != new && before == after)
    var killed = 0
    var inPlace = 0
    for round in 0..<Self.count {
      // The state after the first build.
      try site.folder.remove("site")
      for (name, data) in old { try site.folder.write(data, to: "site/" + name) }
      let delay = Double.random(in: 0...seconds, using: &numbers)
      let moment = "seed \(Self.seed), build \(round), \(delay) of \(seconds) s"
      killed += try kill(["build"], in: site, after: delay) ? 1 : 0
      let found = try site.tree()
      if site.folder.exists(".site.staging/complete") {
        inPlace += 1
        for (name, data) in found {
          #expect(data == old[name] || data == new[name], "\(moment): \(name) belongs to neither site")
        }
        // Even a failing build first completes the replacement that a killed one began.
        try site.folder.write("{{#open}}", to: "templates/poll.mustache")
        let failed = try Program(folder: site.path, environment: Self.share).run(["build"])
        #expect(failed.code != 0)
        #expect(try site.tree() == new, "\(moment): the site is not the new one")
        try site.folder.remove("templates")
      } else {
        #expect(found == old || found == new, "\(moment): the site is neither the old one nor the new one")
      }
      try expectWhole(site, old: before, new: after, moment)
      #expect(try run(["build"], in: site).code == 0)
      #expect(try site.tree() == new, "\(moment)")
      #expect(try stored(site) == after, "\(moment)")
      try expectNoLeftovers(site, moment)
    }
    print(
      "kills: \(killed) of \(Self.count) builds were killed before they were done, \(inPlace) while the site was put in place"
    )
  }

  @Test(.deep) func killedFetchResumes() async throws {
    var numbers = SeededRandom(seed: Self.seed &+ 2)
    let fetching = try await FetchingSite(days: 2)
    let source = "sources:\n  - https://x.com/ada/status/\(fetching.sample.root)\n"
    try fetching.configure(source)
    let start = ContinuousClock.now
    #expect(try await fetching.run("fetch").code == 0)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let reference = try fetching.conversation()
    var killed = 0
    for round in 0..<Self.count {
      for name in ["threads", ".threadsite"] where fetching.site.folder.exists(name) {
        try fetching.site.folder.remove(name)
      }
      let delay = Double.random(in: 0...seconds, using: &numbers)
      let moment = "seed \(Self.seed), fetch \(round), \(delay) of \(seconds) s"
      let process = try fetching.start("fetch")
      try await Task.sleep(for: .seconds(delay))
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      killed += process.terminationReason == .uncaughtSignal ? 1 : 0
      for file in try fetching.store.list() { _ = try fetching.store.read(file) }
      let outcome = try await fetching.run("fetch")
      #expect(outcome.code == 0, "\(moment): \(outcome.errors)")
      let conversation = try fetching.conversation()
      #expect(conversation.posts.map(\.id) == reference.posts.map(\.id), "\(moment)")
      #expect(conversation.posts.map(\.text) == reference.posts.map(\.text), "\(moment)")
      #expect(conversation.mediaFiles == reference.mediaFiles, "\(moment)")
      // The next run cleans up after a run that was killed between its last file and its end, even if it has
      // nothing to fetch.
      #expect(try await fetching.run("fetch").code == 0)
      try expectNoLeftovers(fetching.site, moment)
    }
    print("kills: \(killed) of \(Self.count) fetches were killed before they were done")
    try await fetching.finish()
  }
}
