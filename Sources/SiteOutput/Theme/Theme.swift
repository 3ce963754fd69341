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
  /// The same drawing in pixels, for what shows no SVG: home screens, and some browsers' tabs.
  package let touchIcon: TouchIcon?
  /// What stands in the head of every page; `nil` where the theme has none.
  package let headScript: InlineScript?
  /// The ground of its pages; `nil` where the theme does not say.
  package let colors: ThemeColors?
  /// The colour that the site chose for links; `nil` for the theme's own.
  package let accent: ThemeAccent?
  /// Files of the site, in the order of their names; each name holds a digest of the content.
  package let assets: [Asset]

  /// A square PNG, `static/icon.png`.
  package struct TouchIcon: Sendable {
    package let path: SitePath
    /// Pixels in a row.
    package let size: Int
  }

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

  /// The names of all values that layouts and partials are given, each a part between full stops, as docs/theming.md has them: so that a slip in
  /// a template can be told. A test compares them with what the code gives and with that page.
  package static let valueNames: Set<String> = [
    "accounts", "actions", "alt", "anchor", "archive", "assets", "author", "author_newer", "author_older",
    "authors", "avatar", "bio_html", "bluesky_url", "body", "body_header", "body_text", "book", "branch",
    "canonical", "classes", "collection", "collections", "colors", "contents", "copies", "corrected", "count",
    "counts", "csp", "current", "dark", "days", "description", "direction", "excerpt", "feed", "feeds",
    "first", "followers", "form", "found", "generator", "grid", "handle", "has_collections", "has_contents",
    "has_counts", "has_details", "has_feeds", "has_followers", "has_liked", "has_longest", "has_menu",
    "has_months", "has_more", "has_neighbours", "has_quoted_by", "has_several_threads", "has_tags",
    "has_titles", "head_script", "heading_is_text", "height", "home_url", "hour", "hours", "icon", "image",
    "initial", "introduction_html", "iso", "joined", "json_ld", "label", "language", "large", "length",
    "levels", "light", "like_url", "liked", "location", "longest", "mail_url", "manifest_url", "markdown_url",
    "mastodon_url", "me", "menu", "minutes_to_read", "months", "more", "more_tags", "name", "name_html",
    "nav", "network", "newer", "next", "next_url", "noindex", "number", "observed", "og_type", "older",
    "opensearch_url", "options", "page", "pages", "pagination", "partly", "period", "posts", "posts_text",
    "previous", "previous_url", "profile_url", "published", "quoted_by", "reading_minutes", "reading_text",
    "rel", "related", "reply_url", "repost_url", "root", "script", "search", "several", "share",
    "shows_author", "site", "size", "source", "statistics", "strength", "stylesheet", "tag", "tags", "text",
    "theme", "thread", "threads", "threads_text", "thumbnail", "time", "title", "titles", "touch_icon",
    "type", "updated", "url", "verified", "wander", "website", "week", "weekday", "weeks", "width", "x_url",
    "year", "years",
  ]
}
