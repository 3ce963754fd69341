import Basics
import CCmark

/// Writes the options of polls, with their shares as words and as a bar.
///
///     - Yes<!-- dash --> — <!-- votes -->45 % (9 votes)<!-- meter 45.2 --> <!-- winner -->
///
///     <li class="winner t4 u5">Yes<span class="dash"> — </span><span class="votes">45 % (9 votes)</span><meter min="0" max="100" value="45.2"
///     aria-hidden="true"></meter> </li>
struct PollRenderer {
  /// Whether the element for the words of an option's share is open.
  private var isInShare = false

  /// Writes the classes of an option.
  func writeClasses(of item: CmarkNode, to writer: inout HTMLWriter) throws(MarkdownHTMLError) {
    let option = try PollOption(item)
    guard option.isWinner || option.percent != nil else { return }
    writer.write(" class=\"")
    if option.isWinner { writer.write(option.percent == nil ? "winner" : "winner ") }
    if let percent = option.percent { writer.writeDigits(of: percent) }
    writer.write("\"")
  }

  /// Begins the words for a share, or the separator between these and the option.
  mutating func beginShare(_ name: StaticString, to writer: inout HTMLWriter) {
    endShare(to: &writer)
    writer.write("<span class=\"")
    writer.write(name)
    writer.write("\">")
    isInShare = true
  }

  /// Ends the element, if it is open, at the latest at the end of its paragraph or item.
  mutating func endShare(to writer: inout HTMLWriter) {
    guard isInShare else { return }
    writer.write("</span>")
    isInShare = false
  }

  /// Writes a meter, hidden from screen readers, because the text beside it contains the same information.
  func writeMeter(_ share: Marker.Bytes, to writer: inout HTMLWriter) {
    writer.write("<meter min=\"0\" max=\"100\" value=\"")
    writer.write(html: UnsafeBufferPointer(rebasing: share))
    writer.write("\" aria-hidden=\"true\"></meter>")
  }
}

/// The properties of a poll's item.
private struct PollOption {
  private(set) var isWinner = false
  /// In whole percent.
  private(set) var percent: Int?

  /// Reads the markers in an item or in a paragraph of it.
  init(_ item: CmarkNode) throws(MarkdownHTMLError) {
    var block = item.firstChild
    while let node = block {
      if node.type == CMARK_NODE_HTML_BLOCK { add(try Marker(node.literal, line: node.line)) }
      var inline = node.type == CMARK_NODE_PARAGRAPH ? node.firstChild : nil
      while let node = inline {
        if node.type == CMARK_NODE_HTML_INLINE { add(try Marker(node.literal, line: node.line)) }
        inline = node.next
      }
      block = node.next
    }
  }

  private mutating func add(_ marker: Marker?) {
    switch marker {
    case .winner: isWinner = true
    case .meter(let share):
      percent = Double(String(decoding: share, as: UTF8.self)).map { min(max(Int($0.rounded()), 0), 100) }
    default: break
    }
  }
}
