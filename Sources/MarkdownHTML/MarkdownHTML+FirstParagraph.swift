import CCmark

extension MarkdownHTML {
  /// The words of the first paragraph of `markdown` that has some, without their markup: what a preview of it shows.
  /// Empty where there is none.
  package static func firstParagraph(of markdown: [UInt8]) throws(MarkdownHTMLError) -> String {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try MarkdownLimits.check(bytes)
      return try firstParagraph(of: CmarkDocument(parsing: bytes))
    }
  }

  private static func firstParagraph(of document: borrowing CmarkDocument) throws(MarkdownHTMLError) -> String
  {
    var block = document.root.firstChild
    while let node = block {
      let text = node.type == CMARK_NODE_PARAGRAPH ? try words(of: node) : []
      if !text.isEmpty { return String(decoding: text, as: UTF8.self) }
      block = node.next
    }
    return ""
  }

  /// Text and code, and a space for every line break.
  private static func words(of paragraph: CmarkNode) throws(MarkdownHTMLError) -> [UInt8] {
    var text: [UInt8] = []
    var iterator = try CmarkIterator(over: paragraph)
    while let (node, isEntering) = iterator.next() {
      guard isEntering else { continue }
      switch node.type {
      case CMARK_NODE_TEXT, CMARK_NODE_CODE: text += node.literal
      case CMARK_NODE_LINEBREAK, CMARK_NODE_SOFTBREAK: text.append(UInt8(ascii: " "))
      default: break
      }
    }
    return text
  }
}
