extension SiteConfig {
  /// A collection of threads in reading order.
  package struct Collection: Sendable, Equatable {
    /// Never empty in a decoded file.
    package var title: String
    /// The last part of the URL of the collection's page, which does not change with the title. Never empty in a decoded file.
    package var slug: String
    /// The introduction as Markdown.
    package var introduction: String?
    /// Each thread by any of its posts. In a decoded file the list is not empty and contains no post twice.
    package var threads: [PostReference] = []
  }
}

extension SiteConfig.Collection: ConfigSection {
  package static let defaults = SiteConfig.Collection(title: "", slug: "")

  package static let fields: [ConfigField<SiteConfig.Collection>] = [
    ConfigField("title", \.title, .line, isRequired: true),
    ConfigField("slug", \.slug, .slug, isRequired: true),
    ConfigField("introduction", \.introduction, .remembered(.markdown)),
    ConfigField("threads", \.threads, .collectedPosts, isRequired: true),
  ]
}

extension ValueReader where Value == [SiteConfig.Collection] {
  /// A list of collections with distinct slugs. Collections with the same slug would have the same page.
  static var collections: ValueReader {
    let list = ValueReader.list(of: ValueReader<SiteConfig.Collection>.section)
    return ValueReader(nestedKeys: list.nestedKeys) { value, problems in
      guard let collections = list.read(value, &problems) else { return nil }
      var seen: Set<String> = []
      guard case .list(let nodes) = value.node.content else { return collections }
      for (index, node) in nodes.enumerated() {
        guard let slug = node.text(of: "slug"), !seen.insert(slug).inserted else { continue }
        problems.error(
          "the slug \(quoted(slug)) belongs to an earlier collection; give this one another",
          at: value.element(node, at: index))
      }
      return collections
    }
  }
}

extension ValueReader where Value == [PostReference] {
  /// The threads of a collection. Their positions are remembered for the stage that looks them up.
  fileprivate static var collectedPosts: ValueReader {
    let list = ValueReader.list(of: .remembered(.post))
    return ValueReader { value, problems in
      guard let posts = list.read(value, &problems) else { return nil }
      guard case .list(let nodes) = value.node.content else { return posts }
      if nodes.isEmpty { problems.error("expected at least one thread", at: value) }
      var seen: Set<String> = []
      for (index, node) in nodes.enumerated() {
        // An invalid URL was reported when it was read.
        guard case .scalar(let text, _) = node.content, let post = try? problems.addresses.post(text),
          !seen.insert(post.identity).inserted
        else { continue }
        problems.error(
          "this post stands in the collection before; keep one of them", at: value.element(node, at: index))
      }
      return posts
    }
  }
}

extension ValueReader where Value == String {
  /// Text of any number of lines, unchanged, of at most 20,000 characters.
  static var markdown: ValueReader {
    .text("text") { text throws(InvalidValue) in
      let isBlank = text.allSatisfy { $0 == " " || $0.isNewline || $0 == "\t" }
      guard !isBlank else { throw InvalidValue("expected text, found nothing but blanks") }
      guard text.unicodeScalars.count <= 20_000 else {
        throw InvalidValue("expected at most 20000 characters, found \(text.unicodeScalars.count)")
      }
      return text
    }
  }
}

extension ConfigNode {
  /// Returns the text under a key of a mapping; `nil` if the key is missing or its value is not text.
  fileprivate func text(of key: String) -> String? {
    guard case .mapping(let entries) = content, let entry = entries.first(where: { $0.key == key }),
      !entry.value.isNull, case .scalar(let text, _) = entry.value.content
    else { return nil }
    return text
  }
}
