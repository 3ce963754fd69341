package import Templates
import UTF8Text

/// How a site looks: layouts that make pages of values, and the files that pages refer to.
package struct Theme: Sendable {
  package let name: String
  package let layouts: TemplateSet
  package let stylesheet: SitePath
  package let icon: SitePath?
  /// Files to copy: from where, to where in the site.
  package let assets: [Asset]

  package struct Asset: Sendable {
    package let source: String
    package let path: SitePath
  }

  /// The layouts that every theme has to have, one for each kind of page.
  package static let requiredLayouts = [
    "thread", "home", "author", "authors", "tag", "tags", "archive", "period", "404",
  ]
}
