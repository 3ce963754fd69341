import TestSupport
import ThreadModel

/// Random text with entities in any place.
enum RandomText {
  private static let fragments = [
    "- ", "+ ", "* ", "1. ", "1) ", "123456789. ", "> ", "# ", "###### ", "```", "~~~", "---", "===", "***",
    "___", "<!-- ", " -->",
    "<!-- /post -->", "&amp;", "&#x41;", "&#65;", "&nbsp", "[", "]", "](", ")", "![", "]: ", "\\", "|",
    "http://a.example", "<script>", "</div>",
    "<a href=\"javascript:alert(1)\">", "    ", "\t", "\n", "\n\n", "\n\n\n", "\r\n", "\r", " ", "  ", "  \n",
    "\\\n", "a", "B", "word", "é", "e\u{301}",
    "日本", "。", "عربي", "עברית", "👍🏽", "👩‍👩‍👧", "🇩🇪", "\u{200B}", "\u{200D}", "\u{202E}", "\u{2066}", "\u{A0}",
    "\u{3000}", "\u{2028}",
    "\u{85}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}", "\u{1FFFF}", "\u{10FFFF}", "\u{0}", "\u{7}", "\u{B}",
    "\u{C}", "\u{1B}", "\u{7F}", "\u{80}",
    "@ada", "#tag", "$CASH", ":-", ":)", "!", "?", ".", ",", "'", "\"", "{{x}}", "{{{y}}}", "%7B", "~", "^",
    "=", "_", "*", "`", "$", "%", "&", "<", ">",
  ]
  private static let addresses = [
    "https://a.example/", "http://b.example/?x=1&amp;y=2&z=(a)_[b]*c*", "javascript:alert(1)",
    "data:text/html,<b>", "https://c.example/<b>\"'`\\",
    "mailto:ada@example.com", "//d.example", "", "https://", "HTTPS://E.example/ü/%20",
    "https://f.example/a b", "vbscript:x", "https://g.example/)](",
  ]

  static func make(using random: inout SeededRandom) -> InlineText {
    var text = ""
    for _ in 0..<Int.random(in: 1...24, using: &random) {
      if Int.random(in: 0..<8, using: &random) == 0 {
        text.unicodeScalars.append(scalar(using: &random))
      } else {
        text += fragments.randomElement(using: &random) ?? ""
      }
    }
    let scalars = Array(text.unicodeScalars)
    var entities: [TextEntity] = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let start = Int.random(in: 0..<scalars.count, using: &random)
      let end = Int.random(in: start + 1...scalars.count, using: &random)
      // A line break of two scalars is one character. A range that splits it is meaningless.
      if isWithinLineBreak(start, scalars) || isWithinLineBreak(end, scalars) { continue }
      entities.append(TextEntity(start..<end, kind(using: &random)))
    }
    return InlineText(text, entities: entities)
  }

  private static func isWithinLineBreak(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    index > 0 && index < scalars.count && scalars[index - 1] == "\r" && scalars[index] == "\n"
  }

  private static func scalar(using random: inout SeededRandom) -> Unicode.Scalar {
    while true {
      if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) { return scalar }
    }
  }

  private static func kind(using random: inout SeededRandom) -> TextEntity.Kind {
    let url = addresses.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .mention(handle: "ada", url: url)
    case 1: return .mention(handle: "ada", url: nil)
    case 2: return .hashtag(tag: "tag", url: url)
    case 3: return .cashtag(symbol: "CASH", url: url)
    case 4:
      return .emoji(
        shortcode: "blob_cat",
        url: ["https://e.example/cat.png", "javascript:alert(1)"].randomElement(using: &random) ?? "")
    default: return .link(url: url, short: nil)
    }
  }
}
