import Basics
import Foundation
import InterfaceText
import MarkdownHTML
import Templates
import TestSupport
import ThreadMarkdown
import ThreadModel

/// The components with the project's own templates, and helpers for tests.
enum Components {
  static func sources() throws -> [TemplateSource] {
    try ThreadComponents.templateNames.map { name in
      let file = ProjectFolders.repository.appending(path: "templates/\(name).mustache")
      return TemplateSource(
        name: name, file: "templates/\(name).mustache", text: try String(contentsOf: file, encoding: .utf8))
    }
  }

  /// The project's templates, with `overrides` at a higher priority.
  static func make(_ overrides: [TemplateSource] = []) throws -> ThreadComponents {
    try ThreadComponents(templates: TemplateSet(kind: .markdown, try sources() + overrides, words: words))
  }

  static let words = TemplateWords(Localization.english.words)

  /// Compiled once for all tests.
  private static let own = Result { try make() }

  static let options = MarkdownOptions(localization: .english, links: SampleLinks())

  static func render(
    _ thread: UnrolledThread, meta: ThreadMeta? = nil, options: MarkdownOptions = options,
    components: ThreadComponents? = nil
  ) throws -> ThreadDocument {
    try (try components ?? own.get()).render(
      thread,
      meta: meta
        ?? ThreadMeta(
          title: ThreadTitle(of: thread, in: .english, by: .utc).text, tags: ThreadTags.make(from: thread)),
      options: options)
  }

  /// The body as on a page, read by the strict tokenizer.
  static func html(of document: ThreadDocument) throws -> String {
    try MarkdownHTML.render(document.body, options: HTMLOptions(media: document.media)).whole.string
  }

  static func tokens(of document: ThreadDocument) throws -> HTMLTokens {
    try HTMLTokens(html(of: document))
  }
}

/// The links of a thread's page two folders below the top of a site. A test states the pages of other posts.
final class SampleLinks: ThreadLinks {
  /// The pages of posts, by their IDs.
  private let posts: [String: String]
  /// The pages of posts that texts link to, by their URLs on the network.
  private let linked: [String: String]
  /// Whether the posts' URLs on the network are known.
  private let hasOriginals: Bool
  /// The time in the ids of missing posts.
  private let archivedAt: Timestamp?

  init(
    posts: [String: String] = [:], linked: [String: String] = [:], hasOriginals: Bool = true,
    archivedAt: Timestamp? = nil
  ) {
    self.archivedAt = archivedAt
    self.posts = posts
    self.linked = linked
    self.hasOriginals = hasOriginals
  }

  var authorPage: String? { nil }
  func media(_ file: String) -> String { "../../media/\(file)" }
  func original(of post: PostID, by handle: String?) -> String? {
    hasOriginals ? "https://x.com/\(handle ?? "i")/status/\(post.value)" : nil
  }
  func archived(_ post: PostID, by handle: String?) -> ArchivedPost? {
    original(of: post, by: handle).map { ArchivedPost(url: $0, time: archivedAt) }
  }
  func page(of post: Post) -> String? { posts[post.id.value] }
  func page(ofMissing post: Tombstone) -> String? { nil }
  func page(of author: Author) -> String? { nil }
  func embedded(_ url: String) -> Embedded? { nil }
  func page(linkedBy url: String) -> String? { linked[url] }
  func page(ofAccount url: String) -> String? { nil }
  func page(ofTag tag: String) -> String? { nil }
}
