import Foundation
import TestSupport
import Testing

/// `publish_at` in site.yml and `threadsite draft --until`: a thread is a draft until its time.
@Suite struct ScheduleTests {
  private let site: TemporarySite
  private let thread = "https://x.com/ada/status/1001"
  private let page = "site/x/ada/three-things-about-clocks-1001/index.html"
  /// 2026-12-01 08:00 in Berlin, in seconds since 1970.
  private let time = 1_796_108_400

  init() throws {
    site = try TemporarySite("defaults")
    try write("publish_at: 2026-12-01 08:00")
  }

  private func write(_ setting: String) throws {
    try site.folder.write(
      "title: A\ntimezone: Europe/Berlin\nthreads:\n  - url: \(thread)\n    \(setting)\n", to: "site.yml")
  }

  private func program(at seconds: Int) -> Program {
    Program(
      folder: site.path,
      environment: [
        "THREADSITE_SHARE": ProjectFolders.repository.path, "SOURCE_DATE_EPOCH": "\(seconds)",
      ])
  }

  @discardableResult
  private func build(at seconds: Int, _ arguments: [String] = []) throws -> [String: Any] {
    let outcome = try program(at: seconds).run(["build", "--offline", "--json"] + arguments)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  /// The same folder is built before and after the time. No file changes in between.
  @Test func buildsPublishFromTheTimeOn() throws {
    let before = try build(at: time - 1)
    #expect(!site.folder.exists(page))
    #expect(before["scheduled"] as? Int == 1 && before["drafts"] as? Int == 1)
    #expect(before["next_publication"] as? String == "2026-12-01T07:00:00Z")
    let after = try build(at: time)
    #expect(site.folder.exists(page))
    #expect(after["scheduled"] as? Int == 0 && after["next_publication"] is NSNull)
    // The page disappears again if the time is moved.
    try write("publish_at: 2026-12-02")
    try build(at: time)
    #expect(!site.folder.exists(page))
  }

  @Test func namesTheTimeOfTheNextThread() throws {
    let outcome = try program(at: 0).run(["build", "--offline"])
    #expect(outcome.errors.contains("1 thread scheduled in site.yml; build again from 2026-12-01 08:00 on"))
  }

  @Test func buildsWithDraftsIncludeScheduledThreads() throws {
    try build(at: 0, ["--drafts"])
    #expect(site.folder.exists(page))
  }

  /// Exports and lists treat a scheduled thread like other drafts.
  @Test func exportsLeaveScheduledThreadsOut() throws {
    let listed = try program(at: 0).run(["list", "--state", "draft", "--json"])
    #expect(listed.output.contains("1001"))
    let exported = try program(at: 0).run(["export", "html", "--output", "out.html"])
    #expect(exported.code == 0, "\(exported.errors)")
    #expect(!(try site.folder.text("out.html").contains("three-things-about-clocks")))
  }

  @Test func draftUntilSetsAndRemovesTheTime() throws {
    try write("title: Clocks")
    let set = try program(at: 0).run(["draft", "--until", "2026-12-01 08:00", thread])
    #expect(set.code == 0, "\(set.errors)")
    #expect(try site.folder.text("site.yml").contains("    publish_at: \"2026-12-01 08:00\"\n"))
    #expect(try build(at: time - 1)["scheduled"] as? Int == 1)
    let removed = try program(at: 0).run(["draft", "--undo", thread])
    #expect(removed.code == 0, "\(removed.errors)")
    #expect(!(try site.folder.text("site.yml").contains("publish_at")))
  }

  @Test(arguments: [
    ("2026-12-01T08:00:00+01:00", 0), ("2026-12-01T08:00", 0),
    ("2026-12-01", -8 * 3600),
    // In summer, the clocks of Berlin are two hours ahead of UTC.
    ("2026-07-01 08:00", -13_222_800),
  ])
  func readsTimes(text: String, shift: Int) throws {
    try write("publish_at: \(text)")
    #expect(try build(at: time + shift - 1)["scheduled"] as? Int == 1)
    #expect(try build(at: time + shift)["scheduled"] as? Int == 0)
  }

  @Test(arguments: ["tomorrow", "2026-02-30", "2026-12-01 8:00", "08:00"])
  func rejectsOtherTexts(text: String) throws {
    try write("publish_at: \(text)")
    let outcome = try program(at: 0).run(["build", "--offline"])
    #expect(outcome.code == 78)
    #expect(outcome.errors.hasPrefix("site.yml:5:17: error: threads[0].publish_at: "), "\(outcome.errors)")
    let wrong = try program(at: 0).run(["draft", "--until", text, thread])
    #expect(wrong.code == 64 && wrong.errors.contains("--until"))
  }
}
