/// The tokens of HTML, parsed strictly and independently of the code that writes HTML, so that tests can check what a
/// browser reads: elements, attributes with their values, and text with its character references decoded.
///
/// Everything that a browser would have to repair is an error: a bare `<` or `&`, an unquoted
/// or repeated attribute, a reference without its semicolon, a NUL, an unclosed element. The parser follows the
/// tokenization chapter of the HTML standard (https://html.spec.whatwg.org/multipage/parsing.html), for the part of
/// HTML that generators write.
package struct HTMLTokens: Sendable, Equatable {
  package var tokens: [HTMLToken]

  /// Parses `html`; with `checksNesting`, every element that is not void must be closed in order.
  package init(_ html: String, checksNesting: Bool = true) throws(HTMLTokenError) {
    var tokenizer = HTMLTokenizer(bytes: Array(html.utf8))
    tokens = try tokenizer.run()
    if checksNesting { try Self.checkNesting(tokens) }
  }

  package init(tokens: [HTMLToken]) {
    self.tokens = tokens
  }

  /// All start tags, in order.
  package var startTags: [HTMLStartTag] {
    tokens.compactMap { if case .startTag(let tag) = $0 { tag } else { nil } }
  }

  /// Returns the visible text, with `lineBreak` for every `<br>`, without scripts and styles, and without the one
  /// newline after `<pre>` and `<textarea>` that browsers drop. No text is added between blocks.
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
        // Scalars are compared, because CR LF is one Character.
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

  /// Returns the content of each outermost element that `matches`, in order, without the tags of that element.
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

  /// Returns the contents of the outermost elements of a class, as `contents(where:)` does.
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
  /// The name in lower case.
  package var name: String
  /// The attributes in the order of the source, with names in lower case and decoded values; `""` for an attribute without a value.
  package var attributes: [HTMLAttribute]
  /// Whether the tag is written as `<name … />`.
  package var isSelfClosing: Bool

  package init(name: String, attributes: [HTMLAttribute] = [], isSelfClosing: Bool = false) {
    self.name = name
    self.attributes = attributes
    self.isSelfClosing = isSelfClosing
  }

  /// The value of an attribute; `nil` if it is missing.
  package subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  package var classes: [String] {
    (self["class"] ?? "").split(separator: " ").map { String($0) }
  }

  /// Whether the element has no content and no end tag, such as a self-closing element of SVG or MathML.
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

/// An error in HTML that is not strictly well formed. Lines count from 1; 0 means the whole text.
package struct HTMLTokenError: Error, Equatable, CustomStringConvertible {
  package var line: Int
  package var message: String

  package var description: String { line == 0 ? message : "line \(line): \(message)" }
}
