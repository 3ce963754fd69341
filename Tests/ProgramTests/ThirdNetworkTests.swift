import HTTPTransport
import Intake
import NetworkSources
import SiteBuild
import SiteConfig
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel
import ThreadStore
import Upkeep

/// An invented network, which shows the code that a new network needs. No other code has to know of it.
private struct PaperMail: NetworkSource, AddressReader, SourceClient, SourceSession {
  let platform: Platform = "papermail"
  let examplePost = "https://papermail.example/letters/1"
  let exampleAccount = "https://papermail.example/ada"
  let exampleName = "ada"
  /// The number of posts that a request returns.
  var posts = 3
  /// The error after these posts.
  var failure: SourceError?
  var addresses: any AddressReader { self }
  var usage: SourceUsage { SourceUsage() }

  func owns(_ address: NetworkAddress) -> Bool { address.host == "papermail.example" }
  func post(_ address: NetworkAddress) -> PostReference? {
    guard address.path.count == 2, address.path[0] == "letters" else { return nil }
    let id = PostID(address.path[1], on: platform)
    return PostReference(platform: platform, id: id.value, postID: id, address: address.text)
  }
  func client(for run: SourceRun) throws(SourceError) -> any SourceClient { self }
  func session(named name: String) -> any SourceSession { self }
  func recheck(_ known: [Conversation], onDeleted: SiteConfig.Fetch.Deletion) async -> FetchedThreads {
    FetchedThreads()
  }
  func threads(
    of requests: [ThreadRequest], stored: @escaping @Sendable (PostID, AuthorID) -> Conversation?
  ) async -> FetchedThreads {
    let author = AuthorID("7", on: platform)
    var thread = Conversation(id: PostID("1", on: platform), authorID: author)
    thread.authors = [Author(id: author, handle: "ada", name: "Ada")]
    thread.posts = (1...posts).map { number in
      var facts = Post.Facts(id: PostID("\(number)", on: platform), authorID: author)
      facts.text = InlineText("Letter \(number)")
      facts.inReplyTo = number == 1 ? nil : PostID("\(number - 1)", on: platform)
      facts.createdAt = Timestamp(seconds: 1_700_000_000 + Int64(number))
      return Post(facts)
    }
    thread.provenance = [Provenance(source: "papermail-post", fetchedAt: Timestamp(seconds: 1_800_000_000))]
    var result = FetchedThreads()
    if failure != nil { thread.coverage.limits = [CoverageLimit(.fetchEnded)] }
    result.conversations = [thread]
    result.failure = failure
    return result
  }
}

@Suite("An additional network")
struct ThirdNetworkTests {
  private let site: TemporarySite

  init() throws {
    site = try TemporarySite()
    try site.folder.write(
      "title: Letters\nsources:\n  - https://papermail.example/letters/3\n", to: "site.yml")
  }

  private func open(_ network: PaperMail = PaperMail()) throws -> SiteFolder {
    try SiteFolder.open(
      configFile: site.path + "/site.yml", isDefault: true,
      networks: NetworkRegistry([network] + NetworkRegistry.all.networks), progress: { _ in })
  }

  private func fetch(
    _ scope: FetchOptions.Scope, from network: PaperMail = PaperMail()
  ) async throws -> FetchSummary {
    let nobody = CurlTransport(userAgent: "test")
    let services = FetchServices(
      environment: [:], api: nobody, media: nobody, now: { Timestamp(seconds: 1_800_000_000) })
    return try await SiteFetch(
      open(network), options: FetchOptions(scope), services: services, jobs: 1, progress: { _ in }
    ).run()
  }

  @Test func isFetchedAndBuilt() async throws {
    let fetched = try await fetch(.due)
    #expect(fetched.failures.isEmpty && fetched.added == 1)
    _ = try SiteBuild(
      open(), installation: TemporarySite.installation, options: SiteBuild.Options(jobs: 1),
      progress: { _ in }
    ).run()
    let page = try #require(
      try site.tree().first { $0.key.hasSuffix("index.md") && $0.key.contains("papermail") })
    let text = String(decoding: page.value, as: UTF8.self)
    let places = (1...3).map { text.firstRange(of: "Letter \($0)")?.lowerBound }
    #expect(
      places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted())
  }

  @Test func isAddedByTheURLOfAnyPost() async throws {
    let addresses = try open().networks.addresses
    let post = try addresses.post("papermail.example/letters/2")
    let fetched = try await fetch(.only([post]))
    #expect(fetched.failures.isEmpty && fetched.added == 1)
    // The list names another post of the same thread.
    #expect(try ThreadList(open(), jobs: 1).add(post) == .hasIt)
    try site.folder.write("title: Letters\nsources:\n  - https://x.com/ada/status/1\n", to: "site.yml")
    #expect(try ThreadList(open(), jobs: 1).add(post) == .added([.sources]))
    #expect(try site.folder.text("site.yml").hasSuffix("- papermail.example/letters/2\n"))
  }

  /// A check that fails does not show that the stored thread lacks posts. If it finds a new post, further posts may be missing.
  @Test(arguments: [(posts: 2, isMarked: false), (posts: 3, isMarked: false), (posts: 4, isMarked: true)])
  func failedCheckOfAWholeThreadLeavesNoMark(posts: Int, isMarked: Bool) async throws {
    let post = try open().networks.addresses.post("papermail.example/letters/2")
    _ = try await fetch(.only([post]))
    let outage = PaperMail(posts: posts, failure: SourceError(.noConnection, "The post office is closed."))
    let fetched = try await fetch(.only([post]), from: outage)
    #expect(fetched.failures.count == 1)
    let store = try open().threadStore
    let thread = try store.read(try #require(try store.list().first))
    #expect(thread.posts.count == max(3, posts))
    #expect(thread.coverage.limits == (isMarked ? [CoverageLimit(.fetchEnded)] : []))
    // A run that reached its limits is continued by the next one.
    let cut = PaperMail(posts: 2, failure: SourceError(.overBudget, "The stamps are used up."))
    _ = try await fetch(.only([post]), from: cut)
    #expect(
      try store.read(try #require(try store.list().first)).coverage.limits == [CoverageLimit(.fetchEnded)])
  }

  @Test func reportsUnsupportedSources() async throws {
    try site.folder.write(
      "title: Letters\nsources:\n  - account: https://papermail.example/ada\n", to: "site.yml")
    let error = #expect(throws: PipelineError.self) { try open() }
    #expect(error?.messages.first?.contains("sources[0].account") == true)
  }
}
