package import Basics
import Foundation
import InterfaceText
package import SiteConfig
import Templates
package import ThreadModel

/// A rendered thread, from which its page is assembled. A build keeps it without the body and the related threads.
package struct ThreadPage: Sendable {
  package var summary: ThreadSummary
  /// The `<header>` with the title as HTML; empty if the site's own template writes a different header.
  package var header = UTF8Buffer()
  /// The rest as HTML.
  package var body = UTF8Buffer()
  /// The URL of the thread on its network.
  package var sourceURL: String?
  /// The same thread on other networks.
  package var copies: [Copy] = []
  /// The beginning of the thread's text, including its title; empty for a thread without text.
  package var beginning = ""
  /// Whether the body's heading repeats the first words of its text.
  package var headingIsText = false
  /// The hosts from which the body loads media.
  package var mediaHosts: [String] = []
  /// The table of contents; empty if the thread needs none.
  package var contents: [ContentsEntry] = []
  /// The HTML about related threads. It is rendered once all threads are known.
  package var related: UTF8Buffer?
  /// The HTML with replies from other sites. It is rendered together with `related`.
  package var webReplies: UTF8Buffer?
  /// The network's URLs for liking, reposting and answering the thread's first post; `nil` if the network has no such URLs.
  package var actions: PostActions?

  /// The URL of the same thread on another network.
  package struct Copy: Sendable {
    package var platform: Platform
    package var url: String
  }
}

extension ThreadPage: Record {
  package static let fields = RecordFields(
    Self.init, \.summary, \.header, \.body, \.sourceURL, \.copies, \.beginning, \.headingIsText, \.mediaHosts,
    \.contents,
    \.related, \.webReplies, \.actions)

  package init(
    summary: ThreadSummary, header: UTF8Buffer = UTF8Buffer(), body: UTF8Buffer = UTF8Buffer(),
    sourceURL: String?, mediaHosts: [String]
  ) {
    self.summary = summary
    self.header = header
    self.body = body
    self.sourceURL = sourceURL
    self.mediaHosts = mediaHosts
  }
}

extension ThreadPage.Copy: Record {
  package static let fields = RecordFields(Self.init(platform:url:), \.platform, \.url)

  /// - Parameter post: any post of the copy.
  package init(_ post: PostReference) { self.init(platform: post.platform, url: post.address) }
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

extension ContentsEntry: Record {
  package static let fields = RecordFields(
    Self.init(title:anchor:number:branch:), \.title, \.anchor, \.number, \.branch)
}

extension PageRenderer {
  /// The parts of a thread's HTML that a layout can show.
  private enum BodyPart: Int {
    case whole, header, body
  }

  /// The name of the theme's layout for threads.
  static let threadLayout = "thread"

  /// Renders the page of one thread.
  ///
  /// - Returns: the byte ranges of the header and of the body in the buffer; empty unless the layout shows both exactly once.
  @discardableResult
  package func render(
    _ page: ThreadPage, into buffer: inout UTF8Buffer
  ) throws(SiteOutputError) -> [Range<Int>] {
    let traces = try render(Self.threadLayout, values(of: page), into: &buffer)
    func range(of part: BodyPart) -> Range<Int>? {
      traces.first { $0.number == part.rawValue }?.range
    }
    guard Set(traces.map(\.number)).count == traces.count else { return [] }
    if let whole = range(of: .whole) {
      guard traces.count == 1 else { return [] }
      let end = whole.lowerBound + page.header.count
      return [whole.lowerBound..<end, end..<whole.upperBound]
    }
    guard let body = range(of: .body) else { return [] }
    let header = page.header.isEmpty ? 0..<0 : range(of: .header)
    return header.map { [$0, body] } ?? []
  }

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
    head.document = site.standardSite?.document(of: thread)
    var values = commonValues(head, links: links)
    values["thread"] = .object(threadValues(page, links))
    values["book"] = bookValue(.threads, of: thread.path, links)
    var whole = UTF8Buffer(capacity: page.header.count + page.body.count)
    whole.append(page.header)
    whole.append(page.body)
    values["body"] = .traced(whole, BodyPart.whole.rawValue)
    values["body_header"] = .traced(page.header, BodyPart.header.rawValue)
    values["body_text"] = .traced(page.body, BodyPart.body.rawValue)
    values["heading_is_text"] = .bool(page.headingIsText && !page.header.isEmpty)
    values["json_ld"] = .markup(structuredData(of: page))
    values["related"] = page.related.map { .markup($0) } ?? .missing
    values["web_replies"] = page.webReplies.map { .markup($0) } ?? .missing
    return values
  }

  private func threadValues(_ page: ThreadPage, _ links: LinkRoot) -> TemplateObject {
    let thread = page.summary
    var values = listingValues(of: thread, isOwnPage: true, links)
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
      values["share"] = shareValues(title: thread.title, url: url)
    }
    return values
  }

  /// Returns the URLs that begin a message with a page's title and URL.
  private func shareValues(title: String, url: String) -> TemplateValue {
    let title = PercentEncoding.encode(title)
    let url = PercentEncoding.encode(url)
    return [
      "mail_url": .text("mailto:?subject=\(title)&body=\(url)"),
      "networks": .list(
        site.networks.compactMap { network in
          network.links.share(title: title, url: url).map {
            ["name": .text(network.name), "url": .text($0)]
          }
        }),
    ]
  }

  private func contentsValues(_ entry: ContentsEntry) -> TemplateValue {
    [
      "title": .text(entry.title), "url": .text("#" + entry.anchor),
      "number": entry.number.map { .integer($0) } ?? .missing,
      "branch": entry.branch.map { .text($0) } ?? .missing,
    ]
  }
}

extension PageRenderer {
  /// Returns the thread as schema.org's DiscussionForumPosting in JSON-LD, escaped for a `<script>` element.
  ///
  /// Members are written in the alphabetical order of their names, so that the writer need not sort them.
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
