import Basics
package import ThreadModel

/// The part of a thread that indexes, feeds and the sitemap show, and that is kept after the thread's page is rendered.
package struct ThreadSummary: Sendable {
  package var id: PostID
  package var path: SitePath
  package var title: String
  package var excerpt: String
  package var author: AuthorSummary
  package var published: Timestamp?
  /// When the latest post of the thread was written.
  package var updated: Timestamp?
  package var tags: [ThreadTag]
  package var postCount: Int
  /// The reading time in whole minutes; 0 if it was not computed.
  package var readingMinutes = 0
  /// The highest number of likes of any of the author's posts; `nil` if the network did not give numbers.
  package var likes: Int?
  /// A BCP 47 tag; `nil` if the language is the site's or unknown.
  package var language: String?
  package var isWhole: Bool
  /// Whether search engines are asked to leave out the thread's page.
  package var isHiddenFromSearch = false
  /// The first picture.
  package var image: PreviewImage?
  /// The first picture for lists: a smaller copy if one exists; `nil` if lists may not show it.
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

  /// The digest of all that lists of threads show of the thread. Likes are not part of it: they change often, and the pages that show them have them
  /// among their own values.
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

  /// Returns all summaries, sorted by `isNewer`.
  ///
  /// Sorts small keys instead of the summaries: sorting moves elements many times, and a summary has about three hundred bytes with a dozen references
  /// to count.
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

  /// Whether `lhs` comes first: newest first; undated threads last; at the same time the later id first.
  package static func isNewer(_ lhs: ThreadSummary, _ rhs: ThreadSummary) -> Bool {
    if lhs.published != rhs.published {
      guard let left = lhs.published else { return false }
      guard let right = rhs.published else { return true }
      return left > right
    }
    return lhs.id == rhs.id ? lhs.path < rhs.path : lhs.id > rhs.id
  }
}

/// The data of an author that every list of threads shows; the data that only their own page shows is in `AuthorProfile`.
package struct AuthorSummary: Sendable {
  package var platform: Platform
  package var handle: String?
  package var name: String
  /// The pictures of custom emoji in the name, by short code; only those that pages show.
  package var emoji: [String: SummaryImage] = [:]
  /// The author's page on the network.
  package var url: String?
  /// The author's page on this site.
  package var path: SitePath
  /// Whether the author, or the site's owner, asks search engines to leave out the author's posts.
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

/// A picture that represents a thread in link previews, or its author.
package enum SummaryImage: Sendable, Equatable {
  case remote(String)
  case stored(SitePath)
}

extension SummaryImage {
  /// Creates a picture on another server from an address that pages may load: https with a host and no port or user, so that a Content-Security-Policy
  /// can name it; `nil` for all other addresses.
  package init?(loadedFrom url: String) {
    guard let safe = WebAddress.safe(url), let host = WebAddress.host(of: safe),
      ContentSecurityPolicy.isHost(host),
      safe.utf8.elementsEqual("https://\(host)".utf8) || safe.hasBytePrefix("https://\(host)/")
    else { return nil }
    self = .remote(safe)
  }

  /// The host that the Content-Security-Policy of a page with this picture has to allow; `nil` for a stored picture.
  package var host: String? {
    if case .remote(let url) = self { WebAddress.host(of: url) } else { nil }
  }

  /// Returns the address of the picture on a page.
  func href(_ links: LinkRoot) -> String {
    switch self {
    case .remote(let url): url
    case .stored(let path): links.href(path)
    }
  }
}

/// The preview picture of a page, shown in messengers and on other networks.
package struct PreviewImage: Sendable, Equatable {
  package var source: SummaryImage
  /// In pixels; `nil` if unknown.
  package var size: Size?
  /// One line of text for readers who do not see the picture; `nil` if it has none.
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

  /// Whether the picture is large enough for a large preview, for which X requires at least 300 by 157 pixels. A picture of unknown size is assumed to be
  /// from a post, and large enough.
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

/// A tag of a thread and the path of its page, computed once for each thread and not for each list that shows it.
///
/// A single post has room for thousands of tags, and a page for each of them would cost far more than the post. So only the first `mostPages` tags of a
/// thread are certain to have a page. A further tag has a page only if another thread has the tag, too. The thread links to its further tags' entries in
/// the list of all tags, because other threads are not known when the thread's page is made.
package struct ThreadTag: Sendable, Hashable {
  package let name: String
  /// The path of the tag's page, if it has one; all spellings of a tag have the same path.
  package let path: SitePath
  /// Whether the thread has at least `mostPages` tags before this one.
  let isFurther: Bool

  /// The number of a thread's tags that always have a page. Threads of hundreds of posts have fewer tags.
  static let mostPages = 50

  /// The number of a thread's tags that lists of threads show.
  static let mostInLists = 12

  package init(_ name: String, isFurther: Bool = false) {
    self.name = name
    self.isFurther = isFurther
    path = TagPath.of(name)
  }

  /// Returns the address to which the thread's page links the tag.
  package func href(_ links: LinkRoot) -> String {
    isFurther ? links.href(TagPath.index) + "#" + TagPath.anchor(of: path, inURL: true) : links.href(path)
  }
}
