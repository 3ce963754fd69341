package import Basics
package import ThreadModel

/// The part of a thread that indexes, feeds and the sitemap show. It is kept after the thread's page is rendered.
package struct ThreadSummary: Sendable {
  package var id: PostID
  package var path: SitePath
  package var title: String
  package var excerpts = Excerpts()
  package var author: AuthorSummary
  package var published: Timestamp?
  /// When the latest post of the thread was written.
  package var updated: Timestamp?
  package var tags: [ThreadTag] = []
  package var postCount = 0
  /// The reading time in whole minutes; 0 if it was not computed.
  package var readingMinutes = 0
  /// The number of likes of the author's most liked post; `nil` if the network did not return numbers.
  package var likes: Int?
  /// A BCP 47 tag; `nil` if the language is the site's or unknown.
  package var language: String?
  package var isWhole = true
  /// Whether search engines are asked to leave out the thread's page.
  package var isHiddenFromSearch = false
  /// The first picture.
  package var image: PreviewImage?
  /// The first picture for lists: a smaller copy if one exists; `nil` if lists may not show it.
  package var thumbnail: SummaryImage?
  /// The same picture for places that are wider than a column of text.
  package var picture: SummaryImage?

  package var excerpt: String { excerpts.short }

  /// The same beginning, about twice as long.
  package var longExcerpt: String { excerpts.long }

  /// The digest of all parts of the thread that lists show. Likes are excluded: they change often, and the pages that show them include
  /// them in their own values.
  package var digest: UInt64 {
    var shown = self
    shown.likes = nil
    shown.image = image.map { PreviewImage($0.source) }
    var digest = ContentDigest()
    digest.add(shown)
    return digest.value
  }

  /// Whether `lhs` comes first: newest first, undated threads last, and for equal times the later id first.
  package static func isNewer(_ lhs: ThreadSummary, _ rhs: ThreadSummary) -> Bool {
    if lhs.published != rhs.published {
      guard let left = lhs.published else { return false }
      guard let right = rhs.published else { return true }
      return left > right
    }
    return lhs.id == rhs.id ? lhs.path < rhs.path : lhs.id > rhs.id
  }
}

extension ThreadSummary: Record {
  package static let fields = RecordFields(
    Self.init, \.id, \.path, \.title, \.excerpts, \.author, \.published, \.updated, \.tags,
    \.postCount,
    \.readingMinutes, \.likes, \.language, \.isWhole, \.isHiddenFromSearch, \.image, \.thumbnail,
    \.picture)

  package init(id: PostID, path: SitePath, title: String, author: AuthorSummary) {
    self.id = id
    self.path = path
    self.title = title
    self.author = author
  }
}

/// The data of an author that every list of threads shows. Data for the author's own page is in `AuthorProfile`.
package struct AuthorSummary: Sendable, Equatable {
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
}

extension AuthorSummary: Record {
  package static let fields = RecordFields(
    Self.init, \.platform, \.handle, \.name, \.emoji, \.url, \.path, \.isHiddenFromSearch)

  package init(platform: Platform, handle: String?, name: String, url: String?, path: SitePath) {
    self.platform = platform
    self.handle = handle?.asName
    self.name = name.asName
    self.url = url
    self.path = path
  }
}

/// A picture that represents a thread in link previews, or its author.
package enum SummaryImage: Sendable, Equatable {
  case remote(String)
  case stored(SitePath)
}

extension SummaryImage: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self = try reader.integer() == 0 ? .remote(try reader.string()) : .stored(try reader.value())
  }

  package func write(to writer: inout ByteWriter) {
    switch self {
    case .remote(let url):
      writer.write(0)
      writer.write(url)
    case .stored(let path):
      writer.write(1)
      writer.write(path)
    }
  }
}

extension SummaryImage {
  /// Creates a picture on another server from a URL that pages may load: https with a host and no port or user, so that a
  /// Content-Security-Policy can name it; `nil` for all other URLs.
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

  /// Returns the URL of the picture on a page.
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
  /// One line of text for readers who do not see the picture; `nil` if the picture has no text.
  package var altText: String?

  package struct Size: Sendable, Equatable {
    package var width: Int
    package var height: Int
  }

  package init(_ source: SummaryImage, size: Size? = nil, altText: String? = nil) {
    self.source = source
    self.size = size
    self.altText = altText
  }

  /// Whether the picture is large enough for a large preview, for which X requires at least 300 by 157 pixels. A picture of unknown size is
  /// assumed to be from a post and large enough.
  var isLarge: Bool { size.map { $0.width >= 300 && $0.height >= 157 } ?? true }
}

extension PreviewImage: Record {
  package static let fields = RecordFields(
    Self.init(_:size:altText:), \.source, \.size, \.altText)
}

extension PreviewImage.Size: Record {
  package static let fields = RecordFields(Self.init(width:height:), \.width, \.height)

  /// Creates a size; `nil` if a side is unknown or impossible.
  package init?(_ width: Int?, by height: Int?) {
    guard let width, let height, width > 0, height > 0 else { return nil }
    self.init(width: width, height: height)
  }
}

/// A tag of a thread and the path of its page, computed once per thread and not for each list that shows it.
///
/// A single post has room for thousands of tags, and a page for each of them would cost far more than the post. So only the first
/// `mostPages` tags of a thread are certain to have a page. A further tag has a page only if another thread also has it. The thread links
/// to its further tags' entries in the list of all tags, because other threads are not known when the thread's page is rendered.
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

  /// Returns the tags of one thread, in its order.
  package static func tags(_ names: [String]) -> [ThreadTag] {
    names.enumerated().map { ThreadTag($1, isFurther: $0 >= mostPages) }
  }

  /// Returns the URL to which the thread's page links the tag.
  package func href(_ links: LinkRoot) -> String {
    isFurther ? links.href(TagPath.index) + "#" + TagPath.anchor(of: path, inURL: true) : links.href(path)
  }
}

extension ThreadTag: Record {
  package static let fields = RecordFields(Self.init(_:isFurther:), \.name, \.isFurther)
}
