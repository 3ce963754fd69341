import Basics

/// Adapts a thread's Markdown to Hugo and Zola.
enum PostMarkdown {
  /// Returns the document with the page's slug in its front matter, and without text that Hugo and Zola would run as a shortcode.
  ///
  /// Zola removes the date from the name of a folder, unless the front matter has a slug.
  static func text(_ markdown: [UInt8], slug: String) -> [UInt8] {
    let fence = Array("---\n".utf8)
    guard markdown.starts(with: fence) else { return escapingShortcodes(markdown[...]) }
    let rest = markdown.dropFirst(fence.count)
    let end = endOfFrontMatter(rest) ?? rest.startIndex
    return fence + Array("slug: \"\(slug)\"\n".utf8) + rest[..<end] + escapingShortcodes(rest[end...])
  }

  /// Returns the offset after the line that ends the front matter.
  private static func endOfFrontMatter(_ text: ArraySlice<UInt8>) -> Int? {
    var start = text.startIndex
    while start < text.endIndex {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
      if text[start..<end].elementsEqual("---".utf8) { return min(end + 1, text.endIndex) }
      start = min(end + 1, text.endIndex)
    }
    return nil
  }

  /// Escapes `{{` and `{%`, with which shortcodes begin (https://gohugo.io/content-management/shortcodes/,
  /// https://www.getzola.org/documentation/content/shortcodes/), as `{\{` and `{\%`. CommonMark shows both unchanged (2.4). Code is not changed, because
  /// a backslash would be shown there.
  private static func escapingShortcodes(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let (brace, percent, backtick) = (UInt8(ascii: "{"), UInt8(ascii: "%"), UInt8(ascii: "`"))
    guard text.contains(brace) else { return Array(text) }
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
      for byte in line {
        if byte == backtick, last != UInt8(ascii: "\\") { isInCode.toggle() }
        if !isInCode, last == brace, byte == brace || byte == percent { result.append(UInt8(ascii: "\\")) }
        result.append(byte)
        last = byte
      }
    }
    return result
  }
}
