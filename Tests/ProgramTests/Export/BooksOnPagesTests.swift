import Export
import Foundation
import SiteBuild
import SiteConfig
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel

/// Books for download on the pages of a site.
@Suite struct BooksOnPagesTests {
  private static let configuration = """
    title: Kept
    base_url: https://ada.example/
    books: [threads, collections, authors, site]
    collections:
      - { title: Clocks, slug: clocks, threads: [https://x.com/ada/status/1002] }
    """

  private func exported() throws -> ExportedSite {
    try ExportedSite(site: try TemporarySite("defaults"), configuration: Self.configuration)
  }

  private func books(_ site: TemporarySite) throws -> [String: Data] {
    try site.tree().filter { $0.key.hasSuffix(".epub") }
  }

  @Test func bookEqualsTheExport() throws {
    let exported = try exported()
    let summary = try exported.site.build()
    let books = try books(exported.site)
    // Four threads of two authors, one collection, and the whole site.
    #expect(summary.threads == 4 && books.count == 4 + 2 + 1 + 1)
    func expect(_ path: String, _ change: (inout ExportOptions) -> Void) throws {
      try exported.export(.epub, to: "book.epub", change)
      let book = try #require(books[path], "\(path) of \(books.keys.sorted())")
      #expect(book == (try exported.site.folder.data("book.epub")), "\(path)")
      try UnpackedBook(book).checkAll()
      // Its page links to it, and to no other book.
      let name = try #require(path.split(separator: "/").last)
      let folder = path.dropLast(name.count)
      let links = try exported.site.page(folder + "index.html").matches(of: /href="([^"]*\.epub)"/)
      let base = URL(string: "https://ada.example/" + folder)
      #expect(
        links.map { URL(string: String($0.1), relativeTo: base)?.absoluteString }
          == ["https://ada.example/" + path])
    }
    try expect("threads.epub") { _ in }
    try expect("collections/clocks/clocks.epub") { $0.collection = "clocks" }
    try expect("x/ada/ada.epub") { $0.author = "ada" }
    let clocks = "three-things-about-clocks-1001"
    let folder = try SiteFolder.open(
      configFile: exported.site.path + "/site.yml", isDefault: false, progress: { _ in })
    let post = try folder.networks.addresses.post("https://x.com/ada/status/1001")
    try expect("x/ada/\(clocks)/\(clocks).epub") { $0.threads = [post] }
  }

  /// A book without changes is not written again, and new ones equal those of a build without a cache.
  @Test func editWritesOnlyTheBooksThatContainIt() throws {
    let exported = try exported()
    let site = exported.site
    // A published thread keeps its URL, whatever its title.
    try site.build()
    try site.publish()
    try waitUntilFilesAreSettled()
    try site.build()
    let before = try books(site)
    func numbers() throws -> [String: UInt64] {
      try books(site).keys.reduce(into: [:]) { numbers, path in
        var information = stat()
        try #require(lstat(site.path + "/site/" + path, &information) == 0)
        numbers[path] = UInt64(information.st_ino)
      }
    }
    let old = try numbers()
    try site.folder.write(
      Self.configuration + "\nthreads:\n  - { url: https://x.com/ada/status/1001, title: Another }\n",
      to: "site.yml")
    try waitUntilFilesAreSettled()
    try site.build()
    let new = try numbers()
    let after = try books(site)
    let clocks = "x/ada/three-things-about-clocks-1001/three-things-about-clocks-1001.epub"
    let expected: Set = ["threads.epub", "collections/clocks/clocks.epub", "x/ada/ada.epub", clocks]
    #expect(Set(after.keys.filter { after[$0] != before[$0] }) == expected)
    #expect(Set(new.keys.filter { new[$0] != old[$0] }) == expected)
    #expect(new.count > expected.count)
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.tree() == site.folder.tree("fresh"))
    // Without the key, the books are removed.
    try site.folder.write("title: Kept\n", to: "site.yml")
    try site.build()
    #expect(try books(site).isEmpty)
  }
}
