import Export
import Foundation
import SiteBuild
import TestSupport
import Testing
import ThreadModel

/// Threads as one HTML file.
@Suite struct StandalonePageTests {
  private static let allowed = HarmlessHTML(
    elements: HarmlessHTML.page.elements.union(["style"]), attributes: HarmlessHTML.page.attributes)

  private func page(
    _ exported: ExportedSite, _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> HTMLTokens {
    try exported.export(.html, to: "page.html", change)
    return try HTMLTokens(exported.site.folder.text("page.html"))
  }

  @Test func containsEverythingAndLoadsNothing() throws {
    let exported = try ExportedSite()
    let html = try page(exported)
    let text = try exported.site.folder.text("page.html")
    #expect(!text.contains("A hidden word") && !text.contains("A draft") && !text.contains("Left out"))
    let policy = try #require(
      html.startTags.first { $0["http-equiv"] == "Content-Security-Policy" }?["content"])
    #expect(policy.hasPrefix("default-src 'none'; img-src data:;"))
    var ids: Set<String> = []
    for id in html.startTags.compactMap({ $0["id"] }) {
      #expect(ids.insert(id).inserted, "\(id) occurs twice")
    }
    for tag in html.startTags {
      #expect(Self.allowed.elements.contains(tag.name), "<\(tag.name)>")
      if tag.name == "a", let address = tag["href"] {
        #expect(address.hasPrefix("https://") || address.hasPrefix("#"), "\(address)")
        if address.hasPrefix("#") {
          #expect(ids.contains(String(address.dropFirst())), "\(address) has no target")
        }
      }
      if let source = tag["src"] { #expect(source.hasPrefix("data:image/")) }
    }
    // Ada's quote of Bo links to Bo's thread, the second one.
    #expect(html.startTags.contains { $0["href"] == "#thread-2-post-2001" })
    let picture = "data:image/png;base64," + SampleMedia.png().base64EncodedString()
    #expect(html.startTags.contains { $0["src"] == picture })
  }

  @Test func singleThreadHasNoTitlePage() throws {
    let exported = try ExportedSite()
    let html = try page(exported) { $0.year = 2023 }
    #expect(html.startTags.filter { $0.name == "h1" }.count == 1)
    #expect(!html.startTags.contains { $0["class"] == "title-page" })
  }

  @Test func hostileTextIsEscaped() throws {
    let site = try TemporarySite()
    for (number, text) in try HostileContentTests.payloads.enumerated() where number % 3 == 0 {
      try site.save(HostileConversation.make(number: number, payload: text))
    }
    let html = try page(ExportedSite(site: site, configuration: "media: link"))
    HarmlessHTML.check(html, allowed: Self.allowed, "page.html")
    #expect(html.startTags.filter { $0.name == "meta" && $0["http-equiv"] != nil }.count == 1)
  }

  /// As for `threadsite list --author`.
  @Test(arguments: ["cleo", "@cleo", "@cleo@social.example"])
  func findsAnAuthorWithoutTheServer(name: String) throws {
    let exported = try ExportedSite()
    let cleo = Author(
      id: AuthorID("13", by: "social.example", on: .mastodon), handle: "cleo@social.example")
    var post = Post(
      id: PostID("7001", by: "social.example", on: .mastodon), authorID: cleo.id,
      text: InlineText("Cleo begins"))
    post.createdAt = Timestamp(seconds: 1_700_000_000)
    var conversation = Conversation(id: post.id, authorID: cleo.id)
    conversation.authors = [cleo]
    conversation.posts = [post]
    try exported.site.save(conversation)
    _ = try page(exported) { $0.author = name }
    #expect(try exported.site.folder.text("page.html").contains("Cleo begins"))
  }

  @Test func standardOutputEqualsTheFile() throws {
    let exported = try ExportedSite()
    try exported.export(.html, to: "page.html")
    var program = Program(folder: exported.site.path)
    program.environment = ["THREADSITE_SHARE": ProjectFolders.repository.path]
    let outcome = try program.run(["export", "html", "-o", "-", "-q"])
    #expect(outcome.code == 0)
    #expect(try outcome.output == exported.site.folder.text("page.html"))
    #expect(try program.run(["export", "html", "-o", "-", "--json"]).code == 64)
    #expect(try program.run(["export", "word"]).code == 64)
    let unknown = try program.run(["export", "epub", "--author", "adda"])
    #expect(unknown.code == 65 && unknown.errors.contains("did you mean \"ada\"?"))
    #expect(try program.run(["export", "epub", "--collection", "x"]).code == 78)
  }
}
