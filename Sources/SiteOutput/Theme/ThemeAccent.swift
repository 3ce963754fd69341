import SiteConfig

/// The color that a site chose for links and tints, for the light and the dark scheme of a theme.
package struct ThemeAccent: Sendable, Equatable {
  /// In the form `#rrggbb`.
  package let light: String
  /// In the same form, or as the CSS color that is computed from `light`.
  package let dark: String
  /// Warnings about colors with too little contrast.
  package let findings: [Finding]

  package struct Finding: Sendable, Equatable {
    /// A key path in site.yml.
    package let keyPath: String
    package let message: String
  }

  /// The minimum contrast of text (WCAG 2.2, 1.4.3).
  private static let least = 4.5
  /// A shade of the hue with a contrast of at least 7 : 1 on dark grounds up to `#171614`, and of 4.5 : 1 on grounds up to `#3d3d3d`. Links
  /// are also shown on tinted grounds. For some hues, a higher chroma would be outside of sRGB, and browsers would then change the hue.
  private static let darkShade = "max(l,.75) min(c,.15) h"

  /// - Parameter ground: the background colors of the theme's pages; `nil` for white and nearly black.
  init(_ accent: SiteConfig.Accent, on ground: ThemeColors?) {
    let grounds = (RGBColor(ground?.light ?? "#ffffff"), RGBColor(ground?.dark ?? "#121212"))
    light = accent.light
    dark = accent.dark ?? "oklch(from \(accent.light) \(Self.darkShade))"
    var findings: [Finding] = []
    for (text, ground, isDark) in [(light, grounds.0, false), (accent.dark, grounds.1, true)] {
      guard let text else { continue }
      let color = RGBColor(text)
      let contrast = color.contrast(with: ground)
      guard contrast < Self.least else { continue }
      let better = color.shade(with: Self.least, on: ground).text
      findings.append(
        Finding(
          keyPath: accent.keyPath(ofDark: isDark),
          message:
            "\(text) has a contrast of \(Self.written(contrast)) : 1 on the theme's \(isDark ? "dark" : "light") background, \(ground.text); "
            + "links need 4.5 : 1 to be readable; the nearest shade is \(better)"))
    }
    self.findings = findings
  }

  /// Returns a contrast with one decimal, rounded down.
  private static func written(_ contrast: Double) -> String {
    let tenths = Int(contrast * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The rules at the end of the theme's style sheet. They take precedence over the theme's colors and options; printed links stay black.
  var styleSheet: String {
    "\n@media screen{:root:root{--link:light-dark(\(light),\(dark))}}\n"
  }
}
