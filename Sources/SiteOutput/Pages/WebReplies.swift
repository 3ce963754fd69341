package import Basics
import InterfaceText
import Templates
package import ThreadModel

/// The replies from other sites on the page of one thread.
package struct WebReplies: Sendable {
  /// Replies and mentions with their words, oldest first. These are the newest ones if there are too many for a page.
  let shown: [WebMention]
  /// The number of older replies and mentions that the page leaves out.
  let older: Int
  /// The numbers of webmentions without words.
  let counts: [WebMention.Kind: Int]

  /// The maximum number of replies and mentions with their words on a page.
  package static let most = 100

  /// - Parameter mentions: the webmentions of one page, in any order.
  package init(_ mentions: [WebMention]) {
    let words = mentions.filter(\.kind.hasWords).sorted {
      $0.writtenAt == $1.writtenAt
        ? $0.link < $1.link
        : $0.writtenAt ?? Timestamp(milliseconds: .min) < $1.writtenAt ?? Timestamp(milliseconds: .min)
    }
    shown = words.suffix(Self.most)
    older = words.count - shown.count
    counts = mentions.lazy.filter { !$0.kind.hasWords }.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
  }
}

extension PageRenderer {
  /// The name of the theme's template for replies from other sites.
  static let webRepliesTemplate = "thread-web-replies"

  /// Whether the theme shows replies from other sites.
  var showsWebReplies: Bool { theme.layouts.contains(Self.webRepliesTemplate) }

  /// Renders the part of a thread's page with replies from other sites; `nil` if the theme does not show them.
  ///
  /// - Parameter path: the thread's page.
  package func webReplies(
    _ replies: WebReplies, on path: SitePath
  ) throws(SiteOutputError) -> UTF8Buffer? {
    guard showsWebReplies else { return nil }
    var html = UTF8Buffer(capacity: 4096)
    try render(Self.webRepliesTemplate, webReplyValues(replies, path), into: &html)
    return html
  }

  /// Returns the values that the template `thread-web-replies` receives.
  func webReplyValues(_ replies: WebReplies, _ path: SitePath) -> TemplateObject {
    var values = sharedValues(for: LinkRoot(from: path))
    values.add(ownWebReplyValues(replies))
    return values
  }

  /// Returns the values that depend on the replies.
  func ownWebReplyValues(_ replies: WebReplies) -> TemplateObject {
    let kinds: [(WebMention.Kind, StringKey)] = [
      (.like, .countLikes), (.repost, .countReposts), (.bookmark, .countBookmarks),
    ]
    let counts = kinds.compactMap { kind, key in
      replies.counts[kind].map { site.localization.count($0, key) }
    }
    return [
      "counts": counts.isEmpty
        ? .missing : .text(counts.joined(separator: site.localization.text(.listSeparator))),
      "older": replies.older > 0
        ? .text(site.localization.count(replies.older, .countOlderReplies)) : .missing,
      "replies": .list(replies.shown.map(values)),
    ]
  }

  private func values(_ reply: WebMention) -> TemplateValue {
    [
      // The source's host is a verified fact, unlike the author's name.
      "name": .text(reply.author ?? reply.host), "url": .text(reply.source), "host": .text(reply.host),
      "date": .date(reply.writtenAt, site.calendar.day),
      "text": reply.text.map { .text($0) } ?? .missing,
      "is_cut": .bool(reply.isCut),
    ]
  }
}

extension PageDigests {
  /// Returns the digest of a thread's page with replies from other sites.
  ///
  /// - Parameter digest: the digest of the page without them.
  package func adding(_ replies: WebReplies, to digest: UInt64) -> UInt64 {
    guard renderer.showsWebReplies else { return digest }
    var whole = ContentDigest()
    whole.add(digest)
    renderer.ownWebReplyValues(replies).digest(into: &whole)
    return whole.value
  }
}
