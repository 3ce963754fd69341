import JSONText
import ThreadModel
import UTF8Text

extension PageRenderer {
  /// The thread as schema.org's DiscussionForumPosting in JSON-LD, escaped for a `<script>` element.
  ///
  /// Members are written in the order of their names, which is how the writer wants them anyway.
  func structuredData(of page: ThreadPage) -> UTF8Buffer {
    let thread = page.summary
    let url = site.url(of: thread.path)
    var writer = JSONWriter(.script)
    writer.object { writer in
      writer.member("@context", "https://schema.org")
      writer.member("@type", "DiscussionForumPosting")
      writer.member("author") { $0.object { writeAuthor(of: thread, to: &$0) } }
      writer.member("dateModified", thread.updated?.iso8601)
      writer.member("datePublished", thread.published?.iso8601)
      writer.member("headline", thread.title)
      writer.member("image", (thread.image?.source).flatMap(absoluteURL))
      writer.member("inLanguage", thread.language)
      if !thread.tags.isEmpty {
        writer.member("keywords") { $0.array { for tag in thread.tags { $0.string(tag.name) } } }
      }
      writer.member("mainEntityOfPage", url)
      let places = ([page.sourceURL] + page.copies.map(\.url)).compactMap { $0.flatMap(WebAddress.safe) }
      if places.count > 1 {
        writer.member("sameAs") { $0.array { for place in places { $0.string(place) } } }
      } else {
        writer.member("sameAs", places.first)
      }
      // Machines read this without the headline.
      writer.member("text", page.beginning.isEmpty ? thread.title : page.beginning)
      writer.member("url", url)
    }
    return writer.finish()
  }

  private func writeAuthor(of thread: ThreadSummary, to writer: inout JSONWriter) {
    writer.member("@type", "Person")
    writer.member("name", thread.author.name)
    writer.member("url", thread.author.url.flatMap(WebAddress.safe) ?? site.url(of: thread.author.path))
  }
}

extension JSONWriter {
  /// A member where there is a value for it.
  fileprivate mutating func member(_ key: String, _ value: String?) {
    if let value { member(key) { $0.string(value) } }
  }
}
