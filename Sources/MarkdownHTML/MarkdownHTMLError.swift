/// Why a document did not become HTML. It always comes from the components' templates (or from a document beyond the
/// limits), because nothing that a post says can hold a marker.
package struct MarkdownHTMLError: Error, Sendable, Equatable, CustomStringConvertible {
  /// 1-based, counted from the first line of the Markdown that was given; `nil` where the whole document is meant.
  package var line: Int?
  /// A full sentence: what is wrong and what to do.
  package var message: String

  package init(line: Int?, message: String) {
    self.line = line
    self.message = message
  }

  package var description: String {
    line.map { "line \($0) of the Markdown: \(message)" } ?? message
  }
}
