import JSONText
import ThreadModel
import UTF8Text

extension PageRenderer {
  /// The thread as schema.org's DiscussionForumPosting in JSON-LD, escaped for a `<script>` element.
  func structuredData(of page: ThreadPage) -> UTF8Buffer {
    let thread = page.summary
    var members: [String: JSONValue] = [
      "@context": "https://schema.org",
      "@type": "DiscussionForumPosting",
      "headline": .string(thread.title),
      "text": .string(thread.excerpt),
      "author": .object(structuredAuthor(of: thread)),
    ]
    if let url = site.url(of: thread.path) {
      members["url"] = .string(url)
      members["mainEntityOfPage"] = .string(url)
    }
    if let published = thread.published { members["datePublished"] = .string(published.iso8601) }
    if let updated = thread.updated { members["dateModified"] = .string(updated.iso8601) }
    if let language = thread.language { members["inLanguage"] = .string(language) }
    if let source = page.sourceURL.flatMap(WebAddress.safe) { members["sameAs"] = .string(source) }
    if let image = thread.image.flatMap(absoluteURL) { members["image"] = .string(image) }
    if !thread.tags.isEmpty { members["keywords"] = .array(thread.tags.map { .string($0.name) }) }
    return JSONWriter.text(of: .object(members), .script)
  }

  private func structuredAuthor(of thread: ThreadSummary) -> [String: JSONValue] {
    var author: [String: JSONValue] = ["@type": "Person", "name": .string(thread.author.name)]
    if let url = thread.author.url.flatMap(WebAddress.safe) ?? site.url(of: thread.author.path) {
      author["url"] = .string(url)
    }
    return author
  }
}
