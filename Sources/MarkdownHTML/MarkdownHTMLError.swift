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
