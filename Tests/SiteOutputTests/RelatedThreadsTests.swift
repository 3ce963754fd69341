import Basics
import Foundation
import InterfaceText
import SiteOutput
import TestSupport
import Testing
import ThreadModel

/// The section of a thread's page about other threads.
@Suite struct RelatedThreadsTests {
  private static let theme = Result {
    try Theme.load("paper", in: [ProjectFolders.repository.appending(path: "themes").path])
  }

  /// Threads by `ada` and `bo` alternately, with the newest last.
  private static func threads(_ count: Int) -> [ThreadSummary] {
    let bo = Samples.author("bo", name: "Bo <b>")
    return (0..<count).map { number in
      let author = number.isMultiple(of: 2) ? Samples.ada : bo
      var thread = Samples.thread("\(1000 + number)", title: "Thread <\(number)>", by: author)
      thread.published = Timestamp(seconds: 1_600_000_000 + Int64(number) * 86_400)
      return thread
    }
  }

  private func html(
    _ path: SitePath, _ index: SiteIndex, site: SiteFacts = Samples.site()
  ) throws -> String {
    let position = try #require(index.threads.firstIndex { $0.path == path })
    let related = try PageRenderer(site: site, theme: Self.theme.get()).related(to: position, in: index)
    return try #require(related).string
  }

  private func links(_ html: String) throws -> [String] {
    try HTMLTokens(html).startTags.filter { $0.name == "a" }.compactMap { $0["href"] }
  }

  @Test func showsEverything() throws {
    let threads = Self.threads(9)
    let paths = threads.map(\.path)
    let index = SiteIndex(
      threads, calendar: .utc, profiles: [Samples.profile.author.path: Samples.profile],
      collections: [
        ThreadCollection(
          title: "First & last", path: ThreadCollection.page(slug: "first"), introduction: UTF8Buffer(),
          threads: [paths[0], paths[4], paths[8]]),
        ThreadCollection(
          title: "Alone", path: ThreadCollection.page(slug: "alone"), introduction: UTF8Buffer(),
          threads: [paths[4]]),
      ],
      links: [paths[1]: [paths[4], paths[2]], paths[7]: [paths[4]], paths[4]: [paths[4]]])
    let html = try html(paths[4], index)
    _ = try HTMLTokens(html)
    try Golden.compare(
      html, with: ProjectFolders.fixtures(of: "SiteOutputTests").appending(path: "Pages/main/related.html"))
  }

  /// The titles of the similar threads of each of 40 threads, by the thread's number.
  ///
  /// - Parameters:
  ///   - tags: the tags of threads, by number.
  ///   - topics: hashes of words of threads, by number.
  private func similar(tags: [Int: [String]] = [:], topics: [Int: [UInt32]] = [:]) throws -> [Int: [Int]] {
    var threads = Self.threads(40)
    for (number, names) in tags { threads[number].tags = ThreadTag.tags(names) }
    let index = SiteIndex(
      threads, calendar: .utc,
      topics: Dictionary(uniqueKeysWithValues: topics.map { (threads[$0].path, $1) }))
    var result: [Int: [Int]] = [:]
    for number in threads.indices {
      let html = try html(threads[number].path, index)
      let parts = html.components(separatedBy: #"<section class="similar">"#)
      guard parts.count == 2, let list = parts[1].components(separatedBy: "</section>").first else {
        continue
      }
      result[number] = try links(list).compactMap { Int($0.dropLast().suffix(4)).map { $0 - 1000 } }
    }
    return result
  }

  @Test func similarThreadsHaveTagsOrTwoWordsInCommon() throws {
    #expect(try similar(tags: [3: ["swift"], 9: ["Swift"], 11: ["rust"]]) == [3: [9], 9: [3]])
    // One word is not enough.
    #expect(try similar(topics: [3: [7, 8], 9: [7, 8], 11: [8, 9]]) == [3: [9], 9: [3]])
    #expect(try similar(topics: [3: [7], 9: [7]]) == [:])
    // A word counts once for each thread.
    #expect(try similar(topics: [3: [7, 7], 9: [7, 7]]) == [:])
  }

  /// Thread 5 has a tag of two threads in common with 12, one of four with 7, 10 and 14, and three rare words with 9.
  @Test func rareTagsAndWordsComeFirst() throws {
    let found = try similar(
      tags: [5: ["rare", "common"], 12: ["rare"], 7: ["common"], 14: ["common"], 10: ["common"]],
      topics: [5: [1, 2, 3], 9: [1, 2, 3]])
    #expect(found[5] == [9, 12, 14])
    #expect(found[7] == [14, 10, 5])
    #expect(found[12] == [5])
  }

  /// The page links to them anyway.
  @Test func newerAndOlderThreadAreNotSimilar() throws {
    #expect(try similar(tags: [3: ["a"], 4: ["a"], 5: ["a"]]) == [3: [5], 5: [3]])
  }

  @Test func wordsAndTagsOfMostThreadsAreLeftOut() throws {
    let all = Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, [UInt32(1), 2]) })
    #expect(try similar(topics: all) == [:])
    let few = Dictionary(uniqueKeysWithValues: (0..<5).map { ($0, [UInt32(1), 2]) })
    #expect(try similar(topics: few)[0] == [4, 3, 2])
    let tagged = Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, ["a"]) })
    #expect(try similar(tags: tagged)[0] == [19, 18, 17])
    #expect(try similar(tags: Dictionary(uniqueKeysWithValues: (0..<21).map { ($0, ["a"]) })) == [:])
  }

  @Test func moreByTheAuthorListsNearThreadsThatAreNotYetShown() throws {
    let index = SiteIndex(Self.threads(20), calendar: .utc)
    let shown = try links(html("x/ada/a-title-1010/", index))
    // The author, three of her threads, the newer one, the older one.
    #expect(
      shown == [
        "../../../x/ada/", "../../../x/ada/a-title-1014/", "../../../x/ada/a-title-1012/",
        "../../../x/ada/a-title-1008/", "../../../x/bo/a-title-1011/", "../../../x/bo/a-title-1009/",
      ])
    // All threads are by one author, so her neighbors are the site's.
    let alone = SiteIndex(Samples.threads(6), calendar: .utc)
    let own = try links(html("x/ada/a-title-1002/", alone))
    #expect(
      own == [
        "../../../x/ada/", "../../../x/ada/a-title-1005/", "../../../x/ada/a-title-1004/",
        "../../../x/ada/a-title-1000/", "../../../x/ada/a-title-1003/", "../../../x/ada/a-title-1001/",
      ])
  }

  @Test func onlyThreadLinksToItsAuthor() throws {
    let index = SiteIndex(Samples.threads(1), calendar: .utc)
    #expect(try links(html("x/ada/a-title-1000/", index)) == ["../../../x/ada/"])
  }

  @Test func showsOnlyImagesOfTheSite() throws {
    func pictures(_ avatar: SummaryImage) throws -> Int {
      var profile = Samples.profile
      profile.avatar = avatar
      let index = SiteIndex(
        Samples.threads(1), calendar: .utc, profiles: [Samples.profile.author.path: profile])
      return try HTMLTokens(html("x/ada/a-title-1000/", index)).startTags.count { $0.name == "img" }
    }
    #expect(try pictures(.stored("media/a.png")) == 1)
    // The page's policy does not name this host.
    #expect(try pictures(.remote("https://faces.example/a.png")) == 0)
  }

  // MARK: - Place on the page

  private func page(_ body: String, header: String = "") -> ThreadPage {
    ThreadPage(
      summary: Samples.thread("1001"), header: UTF8Buffer(header), body: UTF8Buffer(body),
      sourceURL: nil,
      mediaHosts: [])
  }

  private func theme(_ layout: String, related: String?) throws -> (Theme, TemporaryFolder) {
    let folder = try TemporaryFolder()
    try folder.write("name: t\n", to: "t/theme.yml")
    for name in Theme.requiredLayouts { try folder.write("x", to: "t/layouts/\(name).mustache") }
    try folder.write("p {}", to: "t/static/style.css")
    try folder.write(layout, to: "t/layouts/thread.mustache")
    if let related { try folder.write(related, to: "t/partials/thread-related.mustache") }
    return (try Theme.load("t", in: [folder.path]), folder)
  }

  @Test func layoutDefinesThePlace() throws {
    let (theme, _) = try theme("<p>é</p>{{{related}}}<p>", related: "<i></i>")
    let renderer = PageRenderer(site: Samples.site(), theme: theme)
    var page = page("")
    page.related = try renderer.related(to: 0, in: SiteIndex([page.summary], calendar: .utc))
    var html = UTF8Buffer()
    try renderer.render(page, into: &html)
    #expect(html.string == "<p>é</p><i></i><p>")
  }

  @Test func themeNeedsNoSection() throws {
    let (theme, _) = try theme("<p>{{{related}}}", related: nil)
    let renderer = PageRenderer(site: Samples.site(), theme: theme)
    #expect(try renderer.related(to: 0, in: SiteIndex(Samples.threads(1), calendar: .utc)) == nil)
    var html = UTF8Buffer()
    try renderer.render(page(""), into: &html)
    #expect(html.string == "<p>")
  }

  /// The ranges of the header and the body, from which the next build reads them.
  @Test(arguments: [
    (
      "{{{body_header}}}|{{{body_text}}}", "<header>", "<p>x", "<header>|<p>x",
      ["<header>", "<p>x"]
    ),
    ("é{{{body}}}", "<header>", "<p>x", "é<header><p>x", ["<header>", "<p>x"]),
    ("{{{body}}}{{{body_text}}}", "<header>", "<p>x", "<header><p>x<p>x", []),
    ("|{{{body_text}}}", "", "<p>x", "|<p>x", ["", "<p>x"]),
    ("{{{body_text}}}", "<header>", "<p>x", "<p>x", []),
    ("{{{body_header}}}", "<header>", "<p>x", "<header>", []), ("|", "<header>", "<p>x", "|", []),
  ])
  func layoutMayPlaceContentAfterTheHeader(
    layout: String, header: String, body: String, expected: String, parts: [String]
  ) throws {
    let (theme, _) = try theme(layout, related: nil)
    var html = UTF8Buffer()
    let places = try PageRenderer(site: Samples.site(), theme: theme).render(
      page(body, header: header), into: &html)
    #expect(html.string == expected)
    #expect(places.map { String(decoding: html.bytes[$0], as: UTF8.self) } == parts)
  }

  // MARK: - Other parts of a thread's page

  @Test func hasContentsActionsAndSharing() throws {
    var page = page("<p>Text</p>\n", header: "<header>\n</header>\n")
    page.summary.title = "A & B?"
    page.summary.readingMinutes = 4
    page.actions = PostActions(
      like: "https://x.com/intent/like?tweet_id=1001", repost: "https://x.com/intent/retweet?tweet_id=1001",
      reply: "https://x.com/intent/post?in_reply_to=1001")
    page.contents = [
      ContentsEntry(title: "<b> One", anchor: "post-1", number: 3),
      ContentsEntry(title: "Aside", anchor: "branch-1", branch: "1"),
    ]
    var html = UTF8Buffer()
    let theme = try Self.theme.get()
    var site = Samples.site()
    site.themeOptions = Samples.options(of: theme)
    try PageRenderer(site: site, theme: theme).render(page, into: &html)
    let addresses = try links(html.string)
    for address in [
      "#post-1", "#branch-1", "https://x.com/intent/like?tweet_id=1001",
      "https://x.com/intent/retweet?tweet_id=1001", "https://x.com/intent/post?in_reply_to=1001",
      "mailto:?subject=A%20%26%20B%3F&body=https%3A%2F%2Fada.example%2Fthreads%2Fx%2Fada%2Fa-title-1001%2F",
    ] {
      #expect(addresses.contains(address), "\(address)")
    }
    #expect(html.string.contains("&lt;b&gt; One"))
    // The table of contents is between the header and the text.
    let order = ["</header>", "<nav class=\"contents\"", "<p>Text</p>"].compactMap {
      html.string.range(of: $0, options: .backwards)?.lowerBound
    }
    #expect(order.count == 3 && order[1] < order[2])
  }

  @Test func networksWithoutActionURLsHaveNoActions() throws {
    let page = page("")
    var html = UTF8Buffer()
    try PageRenderer(site: Samples.site(baseURL: nil), theme: Self.theme.get()).render(page, into: &html)
    #expect(!html.string.contains("intent") && !html.string.contains("mailto:"))
  }
}
