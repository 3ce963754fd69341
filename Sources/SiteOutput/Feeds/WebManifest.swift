package import Basics
import SiteConfig

/// What a phone needs to know to keep the site on its home screen: a name, icons, the ground (https://www.w3.org/TR/appmanifest/).
package enum WebManifest {
  package static let path: SitePath = "site.webmanifest"

  /// Whether a site has one: without an icon there is nothing to keep.
  static func exists(for theme: Theme) -> Bool { theme.icon != nil || theme.touchIcon != nil }

  /// - Returns: nothing for a theme without icons.
  package static func file(of site: SiteFacts, in theme: Theme) -> [(path: SitePath, content: UTF8Buffer)] {
    guard exists(for: theme) else { return [] }
    // Addresses in it are seen from where it stands, the site's top.
    var icons: [JSONValue] = []
    if let icon = theme.icon {
      icons.append(["src": .string(icon.urlText), "type": "image/svg+xml", "sizes": "any"])
    }
    if let icon = theme.touchIcon {
      icons.append([
        "src": .string(icon.path.urlText), "type": "image/png", "sizes": .string("\(icon.size)x\(icon.size)"),
      ])
    }
    var members: [String: JSONValue] = [
      "name": .string(site.title), "lang": .string(site.language),
      "dir": .string(TextDirection.of(site.language)), "start_url": "./", "scope": "./",
      // A page of a site for reading has to be left the way it was entered.
      "display": "minimal-ui", "icons": .array(icons),
    ]
    if let summary = site.summary { members["description"] = .string(summary) }
    if let colors = theme.colors {
      members["theme_color"] = .string(colors.light)
      members["background_color"] = .string(colors.light)
    }
    return [(path, JSONWriter.text(of: .object(members)))]
  }
}
