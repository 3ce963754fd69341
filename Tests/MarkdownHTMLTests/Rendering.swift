import Basics
import MarkdownHTML

/// Renders a string for tests.
func html(_ markdown: String, _ options: HTMLOptions = HTMLOptions()) throws(MarkdownHTMLError) -> String {
  try MarkdownHTML.render(Array(markdown.utf8), options: options).whole.string
}
