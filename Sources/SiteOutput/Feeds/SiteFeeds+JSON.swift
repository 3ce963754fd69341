import JSONText
import ThreadModel
package import UTF8Text

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
    if let hub = site.feedHub { members["hubs"] = [["type": "WebSub", "url": .string(hub)]] }
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
