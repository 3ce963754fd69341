import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import ThreadModel
import ThreadStore

/// Claims about building a site from a store.
enum SiteClaims {
  static func all() -> [Claim] {
    oneThreadShapes.map(oneThread) + Crowd.allCases.map(manyThreads) + Crowd.allCases.map(saving)
  }

  /// The shapes in which posts refer to other posts of the site, and the deepest one. The claims about the stages cover the others.
  private static let oneThreadShapes: [Shape] = [
    .twoAuthors, .quotesOfFirst, .links, .comb, .answers, .crowd,
  ]

  private static func oneThread(_ shape: Shape) -> Claim {
    Claim(
      "a site of one thread with its replies: \(shape.rawValue)",
      // A document that is longer is rejected.
      deepest: 12_000,
      prepare: { count in
        let site = try Site()
        try site.save([shape.conversation(count)])
        try site.configure(
          "threads: [{url: 'https://x.com/ada/status/\(PostID.post(1).value)', replies: true}]")
        return site
      }
    ) { try $0.build() }
  }

  private static func manyThreads(_ crowd: Crowd) -> Claim {
    Claim(
      "a site of threads: \(crowd.rawValue)", first: 25, deepest: 1000,
      prepare: { count in
        let site = try Site()
        try site.save(crowd.conversations(count))
        if crowd == .collection {
          let urls = (1...count).map { "'https://x.com/ada/status/\(PostID.post($0).value)'" }
          try site.configure(
            "collections: [{title: All, slug: all, threads: [\(urls.joined(separator: ", "))]}]")
        }
        return site
      }
    ) { try $0.build() }
  }

  private static func saving(_ crowd: Crowd) -> Claim {
    Claim(
      "saving threads twice: \(crowd.rawValue)", first: 25, deepest: 1000,
      prepare: { (try Site(), crowd.conversations($0)) }
    ) { site, conversations in
      try site.save(conversations)
      try site.save(conversations)
    }
  }
}

/// A site in a folder of its own.
struct Site: Sendable {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(inMemory: Claim.space)
    try configure("")
  }

  func configure(_ more: String) throws {
    try folder.write("title: Growth\nbase_url: https://threads.example/\n\(more)\n", to: "site.yml")
  }

  func save(_ conversations: [Conversation]) throws {
    let store = ThreadStore(folder: folder.path + "/threads")
    var index = try store.index()
    for conversation in conversations { _ = try store.save(conversation, index: &index) }
  }

  /// Builds with one worker, the calling thread.
  func build() throws {
    let site = try SiteFolder.open(configFile: folder.path + "/site.yml", isDefault: true) { _ in }
    let installation = Installation.find(
      executable: "/nowhere", environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    _ = try SiteBuild(site, installation: installation, options: SiteBuild.Options(jobs: 1)) { _ in }.run()
  }
}

/// A shape of a store of many threads.
enum Crowd: String, CaseIterable {
  case sameTitle = "all of one title"
  case quotesOfFirst = "all quote the first"
  case quotesOfNext = "each quotes the next"
  case oneConversation = "as many authors in one conversation, who answer and quote each other"
  case months = "each of another month"
  case tags = "each with tags of its own"
  case authors = "each by another author"
  case collection = "all in one collection"

  func conversations(_ count: Int) -> [Conversation] {
    (1...count).map { number in
      let author = AuthorID.author(self == .authors || self == .oneConversation ? number : 0)
      var facts = Post.Facts(id: .post(number), authorID: author)
      facts.text = InlineText("The same words again.")
      facts.conversationID = .post(number)
      facts.createdAt = Timestamp(seconds: 1_600_000_000 + Int64(number) * 60)
      var conversation = Conversation(id: .post(number), authorID: author)
      switch self {
      case .sameTitle, .authors, .collection: break
      case .quotesOfFirst, .quotesOfNext:
        let quoted = self == .quotesOfFirst ? 1 : number % count + 1
        if quoted != number {
          facts.quotes = .post(quoted)
          conversation.related = [Self.plain(quoted, by: author, in: quoted)]
        }
      case .oneConversation:
        conversation.id = .post(0)
        facts.conversationID = .post(0)
        facts.inReplyTo = .post(0)
        facts.inReplyToAuthor = .author(1_000_000)
        facts.quotes = .post(number % count + 1)
        conversation.related = [Self.plain(number % count + 1, by: .author(number % count + 1), in: 0)]
      case .months: facts.createdAt = Timestamp(seconds: Int64(number) * 31 * 86_400)
      case .tags:
        facts.text = InlineText(
          "#a\(number)",
          entities: [TextEntity(0..<"#a\(number)".count, .hashtag(tag: "a\(number)", url: nil))])
      }
      conversation.authors = [Author(id: author, handle: author == .author(0) ? "ada" : "person\(number)")]
      conversation.posts = [Post(facts)]
      return conversation
    }
  }

  private static func plain(_ number: Int, by author: AuthorID, in conversation: Int) -> Post {
    var facts = Post.Facts(id: .post(number), authorID: author, text: InlineText("Quoted words."))
    facts.conversationID = .post(conversation)
    return Post(facts)
  }
}
