package import ThreadModel
import UTF8Text

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
  /// BCP 47; `nil` where it is the site's own or unknown.
  package var language: String?
  package var isWhole: Bool
  /// The first picture, as an absolute URL or a path from the site's top.
  package var image: SummaryImage?

  package init(
    id: PostID, path: SitePath, title: String, excerpt: String, author: AuthorSummary, published: Timestamp?,
    updated: Timestamp?, tags: [String], postCount: Int, language: String?, isWhole: Bool,
    image: SummaryImage?
  ) {
    self.id = id
    self.path = path
    self.title = title
    self.excerpt = excerpt
    self.author = author
    self.published = published
    self.updated = updated
    self.tags = tags.map(ThreadTag.init)
    self.postCount = postCount
    self.language = language
    self.isWhole = isWhole
    self.image = image
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
  /// The author's page on the network.
  package var url: String?
  /// The author's page on this site.
  package var path: SitePath

  package init(platform: Platform, handle: String?, name: String, url: String?, path: SitePath) {
    self.platform = platform
    self.handle = handle
    self.name = name
    self.url = url
    self.path = path
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

/// A tag of a thread, and where its page is: worked out once for each thread, not for each list that shows it.
package struct ThreadTag: Sendable, Hashable {
  package let name: String
  package let path: SitePath

  package init(_ name: String) {
    self.name = name
    path = TagPath.of(name)
  }
}
