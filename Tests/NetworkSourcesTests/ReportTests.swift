import Basics
import Foundation
import NetworkSources
import Testing
import ThreadModel

/// The words and numbers of summaries, and the selection of an export's threads.
@Suite struct ReportTests {
  @Test(arguments: [
    ("0", "$0.00"), ("1", "$1.00"), ("0.5", "$0.50"), ("0.005", "$0.005"), ("0.0051", "$0.006"),
    ("12.34", "$12.34"),
    ("1234.5", "$1234.50"),
  ])
  func dollarsAreRoundedUp(amount: String, text: String) throws {
    #expect(dollars(try #require(Decimal(string: amount))) == text)
  }

  @Test func omissionsHavePluralForms() {
    let omissions: [Omission] = [.reposts(643), .short(0), .replies(1), .outOfRange(2), .reposts(1)]
    #expect(
      omissions.words == [
        "643 reposts of others' posts", "1 reply to others (--with-replies imports its thread)",
        "2 threads outside the requested dates", "1 repost of another's post",
      ])
  }

  @Test func importReportSumsItsFiles() {
    let report = ImportReport(files: [
      ImportReport.File(name: "a.json", posts: 3, reposts: 1, problems: ["one"]),
      ImportReport.File(name: "b.json", posts: 4, problems: ["two", "three"]),
    ])
    #expect(report.posts == 7 && report.reposts == 1)
    #expect(report.problems == ["a.json: one", "b.json: two", "b.json: three"])
  }

  @Test func periodIncludesItsStartButNotItsEnd() {
    var choice = ExportChoice()
    #expect(choice.covers(nil) && choice.covers(Timestamp(seconds: 0)))
    choice.since = Timestamp(seconds: 10)
    choice.until = Timestamp(seconds: 20)
    #expect([9, 10, 19, 20].map { choice.covers(Timestamp(seconds: $0)) } == [false, true, true, false])
    #expect(!choice.covers(nil))
  }

  @Test func errorNamesTheFileAndTheFix() {
    let damaged = SourceError(export: "a.zip", "data/posts.json", damaged: "bad checksum")
    #expect(
      damaged.description
        == "a.zip/data/posts.json: error: the file is damaged or incomplete (bad checksum): download the archive again"
    )
    #expect(damaged.kind == .content && !damaged.endsRun && !damaged.stopsAll)
    let disk = SourceError(FileError(operation: "read the file", path: "a.zip", code: EIO))
    #expect(disk.kind == .file && disk.stopsAll)
    #expect(disk.description.hasPrefix("a.zip: error: could not read the file: "))
  }

  @Test func progressReadsBack() {
    let limits = ThreadLimits(since: Timestamp(seconds: 10), until: Timestamp(seconds: 20))
    var progress = AccountProgress(account: "7", limits, includesUnlisted: true)
    #expect(AccountProgress(progress.members) == progress)
    progress.newest = "12"
    progress.unread = .init(before: "9", after: "3")
    #expect(AccountProgress(progress.members) == progress)
    #expect(AccountProgress(["newest": "12"]) == nil)
    #expect(progress.continued(for: limits, includesUnlisted: true) == progress)
    #expect(progress.continued(for: limits) == nil)
    let wider = ThreadLimits(until: Timestamp(seconds: 20))
    #expect(progress.continued(for: wider, includesUnlisted: true) == nil)
  }

  /// A run that left out short threads read their posts. If they are wanted later, the list is read again.
  @Test func lowerMinimumOfPostsReadsTheListAgain() throws {
    var earlier = AccountProgress(account: "7", ThreadLimits(minPosts: 5))
    earlier.newest = "12"
    earlier = try #require(AccountProgress(earlier.members))
    for (minimum, isContinued) in [(2, false), (5, true), (8, true)] {
      let limits = ThreadLimits(minPosts: minimum)
      #expect((earlier.continued(for: limits)?.newest == "12") == isContinued)
      #expect((AccountProgress(continuing: earlier, of: "7", limits).newest == "12") == isContinued)
    }
    // The threads since a higher minimum was set are shorter than a later, lower one.
    let raised = try #require(earlier.continued(for: ThreadLimits(minPosts: 8)))
    #expect(raised.continued(for: ThreadLimits(minPosts: 5)) == nil)
    let restarted = AccountProgress(continuing: earlier, of: "7", ThreadLimits(minPosts: 8))
    #expect(AccountProgress(continuing: restarted, of: "7", ThreadLimits(minPosts: 5)).newest == nil)
  }

  @Test func usageSumsAllEndpoints() {
    var usage = SourceUsage()
    usage.requests = ["GET /2/tweets": 3, "GET /2/users": 1]
    #expect(usage.requestCount == 4)
  }
}
