package import Basics
import SiteConfig

/// The web app manifest, by which a phone can put the site on its home screen: name, icons, colors (https://www.w3.org/TR/appmanifest/).
package enum WebManifest {
  package static let path: SitePath = "site.webmanifest"

  /// Whether the site has a manifest. Without an icon, a manifest is useless.
  static func exists(for theme: Theme) -> Bool { theme.icons.any != nil }

  /// - Returns: an empty array for a theme without icons.
  package static func file(of site: SiteFacts, in theme: Theme) -> [(path: SitePath, content: UTF8Buffer)] {
    guard exists(for: theme) else { return [] }
    // URLs are relative to the manifest, which is in the site's top folder.
    var icons: [JSONValue] = []
    if let icon = theme.icons.vector {
      icons.append(["src": .string(icon.urlText), "type": "image/svg+xml", "sizes": "any"])
    }
    if let icon = theme.icons.bitmap {
      icons.append([
        "src": .string(icon.path.urlText), "type": "image/png", "sizes": .string("\(icon.size)x\(icon.size)"),
      ])
    }
    var members: [String: JSONValue] = [
      "name": .string(site.title), "lang": .string(site.language),
      "dir": .string(TextDirection.of(site.language)), "start_url": "./", "scope": "./",
      // Readers need the browser's back button, which `minimal-ui` shows.
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
