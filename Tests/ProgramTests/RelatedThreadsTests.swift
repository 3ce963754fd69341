import Foundation
import TestSupport
import Testing
import ThreadModel

/// Parts of pages that depend on all threads: neighbors, quotes by other threads, and collections.
@Suite struct RelatedThreadsTests {
  private static let ada = Author(id: AuthorID("11", on: .x), handle: "ada", name: "Ada")
  private static let bo = Author(id: AuthorID("12", on: .x), handle: "bo", name: "Bo")

  private static func conversation(_ id: Int, by author: Author, quotes: Int? = nil) -> Conversation {
    var conversation = Conversation(id: PostID("\(id)", on: .x), authorID: author.id)
    conversation.authors = [ada, bo]
    for number in 0..<14 {
      var post = Post(
        id: PostID("\(id + number)", on: .x), authorID: author.id,
        text: InlineText(
          number == 0 ? "Number \(id) begins here" : "The post \(number) of \(id) says. Nothing more."))
      post.conversationID = conversation.id
      post.createdAt = Timestamp(seconds: 1_600_000_000 + Int64(id + number))
      post.inReplyTo = number == 0 ? nil : PostID("\(id + number - 1)", on: .x)
      if number == 0, let quotes {
        post.quotes = PostID("\(quotes)", on: .x)
        var quoted = Post(
          id: PostID("\(quotes)", on: .x), authorID: bo.id, text: InlineText("Number \(quotes) begins here"))
        quoted.conversationID = quoted.id
        conversation.related = [quoted]
      }
      conversation.posts.append(post)
    }
    return conversation
  }

  private func site(_ configuration: String = "", drafts: Bool = false) throws -> TemporarySite {
    let site = try TemporarySite()
    try site.folder.write("base_url: https://ada.example/\n" + configuration, to: "site.yml")
    for number in 1...22 {
      try site.save(
        Self.conversation(
          number * 100, by: number.isMultiple(of: 3) ? Self.bo : Self.ada,
          quotes: [10, 11].contains(number) ? 300 : nil))
    }
    try site.build(drafts: drafts)
    return site
  }

  private func page(_ number: Int, in site: TemporarySite) throws -> String {
    let author = (number / 100).isMultiple(of: 3) ? "bo" : "ada"
    return try site.page("x/\(author)/number-\(number)-begins-here-\(number)/index.html")
  }

  @Test func pagesShowNeighborsAndQuotingThreads() throws {
    let site = try site()
    let page = try page(2000, in: site)
    #expect(page.contains("rel=\"prev\" href=\"../../../x/bo/number-2100-begins-here-2100/\""))
    #expect(page.contains("rel=\"next\" href=\"../../../x/ada/number-1900-begins-here-1900/\""))
    #expect(page.hasSuffix("</html>\n"))
    #expect(!page.utf8.contains(0xFF))

    let quoted = try self.page(300, in: site)
    let section = try #require(quoted.firstMatch(of: /(?s)<section class="quoted-by">.*?<\/section>/)).output
    #expect(section.contains("number-1100-") && section.contains("number-1000-"))
    let order = ["number-1100-", "number-1000-"].compactMap { section.range(of: $0)?.lowerBound }
    #expect(order == order.sorted())
    #expect(try !self.page(1000, in: site).contains("quoted-by"))
    try SiteChecks(site).checkAll()
  }

  private static let collections = """
    threads:
      - { url: 'https://x.com/ada/status/100', draft: true }
      - https://x.com/ada/status/200
      - https://x.com/bo/status/300
      - https://x.com/ada/status/400
    collections:
      - title: Backwards
        slug: backwards
        introduction: |
          Read *these*. <script>alert(1)</script>

          # Why
        threads: [400, https://x.com/bo/status/305, 100, 200]

    """

  @Test func collectionKeepsItsOrder() throws {
    let site = try site(Self.collections)
    let page = try site.page("collections/backwards/index.html")
    let order = ["number-400-", "number-300-", "number-200-"].compactMap { page.range(of: $0)?.lowerBound }
    #expect(order.count == 3 && order == order.sorted())
    #expect(!page.contains("number-100-") && !page.contains("<script>alert"))
    #expect(page.contains("<em>these</em>") && page.contains("<h2>Why</h2>"))
    #expect(page.contains("<meta name=\"description\" content=\"Read these. alert(1)\">"))
    let middle = try self.page(300, in: site)
    #expect(middle.contains("rel=\"prev\" href=\"../../../x/ada/number-400-begins-here-400/\""))
    #expect(middle.contains("rel=\"next\" href=\"../../../x/ada/number-200-begins-here-200/\""))
    #expect(middle.contains("2 of 3") && middle.contains("href=\"../../../collections/backwards/\""))
    #expect(try site.page("sitemap.xml").contains("https://ada.example/collections/backwards/"))
    try SiteChecks(site).checkAll()
  }

  @Test func draftJoinsItsCollectionInADraftBuild() throws {
    let site = try site(Self.collections, drafts: true)
    #expect(try site.page("collections/backwards/index.html").contains("number-100-"))
    #expect(try page(200, in: site).contains("4 of 4"))
  }

  @Test func outputIsIndependentOfTheNumberOfWorkers() throws {
    // With a collection, pages have both kinds of neighbors.
    let site = try site(Self.collections)
    let two = try site.tree()
    for jobs in [1, 4] {
      try site.build(jobs: jobs, output: site.path + "/\(jobs)", usesCache: false)
      #expect(try site.folder.tree("\(jobs)") == two, "\(jobs) workers")
    }
  }

  @Test func siteTemplateReplacesTheRelatedSection() throws {
    let site = try TemporarySite()
    try site.save(Self.conversation(100, by: Self.ada))
    try site.folder.write("[{{author.name}}]", to: "themes/paper/partials/thread-related.mustache")
    try site.build()
    #expect(try page(100, in: site).contains("[Ada]"))
  }
}
