import Basics
import Templates
import ThreadModel

/// Small pieces of Markdown and safe words that several components put into their values.
package enum MarkdownPieces {
  /// `[text](url)`, or the text alone where the address is none that may be linked.
  static func link(_ text: String, _ url: String?) -> TemplateValue {
    link(text, safe: url.flatMap(WebAddress.safe))
  }

  /// The same for an address that has been found safe.
  static func link(_ text: String, safe url: String?) -> TemplateValue {
    link(.text(text), safe: url)
  }

  /// The same for words that are Markdown already, or text.
  static func link(_ words: TemplateValue, safe url: String?) -> TemplateValue {
    // Room for both and a few backslashes.
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

  /// An address for a template to put between `](` and `)`. The address has been found safe.
  static func destination(_ url: String) -> TemplateValue {
    var piece = UTF8Buffer(capacity: url.utf8.count + 8)
    piece.appendLinkDestination(url)
    return .markup(piece)
  }

  /// `@ada` linked to her page; missing where the handle is not known.
  static func handleLink(_ author: Author?, else handle: String? = nil) -> TemplateValue {
    guard let handle = PlainText.nonEmptyLine(author?.handle) ?? PlainText.nonEmptyLine(handle) else {
      return .missing
    }
    return link("@" + handle.asName, author?.url)
  }

  /// Whose post it is: the name, else the handle. Isolated, because handle, date and numbers follow on the same line.
  static func name(_ author: Author?, in localization: Localization) -> String {
    PlainText.nonEmptyLine(author?.name).map { PlainText.isolated($0.asName) }
      ?? PlainText.nonEmptyLine(author?.handle).map { "@" + $0.asName } ?? localization.text(.unknownAuthor)
  }

  /// An id for a marker and for an anchor: letters and digits of ASCII and `. _ : -`, everything else replaced by `_`.
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
