package import SiteConfig
package import Templates
import UTF8Text

/// How a site looks: layouts that make pages of values, components that make Markdown of posts, and the files that pages
/// refer to.
package struct Theme: Sendable {
  package let name: String
  package let layouts: TemplateSet
  /// Templates for Markdown that take the place of the installed ones.
  package let components: [TemplateSource]
  /// What a site may choose.
  package let options: [ThemeOptionDeclaration]
  /// Whether pages are given pictures of people.
  package let showsAvatars: Bool
  /// Whether previews of linked pages are given their pictures.
  package let showsCardImages: Bool
  /// Whether servers' own emoji are pictures.
  package let showsEmoji: Bool
  package let stylesheet: SitePath
  package let icon: SitePath?
  /// Files of the site, in the order of their names; each name holds a digest of the content.
  package let assets: [Asset]

  package struct Asset: Sendable {
    /// Below `static/`, as a template names it.
    package let name: String
    /// Where it is published.
    package let path: SitePath
    package let content: Content

    package enum Content: Sendable, Equatable {
      /// To be copied from this file.
      case file(String)
      /// A style sheet, whose references are to published names.
      case text([UInt8])
    }
  }

  /// The layouts that every theme has to have, one for each kind of page.
  package static let requiredLayouts = [
    "thread", "home", "author", "authors", "tag", "tags", "archive", "period", "collections", "collection",
    "404",
  ]
}
