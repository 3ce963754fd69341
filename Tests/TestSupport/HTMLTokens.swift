/// A strict reading of HTML as tokens, independent of what wrote it, so that tests can say what a browser
/// would see: elements, attributes with their values, and text with its character references decoded.
///
/// Strict means that whatever a browser would have to repair is an error here: a bare `<` or `&`, an unquoted
/// or repeated attribute, a reference without its semicolon, a NUL, an element left open. Written from the
/// tokenization chapter of the HTML standard (https://html.spec.whatwg.org/multipage/parsing.html), for the part of
/// HTML that a generator has any reason to write.
package struct HTMLTokens: Sendable, Equatable {
  package var tokens: [HTMLToken]

  /// Reads `html`; with `checksNesting`, every element that is not void must be closed in order.
  package init(_ html: String, checksNesting: Bool = true) throws(HTMLTokenError) {
    var tokenizer = HTMLTokenizer(bytes: Array(html.utf8))
    tokens = try tokenizer.run()
    if checksNesting { try Self.checkNesting(tokens) }
  }

  package init(tokens: [HTMLToken]) {
    self.tokens = tokens
  }

  /// Every start tag, in order.
  package var startTags: [HTMLStartTag] {
    tokens.compactMap { if case .startTag(let tag) = $0 { tag } else { nil } }
  }

  /// What a reader sees: the text, with `lineBreak` for every `<br>`, without scripts and styles, and without the one
  /// newline after `<pre>` and `<textarea>` that a browser drops. Blocks add nothing between them.
  package func text(lineBreak: String = "\n") -> String {
    var result = ""
    var hidden = 0
    var dropsNewline = false
    for token in tokens {
      var afterPre = false
      switch token {
      case .startTag(let tag):
        if tag.name == "br" { result += lineBreak }
        if HTMLTokenizer.rawTextElements.contains(tag.name) { hidden += 1 }
        afterPre = tag.name == "pre" || tag.name == "textarea"
      case .endTag(let name):
        if HTMLTokenizer.rawTextElements.contains(name) { hidden -= 1 }
      case .text(let text) where hidden == 0:
        // By scalars: as a Character, CR LF would be one.
        let scalars = text.unicodeScalars
        let drops = dropsNewline && scalars.first == "\n"
        result.unicodeScalars.append(contentsOf: drops ? scalars.dropFirst() : scalars[...])
      case .text, .comment, .doctype:
        break
      }
      dropsNewline = afterPre
    }
    return result
  }

  /// What is inside each outermost element that `matches`, in order; the element's own tags are left out.
  package func contents(where matches: (HTMLStartTag) -> Bool) -> [HTMLTokens] {
    var found: [HTMLTokens] = []
    var current: [HTMLToken]?
    var depth = 0
    for token in tokens {
      if case .startTag(let tag) = token, !tag.isVoid {
        depth += 1
        if current == nil, matches(tag) {
          current = []
          depth = 0
          continue
        }
      }
      if case .endTag = token {
        if depth == 0, let inside = current {
          found.append(HTMLTokens(tokens: inside))
          current = nil
          continue
        }
        depth -= 1
      }
      current?.append(token)
    }
    return found
  }

  /// `contents(where:)` for elements of one class.
  package func contents(ofClass name: String) -> [HTMLTokens] {
    contents { $0.classes.contains(name) }
  }

  private static func checkNesting(_ tokens: [HTMLToken]) throws(HTMLTokenError) {
    var open: [String] = []
    for token in tokens {
      switch token {
      case .startTag(let tag) where !tag.isVoid:
        open.append(tag.name)
      case .endTag(let name):
        guard open.popLast() == name else {
          throw HTMLTokenError(line: 0, message: "</\(name)> closes what is not the innermost open element")
        }
      default:
        break
      }
    }
    if let name = open.last { throw HTMLTokenError(line: 0, message: "<\(name)> is never closed") }
  }
}

package enum HTMLToken: Sendable, Equatable {
  case startTag(HTMLStartTag)
  case endTag(String)
  case text(String)
  case comment(String)
  case doctype(String)
}

package struct HTMLStartTag: Sendable, Equatable {
  /// In lower case.
  package var name: String
  /// In the order of the source; names in lower case, values decoded, `""` for an attribute without a value.
  package var attributes: [HTMLAttribute]
  /// Written as `<name … />`.
  package var isSelfClosing: Bool

  package init(name: String, attributes: [HTMLAttribute] = [], isSelfClosing: Bool = false) {
    self.name = name
    self.attributes = attributes
    self.isSelfClosing = isSelfClosing
  }

  /// The value of the attribute, `nil` where there is none.
  package subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  package var classes: [String] {
    (self["class"] ?? "").split(separator: " ").map { String($0) }
  }

  /// Has no content and no end tag (also what SVG or MathML writes as self-closing).
  package var isVoid: Bool {
    isSelfClosing || HTMLTokenizer.voidElements.contains(name)
  }
}

package struct HTMLAttribute: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// Where HTML is not strictly well formed. The line is 1-based; 0 where the whole is meant.
package struct HTMLTokenError: Error, Equatable, CustomStringConvertible {
  package var line: Int
  package var message: String

  package var description: String { line == 0 ? message : "line \(line): \(message)" }
}
