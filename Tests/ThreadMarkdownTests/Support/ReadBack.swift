import TestSupport

/// The text that a browser would show for a page's tokens.
enum ReadBack {
  /// The text of every `post-text` section, in order. `<br>` is a line break, an empty line separates
  /// paragraphs, and an emoji's image is its alternative text. Throws if an element other than a paragraph
  /// contains text.
  static func postTexts(_ tokens: HTMLTokens) throws -> [String] {
    try tokens.contents(ofClass: "post-text").map(text)
  }

  private static func text(_ tokens: HTMLTokens) throws -> String {
    var result = String.UnicodeScalarView()
    var paragraphs = 0
    var isInside = false
    for token in tokens.tokens {
      switch token {
      case .startTag(let tag) where tag.name == "p":
        if paragraphs > 0 { result.append(contentsOf: "\n\n".unicodeScalars) }
        paragraphs += 1
        isInside = true
      case .endTag("p"):
        isInside = false
      case .startTag(let tag) where tag.name == "br":
        result.append("\n")
      case .startTag(let tag) where tag.name == "img":
        result.append(contentsOf: (tag["alt"] ?? "").unicodeScalars)
      case .startTag(let tag) where tag.name != "a":
        throw Unexpected(what: "<\(tag.name)> in a post's text")
      case .text(let text) where isInside:
        result.append(contentsOf: text.unicodeScalars)
      case .text(let text) where text.unicodeScalars.contains { $0 != "\n" }:
        throw Unexpected(what: "text outside of paragraphs: \(text)")
      default:
        break
      }
    }
    return String(result)
  }

  /// The form of a text that HTML can represent: newlines are LF, and characters that no document may contain
  /// are U+FFFD.
  static func representable(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0D: result.append("\n")
      case 0x0A: if previous != "\r" { result.append("\n") }
      case 0x09: result.append(scalar)
      case _ where scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint:
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
      previous = scalar
    }
    return String(result)
  }
}

struct Unexpected: Error, CustomStringConvertible {
  var what: String
  var description: String { what }
}
