import Export
import Foundation
import SiteBuild
import TestSupport
import Testing
import ThreadModel

/// Exports contain only what the site shows, in every format.
@Suite struct ExportConsentTests {
  private static let zeb = Author(id: AuthorID("13", on: .x), handle: "zebqxzj", name: "Zeb Qxzjname")

  private func site() throws -> ExportedSite {
    let ada = ExportedSite.ada
    let bo = ExportedSite.bo
    let site = try TemporarySite()
    var first = ExportedSite.post(1001, by: ada, "Shown word one, with thanks to @zebqxzj", year: 2021)
    var photo = Media(id: "1", kind: .photo)
    photo.file = "one.png"
    first.media = [photo]
    // A quote of a quote: the nested author is left out.
    var second = ExportedSite.post(1002, by: ada, "Shown word two", year: 2021, answers: 1001)
    second.quotes = PostID("2001", on: .x)
    var quoted = ExportedSite.post(2001, by: bo, "Quoted word", year: 2021)
    quoted.quotes = PostID("7001", on: .x)
    var nested = ExportedSite.post(7001, by: Self.zeb, "Secret qxzj of a nested quote", year: 2021)
    nested.quotes = PostID("4001", on: .x)
    var hidden = ExportedSite.post(1003, by: ada, "Secret qxzj of a hidden post", year: 2021, answers: 1002)
    var secret = Media(id: "2", kind: .photo)
    secret.file = "qxzj.png"
    hidden.media = [secret]
    let reply = ExportedSite.post(1004, by: Self.zeb, "Secret qxzj of a reply", year: 2021, answers: 1002)
    var thread = ExportedSite.conversation(
      [first, second, hidden], by: ada, related: [quoted, nested, reply])
    thread.authors.append(Self.zeb)
    // The quote of a removed post has a reason, and no words.
    var removed = ExportedSite.post(3001, by: ada, "Shown word three", year: 2022)
    removed.quotes = PostID("3100", on: .x)
    var other = ExportedSite.conversation([removed], by: ada)
    var stone = Tombstone(id: PostID("3100", on: .x), reason: .deleted)
    stone.authorID = bo.id
    other.tombstones = [stone]
    var draft = ExportedSite.post(4001, by: ada, "Secret qxzj of a draft", year: 2023)
    draft.media = [secret]
    for conversation in [
      thread, other, ExportedSite.conversation([draft], by: ada),
      ExportedSite.conversation(
        [ExportedSite.post(5001, by: ada, "Secret qxzj of an excluded thread", year: 2023)], by: ada),
      ExportedSite.conversation(
        [ExportedSite.post(6001, by: Self.zeb, "Secret qxzj of a left-out account", year: 2023)], by: Self.zeb
      ),
    ] {
      try site.save(conversation)
    }
    for name in ["one.png", "qxzj.png"] {
      try site.folder.write(SampleMedia.png(), to: "threads/media/\(name)")
    }
    return try ExportedSite(
      site: site,
      configuration: """
        title: Kept
        base_url: https://ada.example/
        leave_out: [https://x.com/zebqxzj]
        threads:
          - { url: https://x.com/ada/status/4001, draft: true }
          - { url: https://x.com/ada/status/5001, exclude: true }
          - { url: https://x.com/ada/status/1001, hide: [https://x.com/ada/status/1003], replies: true }
        """)
  }

  /// All formats but PDF, which needs other programs and has compressed text.
  private static let formats = ExportFormat.allCases.filter { $0 != .pdf }

  @Test(arguments: formats)
  func containsOnlyWhatTheSiteShows(_ format: ExportFormat) throws {
    let exported = try site()
    let summary = try exported.export(format, to: "out/\(format.defaultName)", isFlat: false)
    #expect(summary.threads == 2 && summary.posts == 3)
    var content: [(name: String, bytes: Data)] = []
    for (name, bytes) in try exported.site.folder.tree("out") {
      if bytes.starts(with: Data("PK".utf8)) {
        for (inner, bytes) in try UnpackedBook(bytes).files { content.append((inner, Data(bytes))) }
      } else {
        content.append((name, bytes))
      }
    }
    check(content)
  }

  @Test(.enabled(if: PrintedBook.canBeRead, "needs WeasyPrint and Poppler"))
  func printedBookContainsOnlyWhatTheSiteShows() throws {
    let exported = try site()
    let summary = try exported.export(.pdf, to: "threads.pdf", isFlat: false)
    #expect(summary.threads == 2 && summary.posts == 3)
    let pages = try PrintedBook.pages(of: exported.site.path + "/threads.pdf")
    check([
      ("the file", try exported.site.folder.data("threads.pdf")), ("the text", Data(pages.joined().utf8)),
    ])
  }

  /// Checks that the files of an export contain all words that the site shows, and none that it must not show.
  private func check(_ content: [(name: String, bytes: Data)]) {
    for (name, bytes) in content {
      for secret in ["qxzj", "Qxzj"] {
        #expect(!name.contains(secret), "\(name)")
        #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(name) contains \(secret)")
      }
    }
    for word in ["Shown word one", "Shown word two", "Quoted word", "Shown word three"] {
      #expect(content.contains { $0.bytes.firstRange(of: Data(word.utf8)) != nil }, "\(word)")
    }
  }

  @Test(arguments: formats)
  func sameThreadsGiveTheSameBytes(_ format: ExportFormat) throws {
    let exported = try ExportedSite(configuration: "base_url: https://ada.example/")
    for jobs in [1, 4] {
      try exported.export(format, to: "out\(jobs)/\(format.defaultName)", jobs: jobs, isFlat: false)
    }
    let first = try exported.site.folder.tree("out1")
    #expect(try !first.isEmpty && first == exported.site.folder.tree("out4"))
  }
}
