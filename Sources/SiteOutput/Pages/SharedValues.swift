import SiteConfig
import Templates

/// Creates the template values that are the same on every page, except for the relative path to the site's top folder in links.
struct SharedValues {
  let site: SiteFacts
  let theme: Theme

  func make(for links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    values["site"] = .object(siteValues(links))
    values["theme"] = [
      "stylesheet": .text(links.href(theme.stylesheet)),
      "icon": theme.icons.vector.map { .text(links.href($0)) } ?? .missing,
      "legacy_icon": theme.icons.legacy.map { .text(links.href($0)) } ?? .missing,
      "touch_icon": theme.icons.bitmap.map {
        ["url": .text(links.href($0.path)), "size": .integer($0.size)]
      } ?? .missing,
      "head_script": theme.inlineScript(on: site).map { .text($0.text) } ?? .missing,
      "colors": theme.colors.map { ["light": .text($0.light), "dark": .text($0.dark)] } ?? .missing,
      "options": .object(optionValues),
      "classes": .text(site.themeOptions.classes.joined(separator: " ")),
      "assets": .object(assetValues(links)),
    ]
    values["feeds"] = .list(feedValues(links))
    values["has_feeds"] = .bool(site.hasFeeds)
    values["generator"] = "threadsite"
    return values
  }

  private var optionValues: TemplateObject {
    var values = TemplateObject()
    for (name, value) in site.themeOptions.values {
      switch value {
      case .text(let text): values[name] = .text(text)
      case .flag(let flag): values[name] = .bool(flag)
      case .number(let number): values[name] = .integer(number)
      }
    }
    return values
  }

  /// Returns the URL of every asset by its name. A full stop in a name leads to a nested object, because Mustache splits names at full
  /// stops.
  private func assetValues(_ links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    for asset in theme.assets {
      set(.text(links.href(asset.path)), at: asset.name.split(separator: ".")[...], in: &values)
    }
    return values
  }

  private func set(_ value: TemplateValue, at path: ArraySlice<Substring>, in values: inout TemplateObject) {
    guard let first = path.first.map(String.init) else { return }
    guard path.count > 1 else { return values[first] = value }
    var inner = if case .object(let object) = values[first] { object } else { TemplateObject() }
    set(value, at: path.dropFirst(), in: &inner)
    values[first] = .object(inner)
  }

  private func siteValues(_ links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    for member in Self.siteMembers { values[member.name] = member.value(self, links) }
    return values
  }

  /// The only list of the members of `site` in layouts.
  static let siteMembers: [(name: String, value: @Sendable (SharedValues, LinkRoot) -> TemplateValue)] = [
    ("title", { shared, _ in .text(shared.site.title) }),
    ("description", { shared, _ in shared.site.summary.map { .text($0) } ?? .missing }),
    ("language", { shared, _ in .text(shared.site.language) }),
    ("direction", { shared, _ in .text(TextDirection.of(shared.site.language)) }),
    ("home_url", { _, links in .text(links.href(.top)) }),
    ("root", { _, links in .text(links.prefix) }),
    (
      "manifest_url",
      { shared, links in
        WebManifest.exists(for: shared.theme) ? .text(links.href(WebManifest.path)) : .missing
      }
    ),
    (
      "opensearch_url",
      { shared, links in
        SearchDescription.exists(for: shared.site, in: shared.theme)
          ? .text(links.href(SearchDescription.path)) : .missing
      }
    ),
    (
      "webmention_url",
      { shared, _ in shared.site.config.webmention.endpoint.map { .text($0.description) } ?? .missing }
    ),
  ]

  private func feedValues(_ links: LinkRoot) -> [TemplateValue] {
    guard site.hasFeeds else { return [] }
    return [
      [
        "type": "application/atom+xml", "title": .text(site.title), "name": "Atom",
        "url": .text(links.href(SiteFeeds.atomPath)),
      ],
      [
        "type": "application/feed+json", "title": .text(site.title), "name": "JSON Feed",
        "url": .text(links.href(SiteFeeds.jsonPath)),
      ],
    ]
  }
}
