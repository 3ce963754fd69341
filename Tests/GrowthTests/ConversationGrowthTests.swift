import Basics
import Foundation
import MarkdownHTML
import SiteConfig
import Templates
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel
import Unroll

/// All claims of linearity; one after another, as they would take the machine from each other.
@Suite("Cost grows with size, and no faster", .serialized) struct GrowthTests {}

/// Says what was measured, and whether the claim holds.
func expectLinear(_ claim: String, _ growth: Growth) {
  print(growth.row(claim))
  #expect(growth.isLinear, "\(growth.row(claim))")
}

extension GrowthTests {
  @Suite("Conversations") struct Conversations {
    @Test(arguments: Shape.allCases) func unrolling(_ shape: Shape) throws {
      expectLinear(
        "unrolling: \(shape.rawValue)",
        try Growth.measure(prepare: { shape.conversation($0) }) { conversation in
          _ = UnrolledThread(unrolling: conversation)
        })
    }

    @Test(arguments: Shape.allCases) func unrollingWithReplies(_ shape: Shape) throws {
      expectLinear(
        "unrolling with replies: \(shape.rawValue)",
        try Growth.measure(prepare: { shape.conversation($0) }) { conversation in
          _ = UnrolledThread(unrolling: conversation, withReplies: true)
        })
    }

    /// Half of the posts are hidden, one behind the other; the rest answers the last of them.
    @Test func unrollingWithHiddenPosts() throws {
      expectLinear(
        "unrolling: a chain whose first half is hidden, and all others answer that",
        try Growth.measure(prepare: { count in
          var conversation = Shape.chain.conversation(count)
          for index in count / 2..<count { conversation.posts[index].inReplyTo = .post(max(1, count / 2)) }
          return (conversation, Set(conversation.posts[..<(count / 2)].map(\.id)))
        }) { conversation, hidden in
          _ = UnrolledThread(unrolling: conversation, hidden: hidden)
        })
    }

    @Test(arguments: Shape.allCases) func merging(_ shape: Shape) throws {
      expectLinear(
        "merging: \(shape.rawValue)",
        try Growth.measure(prepare: { shape.conversation($0) }) { conversation in
          _ = Conversation(id: conversation.id, authorID: conversation.authorID).merged(with: conversation)
            .merged(with: conversation)
        })
    }

    @Test(arguments: Shape.allCases) func markdown(_ shape: Shape) throws {
      let components = try GrowthTests.components()
      expectLinear(
        "Markdown: \(shape.rawValue)",
        try Growth.measure(prepare: {
          UnrolledThread(unrolling: shape.conversation($0), withReplies: true)
        }) { thread in
          _ = try GrowthTests.document(of: thread, components)
        })
    }

    @Test(arguments: Shape.allCases) func html(_ shape: Shape) throws {
      let components = try GrowthTests.components()
      expectLinear(
        "HTML: \(shape.rawValue)",
        // More is longer than a document may be.
        try Growth.measure(
          atMost: 16_000,
          prepare: { count in
            let thread = UnrolledThread(unrolling: shape.conversation(count), withReplies: true)
            return try components.render(
              thread, meta: ThreadMeta(title: "Title"), options: MarkdownOptions(localization: .english))
          }
        ) { document in
          var html = UTF8Buffer()
          try MarkdownHTML.render(document.body, into: &html)
        })
    }
  }
}

extension GrowthTests {
  /// The project's own components.
  static func components() throws -> ThreadComponents {
    let sources = try ThreadComponents.templateNames.map { name in
      let file = "templates/\(name).mustache"
      return TemplateSource(
        name: name, file: file,
        text: try String(contentsOf: ProjectFolders.repository.appending(path: file), encoding: .utf8))
    }
    return try ThreadComponents(
      templates: TemplateSet(kind: .markdown, sources, words: TemplateWords(Localization.english.words)))
  }

  /// A thread's Markdown, with all that a page says of the thread beside it.
  static func document(
    of thread: UnrolledThread, _ components: ThreadComponents
  ) throws -> ThreadDocument {
    let title = ThreadTitle(of: thread, in: .english, by: .utc)
    var meta = ThreadMeta(title: title.text, tags: ThreadTags.make(from: thread))
    meta.titleSource = title.source
    _ = ThreadExcerpt.make(from: thread, after: title)
    _ = ThreadOutline.make(from: thread)
    _ = ReadingTime.minutes(of: thread)
    return try components.render(
      thread, meta: meta, options: MarkdownOptions(localization: .english, stripsCounters: true))
  }
}
