import ThreadModel
package import UTF8Text

/// The feeds of a site: one entry a thread, newest first.
///
/// An entry changes in place as its thread grows; its id never changes. Feeds need a base URL.
package struct SiteFeeds: Sendable {
  package static let atomPath: SitePath = "feed.xml"
  package static let jsonPath: SitePath = "feed.json"

  let site: SiteFacts
  let baseURL: String
  let entries: [FeedEntry]

  /// - Returns: `nil` for a site without a base URL, whose feeds would lead nowhere.
  package init?(site: SiteFacts, entries: [FeedEntry]) {
    guard let baseURL = site.baseURL else { return nil }
    self.site = site
    self.baseURL = baseURL
    self.entries = entries
  }
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
