import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// All forms of naming a person whom site.yml excludes only by ID.
@Suite("Names of excluded accounts")
struct LeftOutNamesTests {
  struct Network: Sendable, CustomTestStringConvertible {
    let platform: Platform
    /// The entry of `leave_out`.
    let entry: String
    let id: AuthorID
    let handle: String
    /// Texts that no file may contain, in lower case.
    let traces: [String]
    /// Texts that name the account.
    let named: [String]
    /// URLs of link entities and cards that lead to the account.
    let links: [String]
    /// Texts and URLs that name other people and stay.
    let kept: [String]

    var testDescription: String { platform.rawValue }
  }

  static let networks: [Network] = [
    Network(
      platform: .x, entry: "777000111", id: AuthorID("777000111", on: .x), handle: "ZebediahQ",
      traces: ["zebediahq", "777000111"],
      named: [
        "@ZebediahQ's hat", "昨日@zebediahqさん", "（＠zebediahq）", "RT @zebediahq: hi", "(@ZebediahQ)",
        "\"@ZEBEDIAHQ\",",
        "@zebediahq.Thanks", "@zebediahq…", "see x.com/zebediahq/status/5",
        "https://twitter.com/#!/zebediahq/status/5",
        "https://fxtwitter.com/zebediahq/status/5,", "(https://nitter.net/zebediahq)",
        "https://web.archive.org/web/2020/https://twitter.com/ZebediahQ/status/5",
        "https://x.com/intent/user?screen_name=zebediahq", "https://x.com/intent/follow?user_id=777000111",
        "https://x.com/i/user/777000111", "https://example.org/?u=https%3A%2F%2Fx.com%2Fzebediahq",
        "昨日https://x.com/zebediahqを見た", "https://mirror.example/zebediahq/status/5",
        "https://threadreaderapp.com/user/zebediahq", "https://medium.com/@zebediahq/post",
      ],
      links: [
        "https://x.com/zebediahq", "https://vxtwitter.com/ZebediahQ/status/5?s=20",
        "https://x.com/i/user/777000111",
      ],
      kept: [
        "@zebediah", "@zebediahqs", "bob@zebediah.example", "https://x.com/zebediah/status/5",
        "https://example.org/zebedia/5",
      ]),
    Network(
      platform: .mastodon, entry: "'@zebediahq@social.example'",
      id: AuthorID("777000111", by: "social.example", on: .mastodon),
      handle: "zebediahq@social.example", traces: ["zebediahq"],
      named: [
        "@zebediahq's hat", "昨日@zebediahqさん", "＠zebediahq", "@zebediahq@social.example",
        "mail zebediahq@social.example.",
        "acct:zebediahq@social.example", "https://social.example/@zebediahq/5",
        "https://social.example/users/zebediahq/statuses/5",
        "https://other.example/@zebediahq@social.example/7",
        "https://other.example/authorize_interaction?uri=https%3A%2F%2Fsocial.example%2F%40zebediahq%2F5",
        "https://other.example/authorize_interaction?uri=acct:zebediahq%40social.example",
        "https://web.archive.org/web/2020/https://social.example/@zebediahq",
        "https://social.example/@zebediahq.rss",
        "https://social.example/web/@zebediahq",
      ],
      links: ["https://social.example/@zebediahq", "https://social.example/users/zebediahq"],
      kept: [
        "@zebediah@social.example", "@ada@social.example", "https://social.example/@zebediah/5",
        "https://social.example/tags/hats",
      ]),
    Network(
      platform: .bluesky, entry: "did:plc:zebediahqzebediahqzebedi",
      id: AuthorID("did:plc:zebediahqzebediahqzebedi", on: .bluesky),
      handle: "zq.handle.example", traces: ["zq.handle.example", "zebediahqzebediahqzebedi"],
      named: [
        "@zq.handle.example's hat", "昨日@ZQ.handle.exampleさん", "zq.handle.example says", "＠zq.handle.example",
        "https://bsky.app/profile/zq.handle.example/post/3k5",
        "https://fxbsky.app/profile/zq.handle.example/post/3k5",
        "https://bsky.app/profile/did:plc:zebediahqzebediahqzebedi",
        "at://did:plc:zebediahqzebediahqzebedi/app.bsky.feed.post/3k5",
        "did:plc:zebediahqzebediahqzebedi.", "https://zq.handle.example/about",
        "https://www.zq.handle.example/",
        "https://web.archive.org/web/2020/https://bsky.app/profile/zq.handle.example",
        "https://plc.directory/did%3Aplc%3Azebediahqzebediahqzebedi",
      ],
      links: [
        "https://bsky.app/profile/zq.handle.example",
        "https://bsky.app/profile/did:plc:zebediahqzebediahqzebedi/post/3k5",
      ],
      kept: [
        "@other.handle.example", "https://bsky.app/profile/ada.example/post/3k5", "handle.example",
        "@zq.handle.example.org",
      ]),
  ]

  /// The source of the handle: the account's own record in another conversation, a tombstone, or another
  /// person's mention.
  enum NameSource: CaseIterable { case author, tombstone, mention }

  private static let ada = "did:plc:adaadaadaadaadaadaadaada"

  private func author(_ network: Network) -> AuthorID {
    switch network.platform {
    case .x: AuthorID("11", on: .x)
    case .mastodon: AuthorID("11", by: "social.example", on: .mastodon)
    default: AuthorID(Self.ada, on: network.platform)
    }
  }

  private func post(_ number: Int, _ network: Network) -> PostID {
    PostID(
      "\(number)",
      by: network.platform == .x ? nil : network.platform == .mastodon ? "social.example" : Self.ada,
      on: network.platform)
  }

  private func conversation(
    _ number: Int, _ network: Network, _ change: (inout Post.Facts, Int) -> Void, count: Int
  )
    -> Conversation
  {
    var conversation = Conversation(id: post(number, network), authorID: author(network))
    conversation.authors = [
      Author(id: author(network), handle: network.platform == .x ? "ada" : "ada.example", name: "Ada")
    ]
    for index in 0..<count {
      var facts = Post.Facts(id: post(number + index, network), authorID: author(network))
      facts.conversationID = conversation.id
      facts.createdAt = Timestamp(seconds: 1_700_000_000 + Int64(number + index))
      if index > 0 { facts.inReplyTo = post(number + index - 1, network) }
      change(&facts, index)
      conversation.posts.append(Post(facts))
    }
    return conversation
  }

  private func fill(_ site: TemporarySite, _ network: Network, _ nameSource: NameSource) throws {
    let texts = network.named.map { "before \($0) after" } + network.kept.map { "kept: \($0) after" }
    try site.save(
      conversation(
        1000, network, { facts, index in facts.text = InlineText(texts[index]) }, count: texts.count))
    // Every other field, and entities.
    let links = network.links
    try site.save(
      conversation(
        3000, network,
        { facts, index in
          let name = network.named[0]
          facts.text = InlineText(
            "a link here", entities: [TextEntity(2..<6, .link(url: links[index % links.count], short: nil))])
          facts.title = "About \(name)"
          facts.contentWarning = "Of \(name)"
          facts.poll = Poll(options: [PollOption("For \(name)"), PollOption("No")])
          facts.card = LinkCard(url: links[index % links.count], title: name, summary: name)
          facts.extra = ["screen_name": .string(network.handle), "deep": ["a": [.string(name)]]]
        }, count: links.count))
    // The heading, and therefore the URL, of a page that was published earlier.
    try site.save(
      conversation(
        5000, network, { facts, _ in facts.text = InlineText("Praise for \(network.named[0]) today") },
        count: 1))
    switch nameSource {
    case .author:
      var other = conversation(
        6000, network, { facts, _ in facts.text = InlineText("Other words") }, count: 1)
      other.authors.append(Author(id: network.id, handle: network.handle, name: "Z"))
      try site.save(other)
    case .tombstone:
      var other = conversation(
        6000, network, { facts, _ in facts.text = InlineText("Other words") }, count: 1)
      var stone = Tombstone(id: post(6001, network), reason: .deleted)
      (stone.authorID, stone.handle) = (network.id, network.handle)
      other.tombstones = [stone]
      try site.save(other)
    case .mention:
      let text = "@\(network.handle) said"
      let url =
        network.platform == .bluesky ? "https://bsky.app/profile/\(network.id.value)" : network.links[0]
      try site.save(
        conversation(
          6000, network,
          { facts, _ in
            facts.text = InlineText(
              text,
              entities: [
                TextEntity(
                  0..<network.handle.count + 1,
                  .mention(
                    handle: network.handle, url: url, id: network.platform == .x ? network.id.value : nil))
              ])
          }, count: 1))
    }
  }

  private func expectNoTrace(_ network: Network, in folder: String, of site: TemporarySite) throws {
    for (path, data) in try site.folder.tree(folder) {
      let text = (path + "\n" + String(decoding: data, as: UTF8.self)).lowercased()
      for trace in network.traces + network.traces.map({ $0.replacing(".", with: "-") }) {
        guard let range = text.firstRange(of: trace) else { continue }
        // The host of another account begins with the handle.
        if text[range.lowerBound...].hasPrefix("zq.handle.example.org")
          || text[range.lowerBound...].hasPrefix("zebediahqs")
        {
          continue
        }
        let start = text.index(range.lowerBound, offsetBy: -80, limitedBy: text.startIndex) ?? text.startIndex
        Issue.record("\(folder)/\(path): \(text[start..<range.upperBound])")
        break
      }
    }
  }

  @Test("An ID is enough to clear every form of a name", arguments: networks)
  func clearsEveryFormOfName(_ network: Network) throws {
    // On Bluesky, the name in a facet is only a claim, so it is not searched for in other places.
    let sources = NameSource.allCases.filter { network.platform != .bluesky || $0 != .mention }
    for source in TestDepth.sample(sources, fast: 1) { try clearsEveryForm(network, source) }
  }

  private func clearsEveryForm(_ network: Network, _ nameSource: NameSource) throws {
    let site = try TemporarySite()
    try fill(site, network, nameSource)
    try site.folder.write("title: A\nbase_url: https://a.example/\n", to: "site.yml")
    try site.build()
    #expect(try site.folder.tree("site").keys.contains { $0.contains("praise-for") })
    try site.folder.write(
      "title: A\nbase_url: https://a.example/\nstatus_pages: true\nbooks: [threads, site]\nleave_out: [\(network.entry)]\n",
      to: "site.yml")
    try site.build()
    for folder in ["site", "threads", ".threadsite/build"] {
      try expectNoTrace(network, in: folder, of: site)
    }
    let store = ThreadStore(folder: site.path + "/threads")
    let texts = try store.list().flatMap { try store.read($0).posts.map(\.text.text) }
    for kept in network.kept { #expect(texts.contains { $0.contains(kept) }, "\(kept)") }
    #expect(texts.count { $0.hasPrefix("before ") && $0.hasSuffix(" after") } == network.named.count)
  }

  @Test("A Bluesky facet clears the mention and the handle behind an @")
  func clearsHandlesOfFacets() throws {
    let network = Self.networks[2]
    let site = try TemporarySite()
    let text = "@zq.handle.example and @zq.handle.example"
    try site.save(
      conversation(
        1000, network,
        { facts, _ in
          facts.text = InlineText(
            text,
            entities: [
              TextEntity(
                0..<18,
                .mention(handle: "zq.handle.example", url: "https://bsky.app/profile/\(network.id.value)"))
            ])
        }, count: 1))
    try site.folder.write("title: A\nleave_out: [\(network.entry)]\n", to: "site.yml")
    try site.build()
    for folder in ["site", "threads", ".threadsite/build"] {
      try expectNoTrace(network, in: folder, of: site)
    }
  }

  @Test("A mention with an ID in an X response reveals the name")
  func learnsNamesFromAnswers() throws {
    let site = try TemporarySite()
    try site.folder.write("title: A\nleave_out: [777000111]\n", to: "site.yml")
    func post(_ id: Int, _ text: String, _ more: String = "") -> String {
      "{\"id\":\"\(id)\",\"text\":\"\(text)\",\"author_id\":\"11\",\"conversation_id\":\"1\",\"created_at\":\"2020-03-04T05:06:07.000Z\"\(more)}"
    }
    let reply = ",\"referenced_tweets\":[{\"type\":\"replied_to\",\"id\":\"1\"}]"
    let mention =
      ",\"entities\":{\"mentions\":[{\"start\":3,\"end\":13,\"username\":\"ZebediahQ\",\"id\":\"777000111\"}]}"
    try site.folder.write(
      "{\"data\":[\(post(1, "Hello, x.com/zebediahq")),\(post(2, "to @ZebediahQ", mention + reply))],"
        + "\"includes\":{\"users\":[{\"id\":\"11\",\"name\":\"Ada\",\"username\":\"ada\"}]}}",
      to: "saved.json")
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    #expect(try program.run(["import", "saved.json"]).code == 0)
    try expectNoTrace(Self.networks[0], in: "threads", of: site)
    #expect(try site.folder.text("threads/x/ada/1.json").contains("Hello"))
    // The name is known for later texts from any source.
    try site.folder.write(
      "{\"data\":[{\"id\":\"9\",\"text\":\"@zebediahq again\",\"author_id\":\"11\",\"conversation_id\":\"9\",\"created_at\":\"2020-03-04T05:06:07.000Z\"}],"
        + "\"includes\":{\"users\":[{\"id\":\"11\",\"name\":\"Ada\",\"username\":\"ada\"}]}}",
      to: "more.json")
    #expect(try program.run(["import", "more.json"]).code == 0)
    try expectNoTrace(Self.networks[0], in: "threads", of: site)
    #expect(try site.folder.text("threads/x/ada/9.json").contains("again"))
  }
}
