import Basics
import InterfaceText
import Templates
import ThreadModel

/// Small pieces of Markdown and safe words that several components use in their values.
package enum MarkdownPieces {
  /// Returns `[text](url)`, or the text alone if the URL is not safe.
  static func link(_ text: String, _ url: String?) -> TemplateValue {
    link(text, safe: url.flatMap(WebAddress.safe))
  }

  /// Returns a link to a URL that has been checked to be safe.
  static func link(_ text: String, safe url: String?) -> TemplateValue {
    link(.text(text), safe: url)
  }

  /// Returns a link with words that are Markdown or plain text.
  static func link(_ words: TemplateValue, safe url: String?) -> TemplateValue {
    // Has room for both and a few backslashes.
    var piece = UTF8Buffer(capacity: 48 + (url?.utf8.count ?? 0))
    if url != nil { piece.append(UInt8(ascii: "[")) }
    switch words {
    case .text(let text): piece.appendEscapingMarkdown(text)
    case .markup(let markup): piece.append(markup)
    default: return words
    }
    guard let url else { return .markup(piece) }
    piece.append("](" as StaticString)
    piece.appendLinkDestination(url)
    piece.append(UInt8(ascii: ")"))
    return .markup(piece)
  }

  /// Returns a URL that a template can put between `](` and `)`. The URL must have been checked to be safe.
  static func destination(_ url: String) -> TemplateValue {
    var piece = UTF8Buffer(capacity: url.utf8.count + 8)
    piece.appendLinkDestination(url)
    return .markup(piece)
  }

  /// Returns `@ada` linked to the author's page on the network; missing if the handle is unknown.
  static func handleLink(_ author: Author?, else handle: String? = nil) -> TemplateValue {
    guard let handle = PlainText.nonEmptyLine(author?.handle) ?? PlainText.nonEmptyLine(handle) else {
      return .missing
    }
    return link("@" + handle.asHandle, author?.url)
  }

  /// Returns an author's name or, if it is missing, the handle, or else the id, as in lists. The name is isolated, because handle, date and
  /// numbers follow on the same line.
  static func name(_ author: Author?, in localization: Localization) -> String {
    PlainText.visibleLine(author?.name).map { PlainText.isolated($0.asName) }
      ?? PlainText.nonEmptyLine(author?.handle).map { "@" + $0.asHandle }
      ?? PlainText.nonEmptyLine(author?.id.value)?.asName ?? localization.text(.unknownAuthor)
  }

  /// Returns an id for a marker and an anchor: ASCII letters and digits and `. _ : -` stay, everything else is replaced by `_`.
  package static func anchor(_ id: String) -> String {
    guard !id.isEmpty else { return "_" }
    if id.utf8.withContiguousStorageIfAvailable({ $0.allSatisfy(isOfAnchor) }) ?? false { return id }
    return String(decoding: id.utf8.map { isOfAnchor($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
  }

  private static func isOfAnchor(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
