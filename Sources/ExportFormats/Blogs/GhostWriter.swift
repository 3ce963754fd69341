import Basics
import SiteOutput

/// Writes threads for Ghost's importer: a zip file with the posts as JSON, and the media in `content/images`
/// (https://docs.ghost.org/migration/custom).
///
/// The posts have no authors, because Ghost requires an email address of each; they become posts of the importing user.
package struct GhostWriter: ~Copyable, BlogWriter {
  /// Ghost replaces the beginning of the URL by the blog's own.
  package static func mediaPrefix(_ blog: Blog) -> String { "__GHOST_URL__/\(folder)" }
  private static let folder = "content/images/threads/"

  private var zip: ZipWriter
  private let blog: Blog
  private var posts = UTF8Buffer()
  private var links = UTF8Buffer()
  private var tags: [String: Int] = [:]
  private var tagList = UTF8Buffer()
  private var count = 0

  package init(_ blog: Blog, to path: String?) throws(ExportFormatError) {
    zip = try ZipWriter(path)
    self.blog = blog
  }

  package mutating func add(_ post: BlogPost) throws(ExportFormatError) {
    count += 1
    let id = "\(count)"
    let thread = post.summary
    // Ghost's editor keeps the content of an HTML card unchanged.
    var html = UTF8Buffer("<!--kg-card-begin: html-->\n")
    html.append(post.body)
    html.append("<!--kg-card-end: html-->\n" as StaticString)
    var members: [String: JSONValue] = [
      "id": .string(id), "title": .string(String(thread.title.prefix(Self.longestTitle))),
      "slug": .string(post.name), "html": .string(html.string),
      "comment_id": .string(FeedEntry(thread: thread, content: nil).id), "type": "post",
      "status": "published", "visibility": "public",
    ]
    if let time = post.time {
      members["created_at"] = .string(time)
      members["published_at"] = .string(time)
    }
    if let time = post.updateTime { members["updated_at"] = .string(time) }
    if !thread.excerpt.isEmpty {
      members["custom_excerpt"] = .string(String(thread.excerpt.prefix(Self.longestExcerpt)))
    }
    Self.append(.object(members), to: &posts)
    // Spellings of a tag are one tag.
    var known: Set<Int> = []
    for tag in thread.tags {
      let number = tags[tag.path.text] ?? tags.count + 1
      if tags.updateValue(number, forKey: tag.path.text) == nil {
        let slug = Slug.make(from: tag.name)
        Self.append(
          [
            "id": .string("\(number)"), "name": .string(tag.name),
            "slug": .string(slug.isEmpty ? "tag-\(number)" : slug),
          ], to: &tagList)
      }
      guard known.insert(number).inserted else { continue }
      Self.append(
        [
          "post_id": .string(id), "tag_id": .string("\(number)"),
          "sort_order": .integer(Int64(known.count - 1)),
        ], to: &links)
    }
  }

  /// The lengths of columns in Ghost's database, in characters.
  private static let (longestTitle, longestExcerpt) = (255, 300)

  private static func append(_ value: JSONValue, to list: inout UTF8Buffer) {
    if !list.isEmpty { list.append(",\n" as StaticString) }
    list.append(JSONWriter.text(of: value, .compact))
  }

  package mutating func addMedia(
    _ name: String, content: () throws(ExportFormatError) -> BookPicture
  ) throws(ExportFormatError) {
    try zip.add(Self.folder + name, try content().bytes, .stored)
  }

  package mutating func finish() throws(ExportFormatError) {
    var text = UTF8Buffer(
      "{\"db\":[{\"meta\":{\"exported_on\":\(blog.modified),\"version\":\"5.0.0\"},\"data\":{\n")
    for (name, list) in [("posts", posts), ("tags", tagList), ("posts_tags", links)] {
      text.append("\"\(name)\":[\n")
      text.append(list)
      text.append(name == "posts_tags" ? "\n]\n" : "\n],\n")
    }
    text.append("}}]}\n" as StaticString)
    try zip.add("ghost.json", text.bytes, .deflated)
    try zip.finish()
  }
}
