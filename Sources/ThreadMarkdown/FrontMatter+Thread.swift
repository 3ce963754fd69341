import ThreadModel
import UTF8Text
import Wording

extension FrontMatter {
  /// What a document says of itself before its body.
  static func of(
    _ thread: UnrolledThread, meta: ThreadMeta, language: String?, wording: Wording
  ) -> UTF8Buffer {
    // What a post takes, from experience: growing costs a copy each time.
    var frontMatter = FrontMatter(capacity: 1024 + thread.postCount * 640)
    let times = ThreadTimes(thread)
    frontMatter.add("title", PlainText.singleLine(meta.title))
    frontMatter.add("slug", meta.slug)
    frontMatter.open("author")
    frontMatter.add("name", MarkdownPieces.name(thread.author, in: wording), indented: true)
    frontMatter.add("handle", PlainText.nonEmptyLine(thread.author.handle), indented: true)
    frontMatter.add("url", thread.author.url.flatMap(WebAddress.safe), indented: true)
    frontMatter.add("date", times.first?.iso8601)
    frontMatter.add("updated", times.last?.iso8601)
    frontMatter.add("checked", thread.checkedAt?.iso8601)
    frontMatter.add("tags", meta.tags)
    frontMatter.add("source", meta.source.flatMap(WebAddress.safe))
    frontMatter.add("posts", thread.postCount)
    frontMatter.add("language", language)
    frontMatter.add("platform", thread.id.platform.rawValue)
    frontMatter.add("id", thread.id.value)
    return frontMatter.finish()
  }
}

/// When a thread began and when its author last touched it.
struct ThreadTimes {
  var first: Timestamp?
  /// `nil` where it is the same moment.
  var last: Timestamp?

  init(_ thread: UnrolledThread) {
    first = thread.firstPost?.createdAt
    var last = first
    thread.forEachPost { post in
      for time in [post.createdAt, post.editedAt] {
        if let time, last.map({ $0 < time }) ?? true { last = time }
      }
    }
    self.last = last == first ? nil : last
  }
}

extension UnrolledThread {
  /// Posts of the author in the chain, as unrolling counted them.
  var postCount: Int { completeness.known }
}
