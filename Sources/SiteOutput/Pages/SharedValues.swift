import Templates

/// The values that are the same on every page, but for the way to the site's top in their links.
struct SharedValues {
  let site: SiteFacts
  let theme: Theme

  func make(for links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    values["site"] = .object(siteValues(links))
    values["theme"] = [
      "stylesheet": .text(links.href(theme.stylesheet)),
      "icon": theme.icon.map { .text(links.href($0)) } ?? .missing,
      "options": .object(optionValues),
    ]
    values["feeds"] = .list(feedValues(links))
    values["has_feeds"] = .bool(site.hasFeeds)
    values["generator"] = "threadsite"
    return values
  }

  private var optionValues: TemplateObject {
    var values = TemplateObject()
    for (name, value) in site.themeOptions {
      switch value {
      case .text(let text): values[name] = .text(text)
      case .flag(let flag): values[name] = .bool(flag)
      }
    }
    return values
  }

  private func siteValues(_ links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    values["title"] = .text(site.title)
    values["description"] = site.summary.map { .text($0) } ?? .missing
    values["language"] = .text(site.language)
    values["direction"] = .text(TextDirection.of(site.language))
    values["home_url"] = .text(links.href(.top))
    values["root"] = .text(links.prefix)
    return values
  }

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
