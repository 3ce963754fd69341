import Export
import Foundation
import InterfaceText
import SiteBuild
import SiteConfig
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel

/// Threads as EPUB books.
@Suite struct BookTests {
  /// The path of EPUBCheck, if it is set.
  private static let checker = ProcessInfo.processInfo.environment["THREADSITE_EPUBCHECK"]
  /// All hostile texts with EPUBCheck, otherwise a few.
  private static let step = checker == nil ? 7 : 1

  private func headings(_ book: UnpackedBook) throws -> [String] {
    try book.threads.map { name in
      var text = ""
      try book.xml(name).forEach { if $0.name == "h1" { text += $0.allText } }
      return text
    }
  }

  @Test func containsThePublishedPostsOldestFirst() throws {
    let book = try ExportedSite().book()
    #expect(
      try headings(book) == ["Ada begins: 1 < 2 & \"so\" on", "Bo begins here", "Ada again"])
    let all = try book.threads.map { try book.text($0) }.joined()
    #expect(!all.contains("A hidden word") && !all.contains("A draft") && !all.contains("Left out"))
    #expect(all.contains("Yes &amp; no") && all.contains("A film"))
  }

  /// Readers recognize the format by the first entry (EPUB 3.3, OCF): the signature, no extra field, the name
  /// at byte 30, the content at byte 38.
  @Test func beginsWithTheMimetypeEntry() throws {
    let exported = try ExportedSite()
    try exported.export(.epub, to: "book.epub")
    let bytes = [UInt8](try exported.site.folder.data("book.epub"))
    #expect(bytes[..<4].elementsEqual([0x50, 0x4B, 3, 4]))
    #expect(bytes[6..<10].elementsEqual([0, 0, 0, 0]) && bytes[28..<30].elementsEqual([0, 0]))
    #expect(bytes[30..<58].elementsEqual("mimetypeapplication/epub+zip".utf8))
  }

  @Test func sameThreadsGiveTheSameBytes() throws {
    let exported = try ExportedSite()
    try exported.export(.epub, to: "one.epub", jobs: 1)
    try exported.export(.epub, to: "two.epub", jobs: 4)
    let other = try ExportedSite()
    try other.export(.epub, to: "three.epub")
    let one = try exported.site.folder.data("one.epub")
    #expect(try one == exported.site.folder.data("two.epub"))
    #expect(try one == other.site.folder.data("three.epub"))
  }

  @Test func linksBetweenThreadsStayInTheBook() throws {
    let exported = try ExportedSite()
    let all = try exported.book()
    #expect(try all.text(all.threads[0]).contains("href=\"t00002.xhtml#post-2001\""))
    let adas = try exported.book { $0.author = "@Ada" }
    #expect(try headings(adas) == ["Ada begins: 1 < 2 & \"so\" on", "Ada again"])
    #expect(try !adas.text(adas.threads[0]).contains("t00002.xhtml"))
    #expect(try adas.text(adas.threads[0]).contains("href=\"https://x.com/bo/status/2001\""))
    let published = try ExportedSite(configuration: "base_url: https://ada.example/")
    let own = try published.book { $0.author = "ada" }
    #expect(
      try own.text(own.threads[0]).contains(
        "href=\"https://ada.example/x/bo/bo-begins-here-2001/#post-2001\""))
  }

  @Test func imageTypesFollowTheBytes() throws {
    let exported = try ExportedSite()
    let book = try exported.book()
    let media = book.names.filter { $0.hasPrefix("EPUB/media/") }
    #expect(media == ["EPUB/media/one.png", "EPUB/media/two.jpg"])
    #expect(book.files["EPUB/media/one.png"] == [UInt8](SampleMedia.png()))
    let thread = try book.text(book.threads[0])
    // An invalid image becomes a link. A video becomes its still image and a link.
    #expect(thread.contains("href=\"https://media.example/wrong.png\""))
    #expect(thread.contains("alt=\"A &quot;quoted&quot; &lt;cat&gt;\""))
    #expect(thread.contains("href=\"https://x.com/ada/status/1001\"") && !thread.contains("<video"))
    let summary = try exported.export(.epub, to: "book.epub")
    #expect(summary.media == 2)
    #expect(summary.mediaLeftOut.count == 1 && summary.mediaLeftOut[0].contains("wrong.png"))
  }

  @Test func contentFollowsTheOptions() throws {
    let exported = try ExportedSite()
    func title(_ book: UnpackedBook) throws -> String? {
      try book.xml("EPUB/content.opf")["metadata"].first?.text("dc:title")
    }
    let collection = try exported.book { $0.collection = "both-ways" }
    #expect(try headings(collection) == ["Bo begins here", "Ada begins: 1 < 2 & \"so\" on"])
    #expect(try title(collection) == "Both ways")
    let page = try collection.text("EPUB/text/title.xhtml")
    // The owner's texts, without links and resources outside the book.
    #expect(
      page.contains("<em>these</em>, all of <a href=\"https://ada.example/\"") && !page.contains("<img"))
    let year = try exported.book { $0.year = 2023 }
    #expect(try headings(year) == ["Ada again"])
    #expect(try title(year) == "Kept · 2023")
    let adas = try exported.book { $0.author = "ada" }
    #expect(try title(adas) == "Threads by Ada & Co. <3")
  }

  @Test func metadataDescribeTheBook() throws {
    let book = try ExportedSite(configuration: "language: de").book()
    let metadata = try #require(try book.xml("EPUB/content.opf")["metadata"].first)
    func meta(_ property: String) -> [String] {
      metadata["meta"].filter { $0.attributes["property"] == property }.map(\.text)
    }
    #expect(meta("dcterms:modified") == ["2023-01-01T00:50:01Z"])
    #expect(metadata["dc:creator"].map(\.text) == ["Ada & Co. <3", "Bo"])
    #expect(
      metadata.text("dc:identifier")?.wholeMatch(of: /urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)
        != nil)
    #expect(Set(meta("schema:accessMode")) == ["textual", "visual"])
    #expect(meta("schema:accessibilityFeature").contains("tableOfContents"))
    #expect(!meta("schema:accessibilityFeature").contains("alternativeText"))
    #expect(meta("schema:accessibilityHazard") == ["none"])
    #expect(try book.text("EPUB/nav.xhtml").contains("<h1>Inhalt</h1>"))
  }

  @Test func rightToLeftBooksHaveThatDirection() throws {
    let site = try TemporarySite()
    var post = ExportedSite.post(1001, by: ExportedSite.ada, "سلام", year: 2021)
    post.language = "ar"
    try site.save(ExportedSite.conversation([post], by: ExportedSite.ada))
    let book = try ExportedSite(site: site, configuration: "language: ar").book()
    #expect(try book.text("EPUB/content.opf").contains("page-progression-direction=\"rtl\""))
    #expect(try book.xml(book.threads[0]).attributes["dir"] == "rtl")
  }

  @Test func suggestsNamesForUnknownArguments() throws {
    let exported = try ExportedSite()
    func messages(_ change: (inout ExportOptions) -> Void) -> String {
      do {
        try exported.export(.epub, to: "book.epub", change)
        return "no error"
      } catch {
        return error.messages.joined(separator: "\n")
      }
    }
    #expect(messages { $0.collection = "both-way" }.contains("did you mean \"both-ways\"?"))
    #expect(messages { $0.author = "adda" }.contains("did you mean \"ada\"?"))
    #expect(messages { $0.year = 1999 }.contains("no threads from 1999"))
    let folder = try SiteFolder.open(
      configFile: exported.site.path + "/site.yml", isDefault: false, progress: { _ in })
    func thread(_ id: Int) throws -> PostReference {
      try folder.networks.addresses.post("https://x.com/ada/status/\(id)")
    }
    let (draft, unknown) = (try thread(4001), try thread(9001))
    #expect(messages { $0.threads = [draft] }.contains("not on the site"))
    #expect(messages { $0.threads = [unknown] }.contains("not in the store"))
    #expect(!exported.site.folder.exists("book.epub"))
    let second = try thread(1002)
    #expect(try headings(try exported.book { $0.threads = [second] }) == ["Ada begins: 1 < 2 & \"so\" on"])
  }

  /// Every document is XML and has only safe links, for any text of a network.
  @Test func hostileTextIsEscaped() throws {
    let site = try TemporarySite()
    let strings = try NaughtySiteTests.strings + HostileContentTests.payloads
    // Every thread is synced to the disk, which takes most of the time.
    for (number, text) in strings.enumerated() where number % Self.step == 0 {
      try site.save(HostileConversation.make(number: number, payload: text))
    }
    let exported = try ExportedSite(site: site, configuration: "title: \"</title>&\"\nmedia: link")
    let book = try exported.book()
    #expect(book.threads.count == (strings.count + Self.step - 1) / Self.step)
    // EPUBCheck, if it is installed (`make check-site`).
    if let checker = Self.checker {
      let outcome = try Program(folder: site.path, executable: URL(filePath: checker)).run(["book.epub"])
      #expect(
        outcome.code == 0,
        "\(outcome.errors.split(separator: "\n").map { $0.prefix(300) }.joined(separator: "\n").prefix(20_000))"
      )
    }
  }

  @Test func failedExportLeavesNoFiles() throws {
    let exported = try ExportedSite()
    try exported.site.folder.write("mine", to: "book.epub")
    try exported.site.folder.write("{", to: "threads/x/ada/6001.json")
    #expect(throws: PipelineError.self) { try exported.export(.epub, to: "book.epub") }
    #expect(try exported.site.folder.text("book.epub") == "mine")
    let summary = try exported.export(.epub, to: "book.epub") { $0.keepsGoing = true }
    #expect(summary.threads == 3 && summary.leftOut.count == 1)
    let entries = try FileManager.default.contentsOfDirectory(atPath: exported.site.path)
    #expect(Set(entries) == ["site.yml", "threads", "book.epub"])
  }
}
