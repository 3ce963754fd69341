import ThreadModel
package import UTF8Text

/// The feeds of a site, or of one of its lists: one entry a thread, newest first.
///
/// An entry changes in place as its thread grows; its id never changes. Feeds need a base URL.
package struct SiteFeeds: Sendable {
  package static let atomPath: SitePath = "feed.xml"
  package static let jsonPath: SitePath = "feed.json"

  let site: SiteFacts
  let baseURL: String
  let entries: [FeedEntry]
  /// The list whose threads these are; `nil` for those of the site.
  let list: FeedList?
  /// A picture that stands for the site.
  let icon: SitePath?

  /// - Returns: `nil` for a site without a base URL, whose feeds would lead nowhere.
  package init?(site: SiteFacts, entries: [FeedEntry], list: FeedList? = nil, icon: SitePath? = nil) {
    guard let baseURL = site.baseURL else { return nil }
    self.site = site
    self.baseURL = baseURL
    self.entries = entries
    self.list = list
    self.icon = icon
  }

  /// The full address of a thread's picture.
  func imageURL(of thread: ThreadSummary) -> String? {
    switch thread.image?.source {
    case .remote(let url)?: WebAddress.safe(url)
    case .stored(let path)?: baseURL + path.urlText
    case nil: nil
    }
  }

  var title: String { list.map { $0.title(on: site) } ?? site.title }

  /// The page that lists the same threads, in full.
  var pageURL: String { baseURL + (list?.page.urlText ?? "") }
}

/// A list of threads that has a feed: an author's, a tag's or a collection's.
package struct FeedList: Sendable {
  /// The list's first page.
  package let page: SitePath
  /// What it is called on its page.
  package let name: String
  /// Positions in the index's threads, newest first.
  package let threads: [Int]

  /// The Atom feed.
  package var path: SitePath { page.appending("feed.xml") }

  /// - Returns: `nil` for a page that lists no threads of its own, or is not the first of its list.
  package init?(of page: IndexPage, in index: SiteIndex) {
    guard page.number == 1 else { return nil }
    switch page.kind {
    case .author(let position):
      name = index.authors[position].author.name
      threads = index.authors[position].threads
    case .tag(let position):
      name = "#" + index.tags[position].name
      threads = index.tags[position].threads
    case .collection(let position):
      name = index.collections[position].collection.title
      // The owner's order is that of the page; a feed is about what is new.
      threads = index.collections[position].threads.sorted()
    case .home, .authors, .tags, .archive, .collections, .year, .month, .statistics, .notFound:
      return nil
    }
    self.page = page.path
  }

  func title(on site: SiteFacts) -> String { "\(name) – \(site.title)" }
}

/// A thread as feeds show it.
package struct FeedEntry: Sendable {
  package var thread: ThreadSummary
  /// The whole thread as HTML with full addresses; `nil` for a feed of excerpts.
  package var content: UTF8Buffer?

  /// The sounds of the thread, in their order, for readers that play them.
  package var sounds: [Sound] = []

  /// A sound of a thread.
  package struct Sound: Sendable, Equatable {
    /// In full.
    package var url: String
    /// A MIME type.
    package var type: String
    package var seconds: Int?

    package init(url: String, type: String, seconds: Int? = nil) {
      self.url = url
      self.type = type
      self.seconds = seconds
    }
  }

  package init(thread: ThreadSummary, content: UTF8Buffer?) {
    self.thread = thread
    self.content = content
  }

  /// The same for ever, wherever the site moves and however the thread changes: a UUID of version 8 (RFC 9562, 5.8)
  /// from the network's ids.
  package var id: String {
    ContentHash.uuid(of: "\(thread.id)/\(thread.author.path.text)")
  }
}
