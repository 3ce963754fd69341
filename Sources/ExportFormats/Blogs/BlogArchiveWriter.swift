import Basics
import SiteOutput
import ThreadModel

/// Writes threads in Micro.blog's blog archive format (`.bar`): a zip file with the posts as an h-feed in `index.html` and as a JSON Feed in
/// `feed.json`, and the media in `uploads`, to which both refer by relative URLs.
package struct BlogArchiveWriter: ~Copyable, BlogWriter {
  package static func mediaPrefix(_ blog: Blog) -> String { folder }
  private static let folder = "uploads/"

  private var zip: ZipWriter
  private let blog: Blog
  private var page: UTF8Buffer
  private var items = UTF8Buffer()

  package init(_ blog: Blog, to path: String?) throws(ExportFormatError) {
    zip = try ZipWriter(path)
    self.blog = blog
    page = UTF8Buffer("<!DOCTYPE html>\n<html")
    page.appendAttribute("lang", blog.language)
    page.append(">\n<head>\n<meta charset=\"utf-8\"/>\n<title>" as StaticString)
    page.appendEscapingXML(blog.title)
    page.append("</title>\n</head>\n<body>\n<div class=\"h-feed\">\n<h1 class=\"p-name\">" as StaticString)
    page.appendEscapingXML(blog.title)
    page.append("</h1>\n" as StaticString)
  }

  package mutating func add(_ post: BlogPost) throws(ExportFormatError) {
    let thread = post.summary
    page.append("<article class=\"h-entry\"" as StaticString)
    if let language = thread.language { page.appendAttribute("lang", language) }
    page.append(">\n<h2 class=\"p-name\">" as StaticString)
    page.appendEscapingXML(thread.title)
    page.append("</h2>\n<p><a class=\"u-url\"" as StaticString)
    page.appendAttribute("href", post.page)
    page.append(">" as StaticString)
    if let published = thread.published {
      page.append("<time class=\"dt-published\"" as StaticString)
      page.appendAttribute("datetime", published.iso8601)
      page.append(">\(post.localTime ?? published.iso8601)</time>")
    } else {
      page.appendEscapingXML(post.page)
    }
    page.append("</a> <span class=\"p-author h-card\">" as StaticString)
    page.appendEscapingXML(thread.author.name)
    page.append("</span>" as StaticString)
    for tag in thread.tags {
      page.append(" <span class=\"p-category\">" as StaticString)
      page.appendEscapingXML(tag.name)
      page.append("</span>" as StaticString)
    }
    page.append("</p>\n<div class=\"e-content\">\n" as StaticString)
    page.append(post.body)
    page.append("</div>\n</article>\n" as StaticString)

    var item: [String: JSONValue] = [
      "id": .string(FeedEntry(thread: thread, content: nil).id), "url": .string(post.page),
      "title": .string(thread.title), "content_html": .string(post.body.string),
      "authors": [["name": .string(thread.author.name)]],
    ]
    if let published = thread.published { item["date_published"] = .string(published.iso8601) }
    if let updated = thread.updated { item["date_modified"] = .string(updated.iso8601) }
    if let language = thread.language { item["language"] = .string(language) }
    if !thread.tags.isEmpty { item["tags"] = .array(thread.tags.map { .string($0.name) }) }
    if !items.isEmpty { items.append(",\n" as StaticString) }
    items.append(JSONWriter.text(of: .object(item), .compact))
  }

  package mutating func addMedia(
    _ name: String, content: () throws(ExportFormatError) -> BookPicture
  ) throws(ExportFormatError) {
    try zip.add(Self.folder + name, try content().bytes, .stored)
  }

  package mutating func finish() throws(ExportFormatError) {
    page.append("</div>\n</body>\n</html>\n" as StaticString)
    try zip.add("index.html", page.bytes, .deflated)
    var feed = UTF8Buffer("{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":")
    feed.appendEscapingJSON(blog.title)
    feed.append(",\"language\":" as StaticString)
    feed.appendEscapingJSON(blog.language)
    if let base = blog.baseURL {
      feed.append(",\"home_page_url\":" as StaticString)
      feed.appendEscapingJSON(base)
    }
    feed.append(",\"items\":[\n" as StaticString)
    feed.append(items)
    feed.append("\n]}\n" as StaticString)
    try zip.add("feed.json", feed.bytes, .deflated)
    try zip.finish()
  }
}
