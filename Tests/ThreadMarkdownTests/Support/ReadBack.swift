import TestSupport

/// What a browser would show of a page, from its tokens.
enum ReadBack {
  /// The text of every `post-text` section, in order: a line break for `<br>`, an empty line between paragraphs, and for an
  /// emoji's picture its alternative text. Throws where anything but paragraphs holds text.
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

  /// What HTML can hold of a text: newlines are LF, and what no document can hold is U+FFFD.
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
