import Basics
import Foundation
import InterfaceText
import SiteOutput
import TestSupport
import Testing
import ThreadModel

/// A post may have thousands of hashtags. The size of the site must grow linearly with their number, and each
/// must still have a link.
@Suite struct ManyTagsTests {
  private static let theme = Result {
    try Theme.load("paper", in: [ProjectFolders.repository.appending(path: "themes").path])
  }

  /// The HTML of every page of a site with these threads, by path.
  private func pages(of threads: [ThreadSummary]) throws -> [SitePath: String] {
    let index = SiteIndex(threads, calendar: .utc)
    let renderer = PageRenderer(site: Samples.site(), theme: try Self.theme.get())
    var pages: [SitePath: String] = [:]
    for page in index.pages(threadsPerPage: 20) {
      var html = UTF8Buffer()
      try renderer.render(page, of: index, into: &html)
      pages[page.path] = html.string
    }
    for thread in index.threads {
      var html = UTF8Buffer()
      try renderer.render(
        ThreadPage(
          summary: thread, header: UTF8Buffer(), body: UTF8Buffer("<h1>A</h1>"), sourceURL: nil,
          mediaHosts: []),
        into: &html)
      pages[thread.path] = html.string
    }
    return pages
  }

  private func thread(_ id: String, tags: Range<Int>) -> ThreadSummary {
    Samples.thread(id, title: "Thread \(id)", tags: tags.map { "tag\($0)" })
  }

  @Test func bytesGrowLinearlyWithTags() throws {
    let sizes = try [250, 500, 1000, 2000].map { count in
      try pages(of: [thread("1", tags: 0..<count)]).values.reduce(0) { $0 + $1.utf8.count }
    }
    // Twice as many tags give at most twice as many bytes. With a page that lists all tags for each tag, it
    // would be four times.
    for (less, more) in zip(sizes, sizes.dropFirst()) { #expect(more < less * 21 / 10, "\(sizes)") }
    #expect(sizes[3] < 2_000_000, "\(sizes)")
  }

  /// The same for threads that share their tags, so that each tag has a page.
  @Test func bytesGrowLinearlyWithTagsOfSeveralThreads() throws {
    let sizes = try [250, 500, 1000].map { count in
      try pages(of: (1...3).map { thread("\($0)", tags: 0..<count) }).values.reduce(0) { $0 + $1.utf8.count }
    }
    for (less, more) in zip(sizes, sizes.dropFirst()) { #expect(more < less * 21 / 10, "\(sizes)") }
  }

  @Test func everyTagOfAThreadHasALink() throws {
    let pages = try pages(of: [thread("1", tags: 0..<300), thread("2", tags: 290..<310)])
    let own = try #require(pages[Samples.thread("1", title: "Thread 1").path])
    let tags = try HTMLTokens(own).startTags.filter { $0["rel"] == "tag" }
    #expect(tags.count == 300)
    let list = try HTMLTokens(try #require(pages["tags/"])).startTags
    let entries = Set(list.compactMap { $0["id"] })
    var places = (pages: 0, entries: 0)
    for tag in tags {
      let href = try #require(tag["href"])
      let target = href.replacing("../../../", with: "")
      if let anchor = target.split(separator: "#").dropFirst().first {
        #expect(target.hasPrefix("tags/#") && entries.contains(String(anchor)), "\(href)")
        places.entries += 1
      } else {
        #expect(pages[SitePath(target)]?.contains("Thread 1") == true, "\(href)")
        places.pages += 1
      }
    }
    #expect(places == (50, 250))
  }

  /// The first fifty tags of one thread and all tags of the other have pages, out of 310. The entries of the
  /// rest link to the thread.
  @Test func listOfTagsIsComplete() throws {
    let pages = try pages(of: [thread("1", tags: 0..<300), thread("2", tags: 290..<310)])
    #expect(pages.keys.count { $0.text.hasPrefix("tags/tag") } == 70)
    let links = try HTMLTokens(try #require(pages["tags/"])).startTags.compactMap { $0["href"] }
      .map { $0.replacing("../", with: "") }
    let leading = links.filter { pages[SitePath($0)] != nil }
    #expect(leading.count { $0.hasPrefix("tags/tag") } == 70)
    #expect(leading.count { $0 == Samples.thread("1", title: "Thread 1").path.urlText } == 240)
    // A tag at the end of one thread and at the beginning of the other has a page with both.
    let shared = try #require(pages["tags/tag295/"])
    #expect(shared.contains("Thread 1") && shared.contains("Thread 2"))
  }

  @Test func listsCountTheTagsThatTheyOmit() throws {
    let home = try #require(try pages(of: [thread("1", tags: 0..<2000), thread("2", tags: 0..<12)])[""])
    #expect(try HTMLTokens(home).startTags.count { $0["rel"] == "tag" } == 24)
    #expect(home.contains("<li>+1,988</li>"))
    #expect(home.components(separatedBy: "<li>+").count == 2)
  }

  /// Every page of an author's threads shows a name, a tag and a bio, and shortens them if they are long.
  @Test(arguments: ["n", "e\u{301}\u{316}"])
  func shortensLongNamesInRepetitions(piece: String) throws {
    let long = String(repeating: piece, count: 100_000)
    var threads = Samples.threads(30)
    for index in threads.indices {
      threads[index].author = AuthorSummary(
        platform: .x, handle: long, name: long, url: nil, path: "x/ada/")
      threads[index].tags = [ThreadTag(long)]
    }
    let pages = try pages(of: threads)
    for path: SitePath in ["", "page/2/", "x/ada/", "2020/", "archive/", "authors/"] {
      #expect(try #require(pages[path]).utf8.count < 60_000, "\(path.text)")
    }
    #expect(try #require(pages[""]).contains("…"))
  }

  @Test func tagsOfAnyScriptHaveAnchors() throws {
    var thread = thread("1", tags: 0..<50)
    thread.tags = ThreadTag.tags(thread.tags.map(\.name) + ["\u{3099}か", "日本", "C++"])
    let pages = try pages(of: [thread])
    let entries = try HTMLTokens(try #require(pages["tags/"])).startTags.compactMap { $0["id"] }
    let linked = try HTMLTokens(try #require(pages[thread.path])).startTags.compactMap { $0["href"] }
      .filter { $0.contains("tags/#tag-") }
    #expect(linked.count == 3)
    let anchors = linked.compactMap {
      $0.split(separator: "#").last.map(String.init)?.removingPercentEncoding
    }
    #expect(Set(anchors).isSubset(of: Set(entries)))
  }
}
