package import Basics
import SiteConfig
import ThreadModel

/// The feeds of a site, or of one of its lists. Each thread is one entry; entries are sorted newest first.
///
/// An entry changes in place as its thread grows; its id never changes. Feeds need a base URL.
package struct SiteFeeds: Sendable {
  package static let atomPath: SitePath = "feed.xml"
  package static let jsonPath: SitePath = "feed.json"

  let site: SiteFacts
  let baseURL: String
  let entries: [FeedEntry]
  /// The list that the feed belongs to; `nil` for the feed of the whole site.
  let list: FeedList?
  /// The site's icon.
  let icon: SitePath?

  /// - Returns: `nil` for a site without a base URL, because feeds need absolute URLs.
  package init?(site: SiteFacts, entries: [FeedEntry], list: FeedList? = nil, icon: SitePath? = nil) {
    guard let baseURL = site.baseURL else { return nil }
    self.site = site
    self.baseURL = baseURL
    self.entries = entries
    self.list = list
    self.icon = icon
  }

  /// The absolute URL of a thread's picture; `nil` if the thread has no picture or its URL is unsafe.
  func imageURL(of thread: ThreadSummary) -> String? {
    switch thread.image?.source {
    case .remote(let url)?: WebAddress.safe(url)
    case .stored(let path)?: baseURL + path.urlText
    case nil: nil
    }
  }

  var title: String { list.map { $0.title(on: site) } ?? site.title }

  /// The absolute URL of the HTML page that lists the same threads.
  var pageURL: String { baseURL + (list?.page.urlText ?? "") }
}

/// A list of threads that has a feed: an author's, a tag's or a collection's.
package struct FeedList: Sendable {
  /// The list's first page.
  package let page: SitePath
  /// The list's name as its page shows it.
  package let name: String
  /// Indices into the site index's threads, newest first.
  package let threads: [Int]

  /// The Atom feed.
  package var path: SitePath { page.appending("feed.xml") }

  /// - Returns: `nil` if the page is not the first page of an author's, a tag's or a collection's list.
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
      // The page keeps the owner's order; the feed is sorted newest first.
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
  /// The whole thread as HTML with full URLs; `nil` for a feed of excerpts.
  package var content: UTF8Buffer?

  /// The thread's sounds in the order of its posts, for feed readers that play sounds.
  package var sounds: [Sound] = []

  /// A sound of a thread.
  package struct Sound: Sendable, Equatable {
    /// The absolute URL.
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

  /// An id that stays the same even if the site moves or the thread changes: a UUID of version 8 (RFC 9562, 5.8) made from the network's ids.
  package var id: String {
    ContentHash.uuid(of: "\(thread.id)/\(thread.author.path.text)")
  }
}

extension SiteFeeds {
  /// The Atom feed (RFC 4287).
  package func atom() -> UTF8Buffer {
    var xml = UTF8Buffer(capacity: 64 * 1024)
    xml.append(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:media=\"http://search.yahoo.com/mrss/\" xml:lang=\""
    )
    xml.appendEscapingXML(site.language)
    xml.append("\">\n")
    xml.element("id", pageURL)
    xml.element("title", title)
    if list == nil, let summary = site.summary { xml.element("subtitle", summary) }
    if let icon { xml.element("icon", baseURL + icon.urlText) }
    xml.link("self", type: "application/atom+xml", baseURL + (list?.path ?? Self.atomPath).urlText)
    xml.link("alternate", type: "text/html", pageURL)
    if let hub = site.config.feed.hub { xml.link("hub", type: nil, hub.description) }
    xml.element("updated", updated.iso8601)
    xml.element("generator", "threadsite")
    if let owner = site.owner { xml.author(owner.name, owner.url) }
    for entry in entries { append(entry, to: &xml) }
    xml.append("</feed>\n")
    return xml
  }

  /// The latest change of any entry. For a feed without entries it is the start of 1970, because Atom requires a date.
  private var updated: Timestamp {
    entries.compactMap { $0.thread.updated ?? $0.thread.published }.max() ?? Timestamp(milliseconds: 0)
  }

  private func append(_ entry: FeedEntry, to xml: inout UTF8Buffer) {
    let thread = entry.thread
    xml.append("<entry>\n")
    xml.element("id", entry.id)
    xml.element("title", thread.title)
    xml.link("alternate", type: "text/html", baseURL + thread.path.urlText)
    for sound in entry.sounds { xml.link("enclosure", type: sound.type, sound.url) }
    if let image = imageURL(of: thread) {
      // Media RSS 1.5.1, from which feed readers take pictures; Atom has no element for them.
      xml.append("<media:thumbnail url=\"")
      xml.appendEscapingXML(image)
      xml.append("\"/>\n")
    }
    if let published = thread.published { xml.element("published", published.iso8601) }
    xml.element("updated", (thread.updated ?? thread.published ?? Timestamp(milliseconds: 0)).iso8601)
    xml.author(thread.author.name, baseURL + thread.author.path.urlText)
    for tag in thread.tags {
      xml.append("<category term=\"")
      xml.appendEscapingXML(tag.name)
      xml.append("\"/>\n")
    }
    if !thread.excerpt.isEmpty {
      xml.element("summary", thread.excerpt)
    } else if entry.content == nil {
      // An entry without content and excerpt still requires some text.
      xml.element("summary", thread.title)
    }
    if let content = entry.content {
      xml.append("<content type=\"html\"")
      if let language = thread.language {
        xml.append(" xml:lang=\"")
        xml.appendEscapingXML(language)
        xml.append("\"")
      }
      xml.append(">")
      xml.appendEscapingXML(content)
      xml.append("</content>\n")
    }
    xml.append("</entry>\n")
  }
}

extension UTF8Buffer {
  /// Appends an element that contains text.
  package mutating func element(_ name: StaticString, _ text: String) {
    append("<")
    append(name)
    append(">")
    appendEscapingXML(text)
    append("</")
    append(name)
    append(">\n")
  }

  fileprivate mutating func author(_ name: String, _ url: String?) {
    append("<author>\n")
    element("name", name)
    if let url { element("uri", url) }
    append("</author>\n")
  }

  fileprivate mutating func link(_ relation: StaticString, type: String?, _ url: String) {
    append("<link rel=\"")
    append(relation)
    if let type {
      append("\" type=\"")
      appendEscapingXML(type)
    }
    append("\" href=\"")
    appendEscapingXML(url)
    append("\"/>\n")
  }
}

extension SiteFeeds {
  /// The JSON Feed, version 1.1 (https://www.jsonfeed.org/version/1.1/).
  package func json() -> UTF8Buffer {
    var members: [String: JSONValue] = [
      "version": "https://jsonfeed.org/version/1.1",
      "title": .string(site.title),
      "home_page_url": .string(baseURL),
      "feed_url": .string(baseURL + Self.jsonPath.urlText),
      "language": .string(site.language),
      "items": .array(entries.map { .object(item($0)) }),
    ]
    if let icon { members["favicon"] = .string(baseURL + icon.urlText) }
    if let hub = site.config.feed.hub {
      members["hubs"] = [["type": "WebSub", "url": .string(hub.description)]]
    }
    if let summary = site.summary { members["description"] = .string(summary) }
    if let owner = site.owner {
      var author: [String: JSONValue] = ["name": .string(owner.name)]
      if let url = owner.url { author["url"] = .string(url) }
      members["authors"] = [.object(author)]
    }
    return JSONWriter.text(of: .object(members))
  }

  private func item(_ entry: FeedEntry) -> [String: JSONValue] {
    let thread = entry.thread
    var members: [String: JSONValue] = [
      "id": .string(entry.id),
      "url": .string(baseURL + thread.path.urlText),
      "title": .string(thread.title),
      "authors": [
        ["name": .string(thread.author.name), "url": .string(baseURL + thread.author.path.urlText)]
      ],
    ]
    if !thread.excerpt.isEmpty { members["summary"] = .string(thread.excerpt) }
    if let content = entry.content {
      members["content_html"] = .string(content.string)
    } else {
      members["content_text"] = .string(thread.excerpt.isEmpty ? thread.title : thread.excerpt)
    }
    if !entry.sounds.isEmpty {
      members["attachments"] = .array(
        entry.sounds.map { sound in
          var members: [String: JSONValue] = ["url": .string(sound.url), "mime_type": .string(sound.type)]
          if let seconds = sound.seconds { members["duration_in_seconds"] = .integer(Int64(seconds)) }
          return .object(members)
        })
    }
    if let published = thread.published { members["date_published"] = .string(published.iso8601) }
    if let updated = thread.updated { members["date_modified"] = .string(updated.iso8601) }
    if let language = thread.language { members["language"] = .string(language) }
    if !thread.tags.isEmpty { members["tags"] = .array(thread.tags.map { .string($0.name) }) }
    if let image = imageURL(of: thread) { members["image"] = .string(image) }
    return members
  }
}
