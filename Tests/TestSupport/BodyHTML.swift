/// The elements and attributes that the HTML of a body may contain. The list is separate from the writer's and is checked on tokens,
/// so that the check does not repeat a mistake of the writer.
package enum BodyHTML {
  private static let global: Set<String> = ["class", "id", "lang", "dir", "role", "title"]

  private static let elements: [String: Set<String>] = [
    "a": ["href", "rel", "aria-label"], "article": [], "audio": ["controls", "preload", "aria-label"],
    "blockquote": [], "br": [], "button": ["popovertarget", "aria-label"], "code": [],
    "details": [], "div": ["popover"],
    "em": [],
    "figcaption": [], "figure": [],
    "footer": [],
    "h1": [], "h2": [], "h3": [], "h4": [], "h5": [], "h6": [], "header": [], "hr": [],
    "img": ["src", "alt", "width", "height", "srcset", "sizes", "loading", "decoding", "fetchpriority"],
    "input": ["type"], "label": [], "li": [],
    "meter": ["min", "max", "value", "aria-hidden"], "ol": ["start"], "p": [], "pre": [], "section": [],
    "source": ["src", "type"], "span": [], "strong": [], "summary": [], "ul": [],
    "track": ["kind", "src", "srclang", "label"],
    "video": [
      "controls", "preload", "playsinline", "loop", "muted", "poster", "width", "height", "aria-label",
    ],
  ]

  /// The elements of a table on a page of the owner, and its box.
  private static let table: [String: Set<String>] = [
    "div": ["popover", "tabindex"], "pre": ["tabindex"], "table": [], "tbody": [], "td": ["colspan"],
    "th": ["scope"], "thead": [],
    "tr": [],
  ]

  /// Returns a description of everything in `html` that is not on the list.
  ///
  /// - Parameter tables: whether the HTML may contain tables.
  /// - Throws: ``HTMLTokenError`` if the HTML is not strictly well formed.
  package static func violations(in html: String, tables: Bool = false) throws(HTMLTokenError) -> [String] {
    let elements = tables ? elements.merging(table) { $1 } : elements
    var found: [String] = []
    let tokens = try HTMLTokens(html)
    var isInLink = false
    for token in tokens.tokens {
      if case .startTag(let tag) = token, tag.name == "a" {
        if isInLink { found.append("a link within a link") }
        isInLink = true
      }
      if case .endTag("a") = token { isInLink = false }
      if case .comment(let text) = token { found.append("a comment: \(text)") }
      if case .doctype(let text) = token { found.append("a doctype: \(text)") }
    }
    for tag in tokens.startTags {
      guard let attributes = elements[tag.name] else {
        found.append("<\(tag.name)>")
        continue
      }
      for attribute in tag.attributes {
        if !attributes.contains(attribute.name), !global.contains(attribute.name) {
          found.append("\(attribute.name) of <\(tag.name)>")
        }
        if ["href", "src", "poster"].contains(attribute.name), !hasSafeScheme(attribute.value) {
          found.append("\(attribute.name)=\(attribute.value)")
        }
      }
    }
    return found
  }

  /// Returns whether an address has a safe scheme, or no scheme. All spaces and controls are ignored: browsers ignore some of them.
  private static func hasSafeScheme(_ url: String) -> Bool {
    let seen = url.unicodeScalars.filter { $0.value > 0x20 }
    guard let end = seen.firstIndex(where: { ":/?#".unicodeScalars.contains($0) }), seen[end] == ":" else {
      return true
    }
    return ["http", "https", "mailto"].contains(String(String.UnicodeScalarView(seen[..<end])).lowercased())
  }
}
