package import UTF8Text

/// Words that stand in templates by name, `{{words.replies}}`, so that the templates themselves are of no language.
///
/// They are put in when templates are compiled: a page that is rendered a thousand times finds them in its literals, and a
/// name that nobody has words for is a mistake in the template, not a hole in the page. A word may hold the names of values,
/// `Page {page} of {pages}`, which are looked up where it stands.
package struct TemplateWords: Sendable {
  /// What the first part of a name is that means words.
  static let namespace = "words"

  let words: [String: BracedText]

  package static let none = TemplateWords([:])

  /// - Parameter words: the text of each, by its name.
  package init(_ words: [String: BracedText]) { self.words = words }
}
