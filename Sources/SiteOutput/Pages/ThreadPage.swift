package import Basics
import Foundation
import SiteConfig
import Templates
package import ThreadModel

/// A rendered thread, from which its page is made.
package struct ThreadPage: Sendable {
  package var summary: ThreadSummary
  /// The body as HTML.
  package var body: UTF8Buffer
  /// The address of the thread on its network.
  package var sourceURL: String?
  /// The same thread on other networks.
  package var copies: [Copy] = []
  /// The beginning of the thread's text, including its title; empty for a thread without text.
  package var beginning = ""
  /// Whether the body's heading repeats the first words of its text.
  package var headingIsText = false
  /// The hosts from which the body loads media.
  package var mediaHosts: [String]
  /// The table of contents; empty if the thread needs none.
  package var contents: [ContentsEntry] = []
  /// The HTML about related threads, which is rendered once all threads are known.
  package var related: UTF8Buffer?
  /// The network's addresses for liking, reposting and answering the thread's first post; `nil` if the network has no such addresses.
  package var actions: PostActions?

  /// The address of the same thread on another network.
  package struct Copy: Sendable {
    package var platform: Platform
    package var url: String

    package init(platform: Platform, url: String) {
      self.platform = platform
      self.url = url
    }
  }

  package init(summary: ThreadSummary, body: UTF8Buffer, sourceURL: String?, mediaHosts: [String]) {
    self.summary = summary
    self.body = body
    self.sourceURL = sourceURL
    self.mediaHosts = mediaHosts
  }
}

/// A line of a thread's table of contents.
package struct ContentsEntry: Sendable, Equatable {
  package var title: String
  /// The id of an element in the body.
  package var anchor: String
  /// The number of the post, from 1, if it is a post of the main line.
  package var number: Int?
  /// The label of a side branch, if the entry is one.
  package var branch: String?

  package init(title: String, anchor: String, number: Int? = nil, branch: String? = nil) {
    self.title = title
    self.anchor = anchor
    self.number = number
    self.branch = branch
  }
}

extension PageRenderer {
  /// Returns the values that the `thread` layout receives.
  func values(of page: ThreadPage) -> TemplateObject {
    let thread = page.summary
    let links = LinkRoot(from: thread.path)
    var head = PageHead(
      path: thread.path, title: thread.title, summary: thread.excerpt.isEmpty ? nil : thread.excerpt,
      author: thread.author.name,
      published: thread.published, updated: thread.updated, image: thread.image,
      mediaHosts: Set(page.mediaHosts + thread.author.emojiHosts).sorted(),
      isArticle: true)
    head.isHidden = thread.author.isHiddenFromSearch || thread.isHiddenFromSearch
    var values = commonValues(head, links: links)
    values["thread"] = .object(threadValues(page, links))
    values["book"] = bookValue(.threads, of: thread.path, links)
    let (header, text) = Self.parts(of: page.body)
    values["body"] = .markup(page.body)
    values["body_header"] = .markup(header)
    values["body_text"] = .markup(text)
    values["heading_is_text"] = .bool(page.headingIsText && !header.isEmpty)
    values["json_ld"] = .markup(structuredData(of: page))
    values["related"] = page.related.map { .markup($0) } ?? .missing
    return values
  }

  private func threadValues(_ page: ThreadPage, _ links: LinkRoot) -> TemplateObject {
    let thread = page.summary
    var values = ThreadListing(thread, calendar: site.calendar, localization: site.localization).values(
      of: thread, for: links, showsAllTags: true)
    values["direction"] = thread.language.map { .text(TextDirection.of($0)) } ?? .missing
    if thread.readingMinutes > 0 {
      values["minutes_to_read"] = .text(site.localization.count(thread.readingMinutes, .minutesToRead))
    }
    values["url"] = "./"
    values["markdown_url"] = "index.md"
    values["source"] =
      page.sourceURL.flatMap(WebAddress.safe).map {
        ["url": .text($0), "name": .text(thread.id.platform.displayName)]
      } ?? .missing
    values["copies"] = .list(
      page.copies.compactMap { copy in
        WebAddress.safe(copy.url).map { ["url": .text($0), "name": .text(copy.platform.displayName)] }
      })
    values["contents"] = .list(page.contents.map(contentsValues))
    values["has_contents"] = .bool(!page.contents.isEmpty)
    if let actions = page.actions {
      values["actions"] = [
        "like_url": .text(actions.like), "repost_url": .text(actions.repost),
        "reply_url": .text(actions.reply),
      ]
    }
    if let url = site.url(of: thread.path) {
      let share = ShareLinks(title: thread.title, url: url)
      values["share"] = [
        "mail_url": .text(share.mail), "x_url": .text(share.x), "bluesky_url": .text(share.bluesky),
        "mastodon_url": .text(share.mastodon),
      ]
    }
    return values
  }

  private func contentsValues(_ entry: ContentsEntry) -> TemplateValue {
    [
      "title": .text(entry.title), "url": .text("#" + entry.anchor),
      "number": entry.number.map { .integer($0) } ?? .missing,
      "branch": entry.branch.map { .text($0) } ?? .missing,
    ]
  }

  /// Splits the body into the header with the title and the rest, so that a layout can put something between them. If the site's own template writes a
  /// different header, the first part is empty.
  private static func parts(of body: UTF8Buffer) -> (header: UTF8Buffer, text: UTF8Buffer) {
    let end = Array("</header>\n".utf8)
    guard body.bytes.starts(with: "<header".utf8) else { return (UTF8Buffer(), body) }
    // The header's text is escaped, so the first end tag belongs to the header itself.
    var index = 0
    while let tag = body.bytes[index...].firstIndex(of: end[0]) {
      if body.bytes[tag...].starts(with: end) {
        let cut = tag + end.count
        return (UTF8Buffer(bytes: Array(body.bytes[..<cut])), UTF8Buffer(bytes: Array(body.bytes[cut...])))
      }
      index = tag + 1
    }
    return (UTF8Buffer(), body)
  }

  /// Returns the byte ranges of the body in a page: one range, or two if the layout has put something between header and text.
  ///
  /// - Returns: an empty array if the layout has changed the body.
  package static func places(of body: UTF8Buffer, in page: UTF8Buffer) -> [Range<Int>] {
    if let place = page.bytes.place(of: body.bytes, from: 0) { return [place] }
    let (header, text) = parts(of: body)
    guard !header.isEmpty, let first = page.bytes.place(of: header.bytes, from: 0),
      let second = page.bytes.place(of: text.bytes, from: first.upperBound)
    else { return [] }
    return [first, second]
  }
}

extension [UInt8] {
  /// Returns the range of the first occurrence of other bytes.
  fileprivate func place(of other: [UInt8], from start: Int) -> Range<Int>? {
    guard let first = other.first, other.count <= count - start else { return nil }
    return withUnsafeBytes { all in
      other.withUnsafeBytes { other in
        guard let base = all.baseAddress, let otherBase = other.baseAddress else { return nil }
        // The end of the offsets at which an occurrence can begin.
        let end = all.count - other.count + 1
        var offset = start
        while offset < end, let found = memchr(base + offset, Int32(first), end - offset) {
          offset = UnsafeRawPointer(found) - base
          if memcmp(base + offset, otherBase, other.count) == 0 { return offset..<offset + other.count }
          offset += 1
        }
        return nil
      }
    }
  }
}

extension PageRenderer {
  /// Returns the thread as schema.org's DiscussionForumPosting in JSON-LD, escaped for a `<script>` element.
  ///
  /// Members are written in the alphabetical order of their names, which saves the writer from sorting them.
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
      // Programs read this text without the headline.
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
  /// Writes a member unless its value is `nil`.
  fileprivate mutating func member(_ key: String, _ value: String?) {
    if let value { member(key) { $0.string(value) } }
  }
}
