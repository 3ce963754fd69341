import TestSupport

/// The allowed elements and attributes of a page's body. No thread may produce anything else.
enum Allowlist {
  private static let attributes: [String: Set<String>] = [
    "article": ["class", "id", "lang", "dir"], "section": ["class", "id", "lang", "dir"],
    "header": ["class", "id"],
    "footer": ["class"],
    "div": ["class", "role", "lang", "dir"], "p": [], "br": [], "strong": [], "em": [], "h1": [], "h2": [],
    "ul": [], "li": ["class"], "blockquote": ["class"], "figure": ["class"],
    "a": ["href", "rel", "aria-label"],
    "img": [
      "src", "srcset", "sizes", "alt", "width", "height", "loading", "decoding", "fetchpriority", "class",
      "title",
    ],
    "meter": ["min", "max", "value", "aria-hidden"], "span": ["class"],
    "video": [
      "controls", "preload", "playsinline", "loop", "muted", "poster", "width", "height", "aria-label",
    ],
    "audio": ["controls", "preload", "aria-label"], "figcaption": [],
    "source": ["src", "type"], "track": ["kind", "src", "srclang", "label"],
  ]
  private static let addresses: Set<String> = ["href", "src", "poster"]
  private static let schemes = ["https://", "http://", "mailto:", "#post-", "../../media/"]

  /// Descriptions of the violations; empty for a valid page.
  static func violations(_ tokens: HTMLTokens) -> [String] {
    var found: [String] = []
    for token in tokens.tokens {
      switch token {
      case .comment, .doctype: found.append("\(token)")
      case .startTag(let tag): found += violations(tag)
      case .endTag, .text: break
      }
    }
    return found
  }

  private static func violations(_ tag: HTMLStartTag) -> [String] {
    guard let allowed = attributes[tag.name] else { return ["<\(tag.name)>"] }
    return tag.attributes.compactMap { attribute in
      guard allowed.contains(attribute.name) else { return "<\(tag.name) \(attribute.name)>" }
      // The only class that an image may have, with a title that is only a code.
      if tag.name == "img", ["class", "title"].contains(attribute.name) {
        let isEmoji = tag["class"] == "emoji" && tag["title"] == tag["alt"]
        let isCode = attribute.value.wholeMatch(of: /emoji|:[A-Za-z0-9_+.@-]{1,100}:/) != nil
        return isEmoji && isCode ? nil : "\(attribute.name)=\(attribute.value)"
      }
      guard addresses.contains(attribute.name) else { return nil }
      let value = attribute.value
      guard schemes.contains(where: { value.lowercased().hasPrefix($0) }) else {
        return "\(attribute.name)=\(value)"
      }
      let loads = tag.name != "a"
      return loads && !value.hasPrefix("https://") && !value.hasPrefix("../../media/")
        ? "loads \(value)" : nil
    }
  }
}
