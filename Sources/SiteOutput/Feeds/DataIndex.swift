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

  /// Returns the files; an empty array if the owner has switched them off, or if the site asks search engines or crawlers to stay away.
  package static func files(
    site: SiteFacts, index: SiteIndex, pages: [IndexPage]
  ) -> [(path: SitePath, content: UTF8Buffer)] {
    guard site.wantsDataIndex, !site.isHiddenFromSearch, site.robots.crawlers == .allow else { return [] }
    let threads = index.threads.filter { !$0.isHiddenFromSearch && !$0.author.isHiddenFromSearch }
    return [(threadsPath, list(threads, of: site)), (textPath, text(threads, index, pages, of: site))]
  }

  // MARK: threads.json

  private static func list(_ threads: [ThreadSummary], of site: SiteFacts) -> UTF8Buffer {
    var list = UTF8Buffer(capacity: 256 + threads.count * 640)
    list.append("{\"format\":1,\"title\":")
    list.appendEscapingJSON(site.title)
    list.append(",\"language\":")
    list.appendEscapingJSON(site.language)
    if let base = site.baseURL {
      list.append(",\"base_url\":")
      list.appendEscapingJSON(base)
    }
    list.append(",\"threads\":[")
    for (position, thread) in threads.enumerated() {
      list.append(position == 0 ? "\n" : ",\n")
      list.append(JSONWriter.text(of: .object(members(of: thread)), .compact))
    }
    list.append("\n]}\n")
    return list
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

  private static func text(
    _ threads: [ThreadSummary], _ index: SiteIndex, _ pages: [IndexPage], of site: SiteFacts
  ) -> UTF8Buffer {
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
    entry("All threads", base + threadsPath.urlText, "\(threads.count) threads as JSON", &text)
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
    guard !threads.isEmpty else { return text }
    section("Newest threads", &text)
    for thread in threads.prefix(mostListed) {
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
