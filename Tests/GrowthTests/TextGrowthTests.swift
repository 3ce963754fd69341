import Basics
import MarkdownHTML
import SiteConfig
import SitePipeline
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel
import ThreadStore
import Unroll

extension GrowthTests {
  /// One post that is long, or holds much.
  @Suite("Single posts") struct SinglePosts {
    /// What some parser takes its time for when it comes again and again.
    static let patterns = [
      "a ", "a", " ", "\n", "\n\n", "[", "![](", "[a](b) ", "*a_ ", "`", "```\n", "<!-- post 1 -->\n", "<a ",
      "&amp;",
      "\\", "1. ", "> ", "- ", "\t- a\n", "e.g. ", "1/2 ", "#a ", "https://x.com/status/ ", "a\u{301}",
      "\u{301}", "あ。",
      "👩‍👩‍👧", "\u{202E}\u{5D0}", "…", "🧵👇 ",
    ]

    @Test(arguments: patterns) func text(_ pattern: String) throws {
      try expectLinearPage("a post of \(String(reflecting: pattern)) again and again") { count in
        InlineText(String(repeating: pattern, count: count * 10))
      }
    }

    enum Entities: String, CaseIterable {
      case hashtags, mentions, links, emoji
    }

    @Test(arguments: Entities.allCases) func entities(_ entities: Entities) throws {
      try expectLinearPage("a post of \(entities.rawValue)") { count in
        let words = (0..<count).map { "w\(100_000 + $0)" }
        let kinds = words.map { word -> TextEntity.Kind in
          switch entities {
          case .hashtags: .hashtag(tag: word, url: nil)
          case .mentions: .mention(handle: word, url: "https://x.com/\(word)")
          case .links: .link(url: "https://\(word).example/", short: nil)
          case .emoji: .emoji(shortcode: word, url: "https://\(word).example/a.png")
          }
        }
        return InlineText(
          words.joined(separator: " "),
          entities: kinds.enumerated().map { TextEntity($0.offset * 8..<$0.offset * 8 + 7, $0.element) })
      }
    }

    @Test func media() throws {
      try expectLinearPage("a post of pictures") { facts, count in
        facts.media = (0..<count).map {
          Media(id: "\($0)", kind: .photo, url: "https://pbs.twimg.com/media/\($0).jpg")
        }
      }
    }

    @Test func polls() throws {
      try expectLinearPage("a post of a poll's options") { facts, count in
        facts.poll = Poll(options: (0..<count).map { PollOption("Choice \($0)", votes: $0) })
      }
    }

    /// A post of so many words, which as many posts of the thread quote.
    @Test(arguments: ["text", "pictures", "choices"]) func quotedAgainAndAgain(_ kind: String) throws {
      let components = try GrowthTests.components()
      expectLinear(
        "a page: posts that all quote one of as many \(kind)",
        try Growth.measure(
          // More is longer than a document may be, whatever is quoted.
          atMost: 12_000,
          prepare: { count in
            var conversation = Shape.chain.conversation(count)
            var facts = Post.Facts(id: .post(count + 1), authorID: .author(1))
            switch kind {
            case "text": facts.text = InlineText(String(repeating: "Long words. ", count: count * 20))
            case "pictures":
              facts.media = (0..<count * 2).map {
                Media(id: "\($0)", kind: .photo, url: "https://pbs.twimg.com/media/\($0).jpg")
              }
            default: facts.poll = Poll(options: (0..<count * 4).map { PollOption("Choice \($0)", votes: $0) })
            }
            conversation.related = [Post(facts)]
            for index in conversation.posts.indices { conversation.posts[index].quotes = facts.id }
            return UnrolledThread(unrolling: conversation)
          }
        ) { thread in _ = try GrowthTests.document(of: thread, components) })
    }

    /// What the network says and nobody has a word for, kept and merged.
    @Test func unknownFacts() throws {
      expectLinear(
        "storing a post of facts that are not known",
        try Growth.measure(prepare: { count in
          var conversation = Shape.chain.conversation(1)
          for number in 0..<count { conversation.posts[0].extra["key\(number)"] = .string("value") }
          return (try Site(), conversation)
        }) { site, conversation in
          try site.save([conversation])
          try site.save([conversation])
        })
    }

    /// Each is remembered with its place, and the place with its line.
    @Test func listsOnOneLine() throws {
      let addresses = NetworkRegistry.all.addresses
      expectLinear(
        "site.yml: threads, collections and sources, all on one line",
        try Growth.measure(prepare: { count in
          let posts = (0..<count).map { "'https://x.com/ada/status/\($0 + 1)'" }.joined(separator: ", ")
          return
            "{threads: [\(posts)], collections: [{title: All, slug: all, threads: [\(posts)]}], sources: [\(posts)]}"
        }) { yaml in
          _ = try SiteConfig.decode(yaml: yaml, file: "site.yml", addresses: addresses)
        })
    }

    /// Each has its place in the line.
    @Test func mistakesOnOneLine() throws {
      let addresses = NetworkRegistry.all.addresses
      expectLinear(
        "site.yml: mistakes, all on one line",
        try Growth.measure(
          // More are counted and not shown.
          atMost: 10_000,
          prepare: { count in "{" + (0..<count).map { "key\($0): value" }.joined(separator: ", ") + "}" }
        ) { yaml in
          #expect(throws: SiteConfigError.self) {
            try SiteConfig.decode(yaml: yaml, file: "site.yml", addresses: addresses)
          }
        })
    }

    private func expectLinearPage(
      _ claim: String, _ text: @escaping @Sendable (Int) -> InlineText
    ) throws { try expectLinearPage(claim) { facts, count in facts.text = text(count) } }

    /// From the post to the body of its page.
    private func expectLinearPage(
      _ claim: String, _ change: @escaping @Sendable (inout Post.Facts, Int) -> Void
    ) throws {
      let components = try GrowthTests.components()
      expectLinear(
        "a page: \(claim)",
        // What is longer is refused, as no network has such posts.
        try Growth.measure(
          atMost: 25_000,
          prepare: { count in
            var conversation = Shape.chain.conversation(2)
            var facts = conversation.posts[0].facts
            change(&facts, count)
            conversation.posts[0] = Post(facts)
            return conversation
          }
        ) { conversation in
          let thread = UnrolledThread(unrolling: conversation)
          let document = try GrowthTests.document(of: thread, components)
          var html = UTF8Buffer()
          try MarkdownHTML.render(document.body, into: &html)
        })
    }
  }
}
