extension ThreadSource {
  /// A thread, by the address of any of its posts, and what its page says of it.
  package struct Post: Sendable, Equatable {
    package var url: PostReference
    /// Instead of the thread's first sentence.
    package var title: String?
    /// Besides its hashtags.
    package var tags: [String] = []
    /// The readable part of the page's URL.
    package var slug: String?
    /// Posts that are left out of the page.
    package var hide: [PostReference] = []
    /// Drafts are built only when asked for.
    package var isDraft = false
    /// Whether the answers of others are shown.
    package var replies = false

    package init(url: PostReference) {
      self.url = url
    }
  }
}

/// The keys of an entry with `url`.
struct PostFields: ConfigSection {
  var url: PostReference?
  var title: String?
  var tags: [String] = []
  var slug: String?
  /// Read when `url` is known: an id alone is of the same platform.
  var hide: [ConfigValue] = []
  var draft = false
  var replies = false

  static let defaults = PostFields()

  static let fields: [ConfigField<PostFields>] = [
    ConfigField("url", \.url, .post, isRequired: true),
    ConfigField("title", \.title, .line),
    ConfigField("tags", \.tags, .tags),
    ConfigField("slug", \.slug, .slug),
    ConfigField("hide", \.hide, .list(of: ValueReader { value, _ in value })),
    ConfigField("draft", \.draft, .flag),
    ConfigField("replies", \.replies, .flag),
  ]

  func source(_ value: ConfigValue, problems: inout ProblemList) -> ThreadSource? {
    guard let url else { return nil }
    var post = ThreadSource.Post(url: url)
    post.title = title
    post.tags = tags
    post.slug = slug
    post.isDraft = draft
    post.replies = replies
    let reader = ValueReader<PostReference>.text("the URL or the id of a post") { text throws(InvalidValue) in
      let hidden = try PostReference(text, besides: url)
      guard hidden.platform == url.platform else {
        throw InvalidValue(
          "\(quoted(text)) is on another network than the thread, and cannot be a part of it")
      }
      return hidden
    }
    post.hide = hide.compactMap { reader.read($0, &problems) }
    return .post(post)
  }
}

extension ValueReader where Value == [String] {
  /// Tags, each once; `#` is not a part of their names.
  static var tags: ValueReader {
    let list = ValueReader.list(
      of: .text("a tag") { text throws(InvalidValue) in
        let tag = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        guard !tag.isEmpty, tag.unicodeScalars.count <= 100,
          !tag.unicodeScalars.contains(where: SourceText.isControl), !tag.contains("\t")
        else { throw InvalidValue("expected a tag of 1 to 100 characters, without control characters") }
        guard !tag.hasPrefix("#") else {
          throw InvalidValue("write the tag \(quoted(tag)) without the \"#\"")
        }
        return tag
      })
    return ValueReader { value, problems in
      guard let tags = list.read(value, &problems) else { return nil }
      var unique: [String] = []
      for tag in tags {
        if unique.contains(where: { $0.lowercased() == tag.lowercased() }) {
          problems.warning("the tag \(quoted(tag)) is listed twice", at: value)
        } else {
          unique.append(tag)
        }
      }
      return unique
    }
  }
}
