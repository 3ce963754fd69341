import Basics
package import ThreadModel

/// What outlives a thread's page: as much of it as indexes, feeds and the sitemap show.
package struct ThreadSummary: Sendable {
  package var id: PostID
  package var path: SitePath
  package var title: String
  package var excerpt: String
  package var author: AuthorSummary
  package var published: Timestamp?
  /// The latest of its posts.
  package var updated: Timestamp?
  package var tags: [ThreadTag]
  package var postCount: Int
  /// How long it takes to read, in whole minutes; 0 where nobody has counted.
  package var readingMinutes = 0
  /// Of the author's post that has most of them; `nil` where the network did not say.
  package var likes: Int?
  /// BCP 47; `nil` where it is the site's own or unknown.
  package var language: String?
  package var isWhole: Bool
  /// Whether search engines are asked to leave its page out.
  package var isHiddenFromSearch = false
  /// The first picture.
  package var image: PreviewImage?
  /// The same picture as lists show it: a smaller copy where there is one; `nil` where none may be shown.
  package var thumbnail: SummaryImage?

  package init(
    id: PostID, path: SitePath, title: String, excerpt: String, author: AuthorSummary, published: Timestamp?,
    updated: Timestamp?, tags: [String], postCount: Int, language: String?, isWhole: Bool,
    image: PreviewImage?
  ) {
    self.id = id
    self.path = path
    self.title = title
    self.excerpt = excerpt
    self.author = author
    self.published = published
    self.updated = updated
    self.tags = tags.enumerated().map { ThreadTag($1, isFurther: $0 >= ThreadTag.mostPages) }
    self.postCount = postCount
    self.language = language
    self.isWhole = isWhole
    self.image = image
  }

  /// Of all that lists of threads show of it. The likes stand on pages of which they are values, and change more often than all else.
  package var digest: UInt64 {
    var digest = ContentDigest()
    digest.add("\(id)")
    for text in [path.text, title, excerpt] { digest.add(text) }
    author.add(to: &digest)
    for date in [published, updated] { digest.add(Int(date?.milliseconds ?? .min)) }
    digest.add(tags.count)
    for tag in tags {
      digest.add(tag.name)
      digest.add(tag.isFurther ? 1 : 0)
    }
    digest.add(postCount)
    digest.add(readingMinutes)
    digest.add(language)
    digest.add(isWhole ? 1 : 0)
    digest.add(isHiddenFromSearch ? 1 : 0)
    (image?.source).add(to: &digest)
    thumbnail.add(to: &digest)
    return digest.value
  }

  /// All of them, sorted by `isNewer`.
  ///
  /// By small keys, since sorting moves what it sorts again and again, and a summary is some three hundred bytes with a dozen
  /// references to count.
  static func newestFirst(_ summaries: [ThreadSummary]) -> [ThreadSummary] {
    var keys = summaries.enumerated().map {
      (time: $0.element.published?.milliseconds ?? .min, position: $0.offset)
    }
    keys.sort { left, right in
      guard left.time == right.time else { return left.time > right.time }
      return isNewer(summaries[left.position], summaries[right.position])
    }
    return keys.map { summaries[$0.position] }
  }

  /// Newest first; undated ones last; the later id first where the time is the same.
  package static func isNewer(_ lhs: ThreadSummary, _ rhs: ThreadSummary) -> Bool {
    if lhs.published != rhs.published {
      guard let left = lhs.published else { return false }
      guard let right = rhs.published else { return true }
      return left > right
    }
    return lhs.id == rhs.id ? lhs.path < rhs.path : lhs.id > rhs.id
  }
}

/// An author as every list of threads shows them; what only their own page shows is in `AuthorProfile`.
package struct AuthorSummary: Sendable {
  package var platform: Platform
  package var handle: String?
  package var name: String
  /// The pictures of their server's own emoji that stand in the name, by short code; only those that pages show.
  package var emoji: [String: SummaryImage] = [:]
  /// The author's page on the network.
  package var url: String?
  /// The author's page on this site.
  package var path: SitePath
  /// Whether the author, or the site's owner, asks search engines to leave their posts alone.
  package var isHiddenFromSearch = false

  package init(platform: Platform, handle: String?, name: String, url: String?, path: SitePath) {
    self.platform = platform
    self.handle = handle?.asName
    self.name = name.asName
    self.url = url
    self.path = path
  }

  func add(to digest: inout ContentDigest) {
    digest.add(platform.rawValue)
    digest.add(handle)
    digest.add(name)
    digest.add(emoji.count)
    for (code, picture) in emoji.count > 1 ? emoji.sorted(by: { $0.key < $1.key }) : Array(emoji) {
      digest.add(code)
      Optional(picture).add(to: &digest)
    }
    digest.add(url)
    digest.add(path.text)
    digest.add(isHiddenFromSearch ? 1 : 0)
  }
}

/// A picture that stands for a thread in link previews, or for its author.
package enum SummaryImage: Sendable, Equatable {
  case remote(String)
  case stored(SitePath)
}

extension SummaryImage {
  /// A picture on another server that pages may load: https, with a host and no more, so that a Content-Security-Policy can
  /// name it; `nil` for all others.
  package init?(loadedFrom url: String) {
    guard let safe = WebAddress.safe(url), let host = WebAddress.host(of: safe),
      ContentSecurityPolicy.isHost(host),
      safe.utf8.elementsEqual("https://\(host)".utf8) || safe.hasBytePrefix("https://\(host)/")
    else { return nil }
    self = .remote(safe)
  }

  /// The host that a page which shows it has to allow.
  package var host: String? {
    if case .remote(let url) = self { WebAddress.host(of: url) } else { nil }
  }

  /// Its address on a page.
  func href(_ links: LinkRoot) -> String {
    switch self {
    case .remote(let url): url
    case .stored(let path): links.href(path)
    }
  }
}

/// The picture that a page is shown with elsewhere: in messengers, in other networks' previews.
package struct PreviewImage: Sendable, Equatable {
  package var source: SummaryImage
  /// Pixels; `nil` where nobody has said.
  package var size: Size?
  /// One line for those who do not see it; `nil` where nobody wrote one.
  package var altText: String?

  package struct Size: Sendable, Equatable {
    package var width: Int
    package var height: Int

    package init?(width: Int?, height: Int?) {
      guard let width, let height, width > 0, height > 0 else { return nil }
      self.width = width
      self.height = height
    }
  }

  package init(_ source: SummaryImage, size: Size? = nil, altText: String? = nil) {
    self.source = source
    self.size = size
    self.altText = altText
  }

  /// Whether it fills a large preview: X takes no smaller ones than 300 by 157 pixels for these. A picture whose size nobody knows is taken for
  /// one of a post, which is larger.
  var isLarge: Bool { size.map { $0.width >= 300 && $0.height >= 157 } ?? true }
}

extension SummaryImage? {
  func add(to digest: inout ContentDigest) {
    switch self {
    case .none: digest.add(0)
    case .remote(let url):
      digest.add(1)
      digest.add(url)
    case .stored(let path):
      digest.add(2)
      digest.add(path.text)
    }
  }
}

/// A tag of a thread, and where its page is: worked out once for each thread, not for each list that shows it.
///
/// A page for each of the thousands of tags that one post has room for would cost far more than the post. So only the first
/// tags of a thread are sure of a page. A further one has a page if another thread has the tag, too; what the thread links to
/// is the tag's entry in the list of all tags, as nobody knows about other threads when the thread's page is made.
package struct ThreadTag: Sendable, Hashable {
  package let name: String
  /// Where its page is, if it has one; one path for each tag, however it is spelled.
  package let path: SitePath
  /// Whether the thread has `mostPages` tags before this one.
  let isFurther: Bool

  /// So many tags of a thread have a page, whatever other threads have. More than threads of hundreds of posts have.
  static let mostPages = 50

  /// So many tags of a thread are shown in a list of threads.
  static let mostInLists = 12

  package init(_ name: String, isFurther: Bool = false) {
    self.name = name
    self.isFurther = isFurther
    path = TagPath.of(name)
  }

  /// Where the thread leads those who follow the tag.
  package func href(_ links: LinkRoot) -> String {
    isFurther ? links.href(TagPath.index) + "#" + TagPath.anchor(of: path, inURL: true) : links.href(path)
  }
}
