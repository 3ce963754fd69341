import ThreadModel
package import UTF8Text

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
    if let hub = site.feedHub { xml.link("hub", type: nil, hub) }
    xml.element("updated", updated.iso8601)
    xml.element("generator", "threadsite")
    if let owner = site.owner { xml.author(owner.name, owner.url) }
    for entry in entries { append(entry, to: &xml) }
    xml.append("</feed>\n")
    return xml
  }

  /// The latest change of any entry; the start of 1970 for a feed without one, as Atom wants a date.
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
      // Media RSS 1.5.1, which readers take a picture from; Atom knows none.
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
      // What has no content has to say something.
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
  /// An element that holds text.
  mutating func element(_ name: StaticString, _ text: String) {
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
