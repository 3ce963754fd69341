import Basics
import MarkdownHTML

/// Markdown to HTML as strings, for tests.
func html(_ markdown: String, _ options: HTMLOptions = HTMLOptions()) throws(MarkdownHTMLError) -> String {
  var output = UTF8Buffer()
  try MarkdownHTML.render(Array(markdown.utf8), options: options, into: &output)
  return output.string
}
