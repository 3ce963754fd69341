import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore
import XStub

/// Full and read-only disks: the program exits with 74 and states the reason, nothing is lost, and no files
/// are left behind.
///
/// The fast run has one of these tests.
@Suite struct DiskFaultTests {
  private static let share = ["THREADSITE_SHARE": ProjectFolders.repository.path]

  /// Runs the program with a limit on the size of files, which has the effect of a full disk.
  ///
  /// The output is read through a pipe, because the limit applies only to files.
  private func run(
    _ site: TemporarySite, kilobytes: Int, _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try shell(
      site,
      "set -o pipefail; (ulimit -f \(kilobytes); exec \"$0\" \"$@\") 2>&1 >/dev/null | cat >&2",
      arguments, Self.share.merging(environment) { $1 })
  }

  private func shell(
    _ site: TemporarySite, _ script: String, _ arguments: [String], _ environment: [String: String] = share
  ) throws -> Program.Outcome {
    let program = try #require(Program.executable).path
    return try Program(folder: site.path, environment: environment, executable: URL(filePath: "/bin/bash"))
      .run(["-c", script, program] + arguments)
  }

  private func expectFull(
    _ outcome: Program.Outcome, _ reason: String = "the file would be larger than the system allows"
  ) {
    #expect(outcome.code == 74, "\(outcome.errors)")
    #expect(outcome.errors.contains("error: "), "\(outcome.errors)")
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
  }

  /// A thread whose page is larger than a few kilobytes.
  private func response(_ text: String, id: Int = 1) -> String {
    """
    {"data":[{"id":"\(id)","text":"\(text)","author_id":"7","conversation_id":"\(id)","created_at":"2022-01-01T00:00:00.000Z"}],
    "includes":{"users":[{"id":"7","username":"ada","name":"Ada"}]}}
    """
  }

  private static let long = String(repeating: "words and more words ", count: 400)

  @Test func importReportsAFullDisk() throws {
    let site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
    try site.folder.write(response("short"), to: "short.json")
    #expect(try Program(folder: site.path).run(["import", "short.json"]).code == 0)
    try site.folder.write(response(Self.long), to: "long.json")
    let before = try site.folder.tree()
    expectFull(try run(site, kilobytes: 4, "import", "long.json"))
    #expect(try site.folder.tree() == before)
    #expect(try Program(folder: site.path).run(["import", "long.json"]).code == 0)
  }

  @Test(.deep) func archiveImportReportsAFullDisk() throws {
    let site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
    try site.folder.write(
      """
      window.YTD.tweets.part0 = [ {"tweet":{"id_str":"1","full_text":"\(Self.long)","created_at":"Wed Jan 01 08:41:00 +0000 2020"}},
      {"tweet":{"id_str":"2","full_text":"more","created_at":"Wed Jan 01 08:42:00 +0000 2020",
      "in_reply_to_status_id_str":"1","in_reply_to_user_id_str":"7"}} ]
      """, to: "archive/data/tweets.js")
    try site.folder.write(
      #"window.YTD.account.part0 = [ {"account":{"username":"ada","accountId":"7"}} ]"#,
      to: "archive/data/account.js")
    let before = try site.folder.tree()
    expectFull(try run(site, kilobytes: 4, "import", "archive"))
    #expect(try site.folder.tree() == before)
  }

  /// An image that does not fit stops the import. It does not count as a rejected image.
  @Test(.deep) func mediaImportReportsAFullDisk() throws {
    let site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
    try site.folder.write(
      """
      window.YTD.tweets.part0 = [ {"tweet":{"id_str":"1","full_text":"a","created_at":"Wed Jan 01 08:41:00 +0000 2020",
      "extended_entities":{"media":[{"id_str":"10","type":"photo","media_url_https":"https://pbs.twimg.com/media/p.png"}]}}},
      {"tweet":{"id_str":"2","full_text":"more","created_at":"Wed Jan 01 08:42:00 +0000 2020",
      "in_reply_to_status_id_str":"1","in_reply_to_user_id_str":"7"}} ]
      """, to: "archive/data/tweets.js")
    try site.folder.write(
      #"window.YTD.account.part0 = [ {"account":{"username":"ada","accountId":"7"}} ]"#,
      to: "archive/data/account.js")
    try site.folder.write(
      SampleMedia.png() + Data(repeating: 1, count: 20_000), to: "archive/data/tweets_media/1-p.png")
    expectFull(try run(site, kilobytes: 8, "import", "archive"))
    #expect(try ThreadStore(folder: site.path + "/threads").list().isEmpty)
    let left = try site.folder.tree("threads").keys.filter { !$0.hasSuffix("/.gitignore") }
    #expect(left.isEmpty)
  }

  @Test(.deep) func buildReportsAFullDisk() throws {
    let site = try TemporarySite("defaults")
    try site.build()
    let before = try site.folder.tree()
    try site.folder.write(response(Self.long, id: 99), to: "long.json")
    #expect(try Program(folder: site.path).run(["import", "long.json"]).code == 0)
    let after = try site.folder.tree()
    // No page; some pages; all pages except the long thread's.
    for kilobytes in [0, 2, 8] {
      expectFull(try run(site, kilobytes: kilobytes, "build", "--offline"))
      let left = try site.folder.tree()
      // The next build's cache may be renewed before the disk is full.
      let changed = Set(left.keys).union(after.keys).filter {
        left[$0] != after[$0] && !$0.hasPrefix(".threadsite/build/")
      }
      #expect(changed.isEmpty, "\(kilobytes) KB: \(changed.sorted())")
    }
    #expect(try site.tree().count == before.keys.filter { $0.hasPrefix("site/") }.count)
    #expect(try Program(folder: site.path).run(["build", "--offline"]).code == 0)
    #expect(
      try site.tree().count > before.keys.filter { $0.hasPrefix("site/") }.count,
      "the long thread has a page")
  }

  @Test(.deep) func initReportsAFullDisk() throws {
    let site = try TemporarySite()
    expectFull(try run(site, kilobytes: 0, "init", "new"))
    #expect(try site.folder.tree().isEmpty)
    // The files that it left do not prevent another run.
    #expect(try Program(folder: site.path).run(["init", "new"]).code == 0)
  }

  @Test(.deep) func fetchAndAddReportAFullDisk() async throws {
    let fetching = try await FetchingSite(days: 2)
    try fetching.configure("sources:\n  - 99\n" + String(repeating: "# a comment\n", count: 100))
    let site = fetching.site
    let environment = ["X_BEARER_TOKEN": fetching.stub.behaviour.bearerToken]
    func run(_ kilobytes: Int) async throws -> Program.Outcome {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(
            with: Result {
              try self.run(
                site, kilobytes: kilobytes, "add", "\(fetching.sample.root)", environment: environment)
            })
        }
      }
    }
    let configuration = try site.folder.text("site.yml")
    expectFull(try await run(1))
    #expect(try fetching.store.list().isEmpty)
    #expect(try site.folder.text("site.yml") == configuration)
    try await fetching.finish()
  }

  // MARK: Mounted file systems

  /// Whether this machine lets a test mount a file system that only the test sees.
  static let mayMount: Bool = {
    guard TestDepth.isDeep else { return false }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "unshare -m sh -c 'mount -t tmpfs -o size=4k none /mnt'"]
    process.standardError = FileHandle.nullDevice
    do {
      try ProcessLauncher.start(process)
    } catch {
      return false
    }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  private func mounted(
    _ site: TemporarySite, _ mount: String, _ arguments: String...
  ) throws -> Program.Outcome {
    try shell(
      site, "exec unshare -m sh -c '\(mount) && cd \"\(site.path)\" && exec \"$0\" \"$@\"' \"$0\" \"$@\"",
      arguments)
  }

  @Test(.deep, .enabled(if: mayMount, "needs private mounts (unshare -m)"))
  func fullDisk() throws {
    let site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
    try site.folder.write("", to: "threads/.keep")
    for number in 1...20 {
      try site.folder.write(response(Self.long, id: number), to: "saved/\(number).json")
    }
    expectFull(
      try mounted(site, "mount -t tmpfs -o size=64k none \(site.path)/threads", "import", "saved"),
      "the disk is full")
    #expect(try Program(folder: site.path).run(["import", "saved"]).code == 0)
    try site.folder.write("", to: "public/.keep")
    try site.folder.write("title: A\noutput: public/site\n", to: "site.yml")
    expectFull(
      try mounted(site, "mount -t tmpfs -o size=64k none \(site.path)/public", "build"), "the disk is full")
    #expect(try site.folder.tree("public").keys.sorted() == [".keep"])
  }

  @Test(.deep, .enabled(if: mayMount, "needs private mounts (unshare -m)"))
  func readOnlyFolders() throws {
    let site = try TemporarySite("defaults")
    try site.folder.write(response("new", id: 77), to: "saved.json")
    func readOnly(_ folder: String) -> String {
      let path = site.path + folder
      return "mount --bind \(path) \(path) && mount -o remount,ro,bind \(path)"
    }
    let before = try site.folder.tree()
    for arguments in [["import", "saved.json"], ["build"], ["init", "new"]] {
      let outcome = try shell(
        site,
        "exec unshare -m sh -c '\(readOnly("")) && cd \"\(site.path)\" && exec \"$0\" \"$@\"' \"$0\" \"$@\"",
        arguments)
      expectFull(outcome, "the file system is read-only")
    }
    expectFull(
      try mounted(site, readOnly("/threads"), "import", "saved.json"), "the file system is read-only")
    #expect(try site.folder.tree() == before)
    // As in a CI job with a read-only store: the site is built and published, and only the record of published URLs is missing.
    let built = try mounted(site, readOnly("/threads"), "build")
    #expect(built.code == 0, "\(built.errors)")
    #expect(site.folder.exists("site/index.html"))
    let text = "The URLs of the site's threads were not recorded as published"
    let recorded = try mounted(site, readOnly("/threads"), "publish", "--record")
    expectFull(recorded, "the file system is read-only")
    #expect(recorded.errors.contains(text), "\(recorded.errors)")
    try site.folder.write("title: A\npublish: {folder: ../www}\n", to: "site.yml")
    let published = try mounted(site, readOnly("/threads"), "publish")
    #expect(published.code == 0 && published.errors.contains(text), "\(published.errors)")
  }
}
