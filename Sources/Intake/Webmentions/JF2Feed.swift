import Basics
import Foundation
import ThreadModel

/// A page of received webmentions in JF2 (https://www.w3.org/TR/jf2/), with the properties that webmention.io adds: `wm-source`, `wm-target`,
/// `wm-property`, `wm-private`, `wm-received` (its `helpers/formats.rb`, November 2026).
///
/// Every value may have been chosen by a stranger. Entries of an unknown form are skipped.
struct JF2Feed: Sendable {
  /// The public webmentions, in the order of the feed.
  private(set) var mentions: [WebMention] = []
  /// The number of all entries.
  let count: Int
  /// The number of entries of an unknown form. Private webmentions, and kinds that pages do not show, are not among them.
  private(set) var unreadable = 0

  /// - Returns: `nil` if the document is not a JF2 feed.
  init?(_ document: JSONValue) {
    guard let entries = document["children"]?.array else { return nil }
    count = entries.count
    for entry in entries {
      guard let property = entry["wm-property"]?.string else {
        unreadable += 1
        continue
      }
      // A value of another type does not make a webmention public.
      guard [nil, .null, .bool(false)].contains(entry["wm-private"]),
        let kind = WebMention.Kind(rawValue: property)
      else { continue }
      guard let mention = Self.mention(kind, entry) else {
        unreadable += 1
        continue
      }
      mentions.append(mention)
    }
  }

  private static func mention(_ kind: WebMention.Kind, _ entry: JSONValue) -> WebMention? {
    guard let source = entry["wm-source"]?.string, let target = entry["wm-target"]?.string else { return nil }
    return WebMention(
      kind, source: source, target: target, author: entry["author"]?["name"]?.string,
      authorURL: entry["author"]?["url"]?.string,
      writtenAt: time(entry["published"]) ?? time(entry["wm-received"]), text: text(entry))
  }

  /// Returns the words as plain text; never HTML. A page without content has a summary or a name.
  private static func text(_ entry: JSONValue) -> String? {
    let content = entry["content"]
    let texts = [
      content?["text"], content, entry["summary"]?["value"], entry["summary"], entry["name"],
    ]
    return texts.lazy.compactMap { $0?.string }.first { !$0.allSatisfy(\.isWhitespace) }
  }

  /// Returns a time; `nil` for other values. A time without an offset counts as UTC.
  private static func time(_ value: JSONValue?) -> Timestamp? {
    guard let text = value?.string else { return nil }
    return Timestamp(iso8601: text) ?? Timestamp(iso8601: text + "Z")
  }
}
