extension SiteConfig {
  /// Threads that belong together, in the order in which they should be read.
  package struct Collection: Sendable, Equatable {
    /// Never empty in a decoded file.
    package var title: String
    /// The last part of its page's address, which therefore does not follow the title. Never empty in a decoded file.
    package var slug: String
    /// Markdown.
    package var introduction: String?
    /// Each by any of its posts. Never empty in a decoded file, no post twice.
    package var threads: [PostReference]

    package init(title: String, slug: String, introduction: String? = nil, threads: [PostReference] = []) {
      self.title = title
      self.slug = slug
      self.introduction = introduction
      self.threads = threads
    }
  }
}

extension SiteConfig.Collection: ConfigSection {
  static let defaults = SiteConfig.Collection(title: "", slug: "")

  static let fields: [ConfigField<SiteConfig.Collection>] = [
    ConfigField("title", \.title, .line, isRequired: true),
    ConfigField("slug", \.slug, .slug, isRequired: true),
    ConfigField("introduction", \.introduction, .markdown),
    ConfigField("threads", \.threads, .collectedPosts, isRequired: true),
  ]
}

extension ValueReader where Value == [SiteConfig.Collection] {
  /// The list of collections; no two have one slug, which would be one page.
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
  /// The threads of a collection, whose places are remembered for the stage that looks for them.
  fileprivate static var collectedPosts: ValueReader {
    let element = ValueReader<PostReference> { value, problems in
      problems.remember(value)
      return ValueReader<PostReference>.post.read(value, &problems)
    }
    let list = ValueReader.list(of: element)
    return ValueReader { value, problems in
      guard let posts = list.read(value, &problems) else { return nil }
      guard case .list(let nodes) = value.node.content else { return posts }
      if nodes.isEmpty { problems.error("expected at least one thread", at: value) }
      var seen: Set<String> = []
      for (index, node) in nodes.enumerated() {
        // An address that is none was reported when it was read.
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
  /// Text of any number of lines, kept as written.
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
  /// The text under a key of a mapping; `nil` where there is none.
  fileprivate func text(of key: String) -> String? {
    guard case .mapping(let entries) = content, let entry = entries.first(where: { $0.key == key }),
      !entry.value.isNull, case .scalar(let text, _) = entry.value.content
    else { return nil }
    return text
  }
}
