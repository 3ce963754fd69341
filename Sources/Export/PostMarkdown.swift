import Basics
import ExportFormats

/// Adapts a thread's Markdown to site generators.
enum PostMarkdown {
  /// Returns the document with the page's slug in its front matter, and without text that Hugo and Zola would run as a shortcode.
  ///
  /// Zola removes the date from the name of a folder, unless the front matter has a slug.
  static func text(_ markdown: [UInt8], slug: String) -> [UInt8] {
    let body = body(of: markdown)
    let matter = markdown[..<body.startIndex]
    let escaped = escaping(body, pairs: ["{{", "{%"])
    guard !matter.isEmpty else { return escaped }
    return Array("---\nslug: \"\(slug)\"\n".utf8) + matter.dropFirst(fence.count) + escaped
  }

  /// Returns a post of a site generator.
  static func text(_ markdown: [UInt8], of post: GeneratorPost, for preset: GeneratorPreset) -> [UInt8] {
    var body = body(of: markdown)
    body = body.drop { $0 == UInt8(ascii: "\n") }
    return preset.frontMatter(of: post).bytes
      + escaping(body, pairs: preset.pairs)
  }

  private static let fence = Array("---\n".utf8)

  /// Returns the text after the front matter.
  private static func body(of text: [UInt8]) -> ArraySlice<UInt8> {
    guard text.starts(with: fence) else { return text[...] }
    var start = fence.count
    while start < text.endIndex {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
      let next = min(end + 1, text.endIndex)
      if text[start..<end].elementsEqual("---".utf8) { return text[next...] }
      start = next
    }
    return text[fence.count...]
  }

  /// Writes a backslash between the two bytes of each pair, such as `{{` and `{%`, with which shortcodes begin
  /// (https://gohugo.io/content-management/shortcodes/, https://www.getzola.org/documentation/content/shortcodes/). CommonMark shows `{\{`
  /// as `{{` (2.4). Code is not changed, because a backslash would be shown there.
  ///
  /// Vertical bars, and a colon at the start of a line, are escaped as well, because most generators extend CommonMark with tables and definitions.
  private static func escaping(_ text: ArraySlice<UInt8>, pairs: [String]) -> [UInt8] {
    let pairs = pairs.map { Array($0.utf8) }
    let (backslash, backtick) = (UInt8(ascii: "\\"), UInt8(ascii: "`"))
    var result: [UInt8] = []
    result.reserveCapacity(text.count + 64)
    var isInFence = false
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if !result.isEmpty || line.startIndex > text.startIndex { result.append(UInt8(ascii: "\n")) }
      let content = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ">") }
      let isMark = content.starts(with: "```".utf8) || content.starts(with: "~~~".utf8)
      if isMark { isInFence.toggle() }
      guard !isInFence, !isMark else {
        result += line
        continue
      }
      var isInCode = false
      var last: UInt8?
      for (position, byte) in zip(line.indices, line) {
        if byte == backtick, last != backslash { isInCode.toggle() }
        if !isInCode, last != backslash {
          let isPair = last.map { last in pairs.contains { $0[0] == last && $0[1] == byte } } ?? false
          let isExtension =
            byte == UInt8(ascii: "|") || byte == UInt8(ascii: ":") && position == content.startIndex
          if isPair || isExtension { result.append(backslash) }
        }
        result.append(byte)
        last = byte
      }
    }
    return result
  }
}
