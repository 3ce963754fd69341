import Foundation
import SiteConfig
import Templates
import ThreadModel
package import UTF8Text
import Wording

extension PageRenderer {
  /// The values that the `thread` layout sees.
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
    var values = ThreadListing(thread, calendar: site.calendar, wording: site.wording).values(
      of: thread, for: links, showsAllTags: true)
    values["direction"] = thread.language.map { .text(TextDirection.of($0)) } ?? .missing
    if thread.readingMinutes > 0 {
      values["minutes_to_read"] = .text(site.wording.count(thread.readingMinutes, .minutesToRead))
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

  /// The body's header with the title, and the rest, so that a layout can put something between them; all of it is the rest
  /// where a site's own template writes another header.
  private static func parts(of body: UTF8Buffer) -> (header: UTF8Buffer, text: UTF8Buffer) {
    let end = Array("</header>\n".utf8)
    guard body.bytes.starts(with: "<header".utf8) else { return (UTF8Buffer(), body) }
    // The text of a header is escaped, so the first end is its own.
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

  /// Where a page has its body: bytes of it, in one piece, or in two where the layout has put something between header and text.
  ///
  /// - Returns: nothing where the layout has not left the body as it was.
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
  /// Where other bytes first stand among these.
  fileprivate func place(of other: [UInt8], from start: Int) -> Range<Int>? {
    guard let first = other.first, other.count <= count - start else { return nil }
    return withUnsafeBytes { all in
      other.withUnsafeBytes { other in
        guard let base = all.baseAddress, let otherBase = other.baseAddress else { return nil }
        // Where it begins at the latest.
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
