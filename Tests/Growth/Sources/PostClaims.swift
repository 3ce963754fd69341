import Basics
import MarkdownHTML
import SiteConfig
import SiteWorkspace
import TestSupport
import ThreadMarkdown
import ThreadModel
import ThreadStore
import Unroll

/// Claims about a single post that is long or has many parts, and about long lists in `site.yml`.
enum PostClaims {
  static func all() throws -> [Claim] {
    let components = try ConversationClaims.components()
    let texts = patterns.map { pattern in
      page("a post of \(String(reflecting: pattern)) again and again", components) { facts, count in
        facts.text = InlineText(String(repeating: pattern, count: count * 10))
      }
    }
    return texts + Entities.allCases.map { entities($0, components) } + [
      pictures(components), poll(components),
    ]
      + ["text", "pictures", "choices"].map { quotedAgainAndAgain($0, components) }
      + [unknownFacts, listsOnOneLine, mistakesOnOneLine]
  }

  /// Texts that are expensive for some parsers if they are repeated.
  private static let patterns = [
    "a ", "a", " ", "\n", "\n\n", "[", "![](", "[a](b) ", "*a_ ", "`", "```\n", "<!-- post 1 -->\n", "<a ",
    "&amp;",
    "\\", "1. ", "> ", "- ", "\t- a\n", "e.g. ", "1/2 ", "#a ", "https://x.com/status/ ", "a\u{301}",
    "\u{301}", "あ。",
    "👩‍👩‍👧", "\u{202E}\u{5D0}", "…", "🧵👇 ",
  ]

  private enum Entities: String, CaseIterable {
    case hashtags, mentions, links, emoji
  }

  private static func entities(_ entities: Entities, _ components: ThreadComponents) -> Claim {
    // Titles and excerpts read only the first 2,000 characters.
    page("a post of \(entities.rawValue)", components, first: 300) { facts, count in
      let words = (0..<count).map { "w\(100_000 + $0)" }
      let kinds = words.map { word -> TextEntity.Kind in
        switch entities {
        case .hashtags: .hashtag(tag: word, url: nil)
        case .mentions: .mention(handle: word, url: "https://x.com/\(word)")
        case .links: .link(url: "https://\(word).example/", short: nil)
        case .emoji: .emoji(shortcode: word, url: "https://\(word).example/a.png")
        }
      }
      facts.text = InlineText(
        words.joined(separator: " "),
        entities: kinds.enumerated().map { TextEntity($0.offset * 8..<$0.offset * 8 + 7, $0.element) })
    }
  }

  private static func pictures(_ components: ThreadComponents) -> Claim {
    page("a post of pictures", components) { facts, count in
      facts.media = (0..<count).map {
        Media(id: "\($0)", kind: .photo, url: "https://pbs.twimg.com/media/\($0).jpg")
      }
    }
  }

  private static func poll(_ components: ThreadComponents) -> Claim {
    page("a post of a poll's options", components) { facts, count in
      facts.poll = Poll(options: (0..<count).map { PollOption("Choice \($0)", votes: $0) })
    }
  }

  /// A large post that as many posts of the thread quote.
  private static func quotedAgainAndAgain(_ kind: String, _ components: ThreadComponents) -> Claim {
    Claim(
      "a page: posts that all quote one of as many \(kind)",
      // A longer document is rejected, whatever it quotes.
      deepest: 12_000,
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
    ) { thread in _ = try ConversationClaims.document(of: thread, components) }
  }

  /// Fields that the reader does not know, which are kept and merged.
  private static let unknownFacts = Claim(
    "storing a post of facts that are not known",
    prepare: { count in
      var conversation = Shape.chain.conversation(1)
      for number in 0..<count { conversation.posts[0].extra["key\(number)"] = .string("value") }
      return (try Site(), conversation)
    }
  ) { site, conversation in
    try site.save([conversation])
    try site.save([conversation])
  }

  /// Each entry is kept with its position in the line.
  private static let listsOnOneLine = Claim(
    "site.yml: threads, collections and sources, all on one line",
    // A larger file is rejected.
    deepest: 10_000,
    prepare: { count in
      let posts = (0..<count).map { "'https://x.com/ada/status/\($0 + 1)'" }.joined(separator: ", ")
      return
        "{threads: [\(posts)], collections: [{title: All, slug: all, threads: [\(posts)]}], sources: [\(posts)]}"
    }
  ) { yaml in
    _ = try SiteConfig.decode(yaml: yaml, file: "site.yml", addresses: NetworkRegistry.all.addresses)
  }

  /// Each mistake has its position in the line.
  private static let mistakesOnOneLine = Claim(
    "site.yml: mistakes, all on one line",
    // Further mistakes are counted and not printed.
    deepest: 10_000,
    prepare: { count in "{" + (0..<count).map { "key\($0): value" }.joined(separator: ", ") + "}" }
  ) { yaml in
    do throws(SiteConfigError) {
      _ = try SiteConfig.decode(yaml: yaml, file: "site.yml", addresses: NetworkRegistry.all.addresses)
    } catch { return }
    throw ClaimError("the mistakes were accepted")
  }

  /// From the post to the body of its page.
  private static func page(
    _ name: String, _ components: ThreadComponents, first: Int = 100,
    _ change: @escaping @Sendable (inout Post.Facts, Int) -> Void
  ) -> Claim {
    Claim(
      "a page: \(name)", first: first,
      prepare: { count in
        var conversation = Shape.chain.conversation(2)
        var facts = conversation.posts[0].facts
        change(&facts, count)
        conversation.posts[0] = Post(facts)
        return conversation
      }
    ) { conversation in
      let thread = UnrolledThread(unrolling: conversation)
      let document = try ConversationClaims.document(of: thread, components)
      _ = try MarkdownHTML.render(document.body)
    }
  }
}
