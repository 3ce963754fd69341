import Basics
import Foundation
import InterfaceText
import MarkdownHTML
import Templates
import TestSupport
import ThreadMarkdown
import ThreadModel
import ThreadStore
import Unroll

extension FuzzTarget {
  private static let words = [
    "\"format\":1", "\"platform\":\"x\"", "\"platform\":\"mastodon\"", "\"posts\":[", "\"related\":[",
    "\"authors\":[", "\"tombstones\":[", "\"author\":\"", "\"in_reply_to\":\"", "\"quotes\":\"",
    "\"text\":\"",
    "\"entities\":[", "\"start\":0", "\"end\":1", "\"media\":[", "\"poll\":{", "\"card\":{",
    "\"observed_at\":\"",
    "\"2026-01-02T03:04:05Z\"", "\"url\":\"https://a.example/\"", "javascript:", "\\u0000", "\\u202e", "-->",
    "<script>", "{{x}}",
  ]

  /// Stored conversations read back unchanged after writing, and their pages are valid.
  static let conversation = FuzzTarget(
    "conversation", dictionary: words, maximumLength: 32 << 10,
    seeds: [
      Seeds("threads/x", ".json"), Seeds("threads/bluesky", ".json"), Seeds("threads/mastodon", ".json"),
    ],
    openers: bytes("[", "{\"a\":"), testRuns: 100
  ) { bytes in
    let conversation: Conversation
    do throws(ThreadStoreError) {
      conversation = try ConversationCoding.decode(bytes, file: "thread.json")
    } catch {
      if case .damaged(_, let error) = error { try JSONPlace.check(error, in: bytes) }
      return
    }
    try StoredForm.check(conversation)
    try PageForm.check(conversation)
  }

  /// Stored profiles with the same properties.
  static let profile = FuzzTarget(
    "profile", dictionary: words + ["\"followers\":[", "\"author\":{\"id\":\"1\"}"],
    seeds: [Seeds("threads/profiles", ".json")], openers: bytes("[", "{\"a\":"), testRuns: 300
  ) { bytes in
    let profile: Profile
    do throws(ThreadStoreError) {
      profile = try ConversationCoding.decodeProfile(bytes, file: "profile.json")
    } catch {
      if case .damaged(_, let error) = error { try JSONPlace.check(error, in: bytes) }
      return
    }
    let written = ConversationCoding.encode(profile).bytes
    let again = try ConversationCoding.decodeProfile(written, file: "profile.json")
    try require(again == profile, "read again, the profile is another")
  }
}

/// A conversation in the format of the store.
enum StoredForm {
  /// Checks that a conversation reads back unchanged and gives the same bytes again.
  static func check(_ conversation: Conversation) throws {
    let written = ConversationCoding.encode(conversation).bytes
    let again: Conversation
    do throws(ThreadStoreError) {
      again = try ConversationCoding.decode(written, file: "written.json")
    } catch {
      throw PropertyFailure(
        "the written file is rejected: \(error)\n\(String(decoding: written, as: UTF8.self))")
    }
    let rewritten = ConversationCoding.encode(again).bytes
    try require(
      rewritten == written, "written twice, the file changes:\n\(String(decoding: written, as: UTF8.self))")
    // Merging may clean up a file, such as one with a repeated post. Once clean, it does not change.
    let merged = again.merged(with: again)
    try require(
      merged.merged(with: merged) == merged,
      "merging the conversation with itself changes it each time:\n\(String(decoding: written, as: UTF8.self))"
    )
  }
}

/// A conversation as a page: Markdown and HTML.
enum PageForm {
  private static let components: Result<ThreadComponents, any Error> = Result {
    let sources = try ThreadComponents.templateNames.map { name in
      let file = ProjectFolders.repository.appending(path: "templates/\(name).mustache")
      return TemplateSource(
        name: name, file: file.path, text: String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }
    let words = TemplateWords(Localization.english.words)
    return try ThreadComponents(templates: TemplateSet(kind: .markdown, sources, words: words))
  }

  private static let frontMatterKeys: Set<String> = [
    "title", "author", "date", "updated", "tags", "source", "posts", "language", "platform", "id", "slug",
    "expected_posts", "complete", "missing", "checked",
  ]

  /// Checks that the front matter is a mapping of known keys, and that the HTML is strictly well-formed with
  /// only allowed elements.
  static func check(_ conversation: Conversation) throws {
    let thread = UnrolledThread(unrolling: conversation, withReplies: true)
    let made = ThreadTitle(of: thread, in: .english, by: .utc)
    let title = made.text
    try checkLine(title, "title")
    let excerpt = ThreadExcerpt.make(from: thread, after: made)
    try checkLine(excerpt, "excerpt")
    let document = try components.get().render(
      thread,
      meta: ThreadMeta(
        title: title, tags: ThreadTags.make(from: thread),
        source: thread.items.isEmpty ? nil : "https://a.example/"),
      options: MarkdownOptions(media: .link, localization: .english))
    try checkFrontMatter(document)
    try checkHTML(document)
    for host in document.externalMediaHosts {
      try require(
        host.wholeMatch(of: #/[a-z0-9.\-]+(:[0-9]{1,5})?/#) != nil,
        "unexpected host in the policy: \(host)")
    }
  }

  private static func checkLine(_ text: String, _ what: String) throws(PropertyFailure) {
    try require(
      !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" || $0.value == 0xFFFE },
      "the \(what) contains a control character: \(text.debugDescription)")
  }

  private static func checkFrontMatter(_ document: ThreadDocument) throws {
    let text = String(decoding: document.markdown.bytes[..<document.bodyStart], as: UTF8.self)
    let parts = text.split(separator: "---\n", maxSplits: 2, omittingEmptySubsequences: false)
    try require(parts.count == 3 && parts[0].isEmpty, "no front matter: \(text.debugDescription)")
    guard let mapping = try TypedYAML.read(parts[1]) as? [String: Any] else {
      throw PropertyFailure("the front matter is not a mapping: \(text.debugDescription)")
    }
    let unknown = Set(mapping.keys).subtracting(frontMatterKeys)
    try require(unknown.isEmpty, "the front matter has \(unknown.sorted()): \(text.debugDescription)")
  }

  private static func checkHTML(_ document: ThreadDocument) throws {
    let html = try MarkdownHTML.render(document.body, options: HTMLOptions(media: document.media))
      .whole.string
    let violations = try BodyHTML.violations(in: html)
    try require(violations.isEmpty, "\(violations)\n\(html)")
  }
}
