package import Basics
import InterfaceText
import SiteConfig
import ThreadModel

/// Writes the files through which programs find the content of a site: `threads.json`, an index of all threads (docs/threads.schema.json), and
/// `llms.txt`, which leads to the Markdown of threads (https://llmstxt.org/).
///
/// Both are made from the summaries in every build, as feeds are. Each thread adds one line to `threads.json`.
package enum DataIndex {
  package static let threadsPath: SitePath = "threads.json"
  package static let textPath: SitePath = "llms.txt"

  /// The number of threads, and of groups of each kind, that `llms.txt` lists.
  private static let mostListed = 100

  /// Whether the site has the files: not if the owner has switched them off, or if the site asks search engines or crawlers to stay away.
  package static func isPublished(by site: SiteFacts) -> Bool {
    site.config.dataIndex && !site.config.noindex && site.config.robots.crawlers == .allow
  }

  private static func isListed(_ thread: ThreadSummary) -> Bool {
    !thread.isHiddenFromSearch && !thread.author.isHiddenFromSearch
  }

  // MARK: threads.json

  /// Writes `threads.json` in pieces of about 256 KB, because the list of a large site would need more memory than all its threads.
  package static func writeList<Failure: Error>(
    site: SiteFacts, index: SiteIndex, append: (UTF8Buffer) throws(Failure) -> Void
  ) throws(Failure) {
    let size = 1 << 18
    var piece = UTF8Buffer(capacity: size + 4096)
    piece.append("{\"format\":1,\"title\":")
    piece.appendEscapingJSON(site.title)
    piece.append(",\"language\":")
    piece.appendEscapingJSON(site.language)
    if let base = site.baseURL {
      piece.append(",\"base_url\":")
      piece.appendEscapingJSON(base)
    }
    piece.append(",\"threads\":[")
    var isFirst = true
    for thread in index.threads where isListed(thread) {
      piece.append(isFirst ? "\n" : ",\n")
      isFirst = false
      piece.append(JSONWriter.text(of: .object(members(of: thread)), .compact))
      guard piece.count >= size else { continue }
      try append(piece)
      piece.bytes.removeAll(keepingCapacity: true)
    }
    piece.append("\n]}\n")
    try append(piece)
  }

  private static func members(of thread: ThreadSummary) -> [String: JSONValue] {
    var author: [String: JSONValue] = [
      "name": .string(thread.author.name), "page": .string(thread.author.path.urlText),
    ]
    author["handle"] = thread.author.handle.map(JSONValue.string)
    author["url"] = thread.author.url.map(JSONValue.string)
    var members: [String: JSONValue] = [
      "network": .string(thread.id.platform.rawValue), "id": .string(thread.id.text),
      "page": .string(thread.path.urlText), "markdown": .string(markdown(of: thread)),
      "title": .string(thread.title), "excerpt": .string(thread.excerpt), "author": .object(author),
      "tags": .array(thread.tags.map { .string($0.name) }), "posts": .integer(Int64(thread.postCount)),
      "reading_minutes": .integer(Int64(thread.readingMinutes)), "is_whole": .bool(thread.isWhole),
    ]
    members["published"] = thread.published.map { .string($0.iso8601) }
    members["updated"] = thread.updated.map { .string($0.iso8601) }
    members["language"] = thread.language.map(JSONValue.string)
    return members
  }

  private static func markdown(of thread: ThreadSummary) -> String {
    thread.path.appending("index.md").urlText
  }

  // MARK: llms.txt

  /// Returns `llms.txt`.
  package static func text(site: SiteFacts, index: SiteIndex, pages: [IndexPage]) -> UTF8Buffer {
    let base = site.baseURL ?? ""
    var text = UTF8Buffer("# ")
    text.appendEscapingMarkdown(site.title)
    text.append("\n\n")
    if let summary = site.summary {
      text.append("> ")
      text.appendEscapingMarkdown(summary.replacing("\n", with: " "))
      text.append("\n\n")
    }
    text.append(
      "Threads from social networks, one page per thread. To read a thread as Markdown, add `index.md` to the URL of its page.\n"
    )
    section("Data", &text)
    entry(
      "All threads", base + threadsPath.urlText, "\(index.threads.count(where: isListed)) threads as JSON",
      &text)
    let first = pages.filter { $0.number == 1 }
    let collections = first.compactMap { page -> (String, SitePath, Int)? in
      guard case .collection(let position) = page.kind else { return nil }
      let group = index.collections[position]
      return (group.collection.title, page.path, group.threads.count)
    }
    let authors = first.compactMap { page -> (String, SitePath, Int)? in
      guard case .author(let position) = page.kind, !index.authors[position].author.isHiddenFromSearch else {
        return nil
      }
      let group = index.authors[position]
      return (group.author.name, page.path, group.threads.count)
    }
    let years = first.compactMap { page -> (String, SitePath, Int)? in
      guard case .year(let position) = page.kind else { return nil }
      return ("\(index.years[position].year)", page.path, index.years[position].threads.count)
    }
    for (title, groups) in [("Collections", collections), ("Authors", authors), ("Years", years)]
    where !groups.isEmpty {
      section(title, &text)
      for (name, path, count) in groups.prefix(mostListed) {
        entry(name, base + path.urlText, count == 1 ? "1 thread" : "\(count) threads", &text)
      }
    }
    let newest = index.threads.lazy.filter(isListed).prefix(mostListed)
    guard !newest.isEmpty else { return text }
    section("Newest threads", &text)
    for thread in newest {
      let facts = [thread.author.name, thread.published.map { site.calendar.isoDay($0) }].compactMap(\.self)
      entry(thread.title, base + markdown(of: thread), facts.joined(separator: ", "), &text)
    }
    return text
  }

  private static func section(_ title: String, _ text: inout UTF8Buffer) { text.append("\n## \(title)\n\n") }

  private static func entry(_ name: String, _ url: String, _ note: String, _ text: inout UTF8Buffer) {
    text.append("- [")
    text.appendEscapingMarkdown(name)
    text.append("](")
    text.appendLinkDestination(url)
    text.append("): ")
    text.appendEscapingMarkdown(note)
    text.append("\n")
  }
}
