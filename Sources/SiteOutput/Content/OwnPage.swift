package import UTF8Text

/// A page of the owner's own, as its theme shows it.
package struct OwnPage: Sendable {
  package var path: SitePath
  package var title: String
  /// One paragraph, for previews.
  package var summary: String?
  /// BCP 47; `nil` for the site's.
  package var language: String?
  /// HTML.
  package var body: UTF8Buffer

  package init(path: SitePath, title: String, summary: String?, language: String?, body: UTF8Buffer) {
    self.path = path
    self.title = title
    self.summary = summary
    self.language = language
    self.body = body
  }

  /// The theme's layout for it; a theme without can show none.
  package static let layout = "page"
}

/// One entry of the navigation.
package struct MenuEntry: Sendable, Equatable {
  package enum Target: Sendable, Equatable {
    /// A part of the site.
    case threads, collections, authors, tags, archive, search
    case feed
    case page(SitePath)
    /// An address elsewhere.
    case url(String)
  }

  package var target: Target
  /// `nil` for the part's own name.
  package var label: String?

  package init(_ target: Target, label: String? = nil) {
    self.target = target
    self.label = label
  }

  /// The parts of a site, in the order in which its navigation has them if its owner says nothing.
  package static let parts: [MenuEntry] = [
    MenuEntry(.threads), MenuEntry(.collections), MenuEntry(.authors), MenuEntry(.tags), MenuEntry(.archive),
    MenuEntry(.search),
  ]
}
