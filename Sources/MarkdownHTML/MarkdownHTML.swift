package import Basics
import CCmark

/// Markdown to the body of a page: libcmark parses, a walk over its tree writes.
///
/// Pairs of comment markers become sections, images and videos get what is known of them, links out get their `rel`, all
/// other raw HTML is dropped, and everything else is written as cmark writes it in its safe mode. The differences: a hard
/// line break is `<br>` without a newline behind it, since text is shown with its white space, and a destination whose
/// scheme is not on the list is no link at all.
///
/// The tree is walked by us rather than changed and given to cmark's renderer, because a class on a list item, a `<br>` or
/// the `rel` of a link would make custom nodes of most of it.
package enum MarkdownHTML {
  /// The longest document in bytes. cmark counts in 32 bits, and no thread is this long.
  package static let maximumLength = 16 << 20

  /// The version of libcmark that is linked.
  package static var cmarkVersion: (major: Int, minor: Int) {
    let version = Int(cmark_version())
    return (version >> 16 & 0xFF, version >> 8 & 0xFF)
  }

  /// Appends the HTML of `markdown` to `output`. On an error nothing is appended.
  package static func render(
    _ markdown: UnsafeBufferPointer<UInt8>, options: HTMLOptions = HTMLOptions(),
    into output: inout UTF8Buffer
  ) throws(MarkdownHTMLError) {
    try MarkdownLimits.check(markdown)
    let start = output.count
    // The buffer moves into the walk and back, so that it is never copied.
    var walk = HTMLRenderer(output: output, options: options)
    output = UTF8Buffer()
    defer { output = walk.output }
    do throws(MarkdownHTMLError) {
      let document = try CmarkDocument(parsing: markdown)
      try walk.write(document)
    } catch {
      walk.output.bytes.removeSubrange(start...)
      throw error
    }
  }

  /// `render` for an array.
  package static func render(
    _ markdown: [UInt8], options: HTMLOptions = HTMLOptions(), into output: inout UTF8Buffer
  ) throws(MarkdownHTMLError) {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try render(bytes, options: options, into: &output)
    }
  }

  /// `render` for a part of an array, such as a document behind its front matter.
  package static func render(
    _ markdown: ArraySlice<UInt8>, options: HTMLOptions = HTMLOptions(), into output: inout UTF8Buffer
  ) throws(MarkdownHTMLError) {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try render(bytes, options: options, into: &output)
    }
  }

  /// The words of the first paragraph of `markdown` that has some, without their markup: what a preview of it shows.
  /// Empty where there is none.
  package static func firstParagraph(of markdown: [UInt8]) throws(MarkdownHTMLError) -> String {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try MarkdownLimits.check(bytes)
      return try firstParagraph(of: CmarkDocument(parsing: bytes))
    }
  }

  /// The words of a document without their markup, each block on a line of its own: what a search finds of it.
  package static func words(of markdown: [UInt8]) throws(MarkdownHTMLError) -> String {
    try forDocument(markdown) { (document) throws(MarkdownHTMLError) in
      var text: [UInt8] = []
      var iterator = try CmarkIterator(over: document.root)
      while let (node, isEntering) = iterator.next() {
        switch node.type {
        case CMARK_NODE_TEXT, CMARK_NODE_CODE: text += node.literal
        case CMARK_NODE_CODE_BLOCK:
          text += node.literal
          text.append(UInt8(ascii: "\n"))
        case CMARK_NODE_LINEBREAK, CMARK_NODE_SOFTBREAK: text.append(UInt8(ascii: " "))
        case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING: if !isEntering { text.append(UInt8(ascii: "\n")) }
        default: break
        }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// Where a document leads, and what it shows.
  package struct Destination: Sendable, Hashable {
    /// After its escapes.
    package let url: String
    package let isImage: Bool
    /// Of the block that it stands in, from 1.
    package let line: Int
  }

  /// The destinations of all links and images, in their order.
  package static func destinations(of markdown: [UInt8]) throws(MarkdownHTMLError) -> [Destination] {
    try forDocument(markdown) { (document) throws(MarkdownHTMLError) in
      var found: [Destination] = []
      var line = 1
      var iterator = try CmarkIterator(over: document.root)
      while let (node, isEntering) = iterator.next() {
        guard isEntering else { continue }
        switch node.type {
        case CMARK_NODE_LINK, CMARK_NODE_IMAGE:
          found.append(
            Destination(
              url: String(decoding: node.url, as: UTF8.self), isImage: node.type == CMARK_NODE_IMAGE,
              line: max(line, node.line)))
        case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING: line = node.line
        case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: line += 1
        default: break
        }
      }
      return found
    }
  }

  /// The heading of the first level that a document begins with, and the lines that it stands in, from 1; `nil` where it begins with anything else.
  package static func title(
    of markdown: [UInt8]
  ) throws(MarkdownHTMLError) -> (text: String, lines: ClosedRange<Int>)? {
    try forDocument(markdown) { (document) throws(MarkdownHTMLError) in
      guard let first = document.root.firstChild, first.type == CMARK_NODE_HEADING, first.headingLevel == 1
      else { return nil }
      return (
        String(decoding: try words(of: first), as: UTF8.self), first.line...max(first.line, first.lastLine)
      )
    }
  }

  private static func forDocument<Result>(
    _ markdown: [UInt8], _ body: (borrowing CmarkDocument) throws(MarkdownHTMLError) -> Result
  ) throws(MarkdownHTMLError) -> Result {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try MarkdownLimits.check(bytes)
      return try body(CmarkDocument(parsing: bytes))
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

  /// The words of a block; nothing where there is no memory left.
  static func text(of block: CmarkNode) -> String {
    // Without an iterator nothing is written at all.
    String(decoding: (try? words(of: block)) ?? [], as: UTF8.self)
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

/// Why a document did not become HTML. It always comes from the components' templates (or from a document beyond the
/// limits), because nothing that a post says can hold a marker.
package struct MarkdownHTMLError: Error, Sendable, Equatable, CustomStringConvertible {
  /// 1-based, counted from the first line of the Markdown that was given; `nil` where the whole document is meant.
  package var line: Int?
  /// A full sentence: what is wrong and what to do.
  package var message: String

  /// Whether the document is longer than any that is rendered, which no template is to blame for.
  package var isTooLong = false

  package init(line: Int?, message: String, isTooLong: Bool = false) {
    self.line = line
    self.message = message
    self.isTooLong = isTooLong
  }

  package var description: String {
    line.map { "line \($0) of the Markdown: \(message)" } ?? message
  }
}
