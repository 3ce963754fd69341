import Basics
import SiteOutput
import ThreadModel

/// Writes threads for WordPress's importer: WXR 1.2, an RSS feed with WordPress's own elements
/// (wp-admin/includes/export.php of WordPress). The importer downloads the media from the site.
package struct WordPressWriter: ~Copyable, BlogWriter {
  package static func mediaPrefix(_ blog: Blog) -> String { (blog.baseURL ?? "") + "media/" }

  private var file: OutgoingFile
  private let blog: Blog
  private var items = 0
  /// The item of the last post, to which the following media belong.
  private var post = 0

  package init(_ blog: Blog, to path: String?) throws(ExportFormatError) {
    let file = try withFiles { () throws(FileError) in try OutgoingFile(path) }
    var xml = UTF8Buffer(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" \
      xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:wp="http://wordpress.org/export/1.2/">
      <channel>

      """)
    xml.element("title", blog.title)
    xml.element("link", blog.baseURL ?? "")
    xml.element("description", "")
    xml.element("language", blog.language)
    xml.element("wp:wxr_version", "1.2")
    xml.element("wp:base_site_url", blog.baseURL ?? "")
    xml.element("wp:base_blog_url", blog.baseURL ?? "")
    for (number, author) in blog.authors.enumerated() {
      xml.append("<wp:author>\n" as StaticString)
      xml.element("wp:author_id", "\(number + 1)")
      xml.element("wp:author_login", author.slug)
      xml.element("wp:author_email", "")
      xml.element("wp:author_display_name", author.name)
      xml.append("</wp:author>\n" as StaticString)
    }
    do {
      try file.write(xml.bytes)
    } catch {
      throw .file(error)
    }
    self.file = file
    self.blog = blog
  }

  package mutating func add(_ post: BlogPost) throws(ExportFormatError) {
    let thread = post.summary
    var xml = beginItem(thread.title, link: post.page, date: thread.published)
    self.post = items
    xml.element("dc:creator", thread.author.slug)
    xml.append("<content:encoded>" as StaticString)
    // An HTML block, to which WordPress adds no line breaks.
    var body = UTF8Buffer("<!-- wp:html -->\n")
    body.append(post.body)
    body.append("<!-- /wp:html -->" as StaticString)
    xml.appendCharacterData(body)
    xml.append("</content:encoded>\n" as StaticString)
    xml.element("excerpt:encoded", thread.excerpt)
    xml.element("wp:post_id", "\(items)")
    if let local = post.localTime { xml.element("wp:post_date", local) }
    if let time = post.time { xml.element("wp:post_date_gmt", time) }
    xml.element("wp:comment_status", "closed")
    xml.element("wp:ping_status", "closed")
    xml.element("wp:post_name", post.name)
    xml.element("wp:status", "publish")
    xml.element("wp:post_parent", "0")
    xml.element("wp:menu_order", "0")
    xml.element("wp:post_type", "post")
    xml.element("wp:post_password", "")
    xml.element("wp:is_sticky", "0")
    for tag in thread.tags {
      xml.append("<category domain=\"post_tag\"" as StaticString)
      let slug = Slug.make(from: tag.name)
      xml.appendAttribute("nicename", slug.isEmpty ? tag.name : slug)
      xml.append(">" as StaticString)
      xml.appendEscapingXML(tag.name)
      xml.append("</category>\n" as StaticString)
    }
    xml.append("</item>\n" as StaticString)
    try write(xml)
  }

  package mutating func addMedia(
    _ name: String, content: () throws(ExportFormatError) -> BookPicture
  ) throws(ExportFormatError) {
    let url = Self.mediaPrefix(blog) + name
    var xml = beginItem(name, link: url, date: nil)
    xml.element("wp:post_id", "\(items)")
    xml.element("wp:post_name", String(name.prefix { $0 != "." }))
    xml.element("wp:status", "inherit")
    xml.element("wp:post_parent", "\(post)")
    xml.element("wp:post_type", "attachment")
    xml.element("wp:attachment_url", url)
    xml.append("</item>\n" as StaticString)
    try write(xml)
  }

  package mutating func finish() throws(ExportFormatError) {
    try write("</channel>\n</rss>\n")
    do {
      try file.finish()
    } catch {
      throw .file(error)
    }
  }

  private mutating func beginItem(_ title: String, link: String, date: Timestamp?) -> UTF8Buffer {
    items += 1
    var xml = UTF8Buffer("<item>\n")
    xml.element("title", title)
    xml.element("link", link)
    if let date { xml.element("pubDate", date.rfc822) }
    xml.append("<guid isPermaLink=\"false\">" as StaticString)
    xml.appendEscapingXML(link)
    xml.append("</guid>\n" as StaticString)
    return xml
  }

  private func write(_ text: UTF8Buffer) throws(ExportFormatError) {
    do {
      try file.write(text.bytes)
    } catch {
      throw .file(error)
    }
  }
}

extension UTF8Buffer {
  /// Appends a CDATA section. The end of a section in the text is divided between two sections.
  fileprivate mutating func appendCharacterData(_ text: UTF8Buffer) {
    append("<![CDATA[" as StaticString)
    append(text.string.replacing("]]>", with: "]]]]><![CDATA[>"))
    append("]]>" as StaticString)
  }
}

extension Timestamp {
  /// The time as in RFC 822, with a year of four digits: `Sun, 11 Feb 2024 09:03:12 +0000`.
  fileprivate var rfc822: String {
    let time = civil()
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(days[time.weekday % 7]), \(time.day) \(months[time.month - 1]) \(time.year) "
      + iso8601.dropFirst(11).prefix(8) + " +0000"
  }
}
