import Basics
import Foundation
import InterfaceText
import MarkdownHTML
import SiteConfig
import Templates
import TestSupport
import ThreadMarkdown
import ThreadModel
import Unroll

/// Claims about conversations of every shape: unrolling, merging, Markdown and HTML.
enum ConversationClaims {
  static func all() throws -> [Claim] {
    let components = try components()
    let ofShapes = Shape.allCases.flatMap { shape in
      [
        unrolling(shape), unrollingWithReplies(shape), merging(shape), markdown(shape, components),
      ]
    }
    // Observations of one post give the document of one post, whatever their number.
    let documents = Shape.allCases.filter { $0 != .observations }.map { html($0, components) }
    return ofShapes + documents + [unrollingWithHiddenPosts]
  }

  private static func unrolling(_ shape: Shape) -> Claim {
    Claim("unrolling: \(shape.rawValue)", prepare: shape.conversation) { conversation in
      _ = UnrolledThread(unrolling: conversation)
    }
  }

  private static func unrollingWithReplies(_ shape: Shape) -> Claim {
    Claim("unrolling with replies: \(shape.rawValue)", prepare: shape.conversation) { conversation in
      _ = UnrolledThread(unrolling: conversation, withReplies: true)
    }
  }

  /// Half of the posts are hidden, each answering the previous one; the others answer the last hidden one.
  private static let unrollingWithHiddenPosts = Claim(
    "unrolling: a chain whose first half is hidden, and all others answer that",
    prepare: { count in
      var conversation = Shape.chain.conversation(count)
      for index in count / 2..<count { conversation.posts[index].inReplyTo = .post(max(1, count / 2)) }
      return (conversation, Set(conversation.posts[..<(count / 2)].map(\.id)))
    }
  ) { conversation, hidden in
    _ = UnrolledThread(unrolling: conversation, hidden: hidden)
  }

  private static func merging(_ shape: Shape) -> Claim {
    Claim("merging: \(shape.rawValue)", prepare: shape.conversation) { conversation in
      _ = Conversation(id: conversation.id, authorID: conversation.authorID).merged(with: conversation)
        .merged(with: conversation)
    }
  }

  private static func markdown(_ shape: Shape, _ components: ThreadComponents) -> Claim {
    Claim(
      "Markdown: \(shape.rawValue)",
      // The cost of nested branches has a step below 400 posts, and does not grow faster than they do above it.
      first: shape == .comb ? 400 : 100,
      prepare: { UnrolledThread(unrolling: shape.conversation($0), withReplies: true) }
    ) { thread in
      _ = try document(of: thread, components)
    }
  }

  private static func html(_ shape: Shape, _ components: ThreadComponents) -> Claim {
    Claim(
      "HTML: \(shape.rawValue)",
      // A document that is longer is rejected.
      deepest: 12_000,
      prepare: { count in
        let thread = UnrolledThread(unrolling: shape.conversation(count), withReplies: true)
        return try components.render(
          thread, meta: ThreadMeta(title: "Title"), options: MarkdownOptions(localization: .english))
      }
    ) { document in
      _ = try MarkdownHTML.render(document.body)
    }
  }

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

  /// A thread's Markdown with everything that a page shows beside the posts.
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
