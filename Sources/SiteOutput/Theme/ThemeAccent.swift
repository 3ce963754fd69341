import SiteConfig

/// The colour that a site chose for links and tints, for the light and the dark scheme of a theme.
package struct ThemeAccent: Sendable, Equatable {
  /// In the form `#rrggbb`, as is `dark`.
  package let light: String
  package let dark: String
  /// Warnings about colours with too little contrast.
  package let findings: [Finding]

  package struct Finding: Sendable, Equatable {
    /// A key path in site.yml.
    package let keyPath: String
    package let message: String
  }

  /// The least contrast of text (WCAG 2.2, 1.4.3).
  private static let least = 4.5
  /// The contrast of a computed colour: links are also shown on tinted backgrounds, to which they have less contrast than to the page's background.
  private static let comfortable = 7.0

  /// - Parameter ground: the background colours of the theme's pages; `nil` for white and nearly black.
  init(_ accent: SiteConfig.Accent, on ground: ThemeColors?) {
    let grounds = (RGBColor(ground?.light ?? "#ffffff"), RGBColor(ground?.dark ?? "#121212"))
    light = accent.light
    dark = accent.dark ?? RGBColor(accent.light).shade(with: Self.comfortable, on: grounds.1).text
    var findings: [Finding] = []
    for (text, ground, isDark) in [(light, grounds.0, false), (dark, grounds.1, true)] {
      let color = RGBColor(text)
      let contrast = color.contrast(with: ground)
      guard contrast < Self.least else { continue }
      let better = color.shade(with: Self.least, on: ground).text
      findings.append(
        Finding(
          keyPath: accent.keyPath(ofDark: isDark),
          message:
            "\(text) has a contrast of \(Self.written(contrast)) : 1 on the theme's \(isDark ? "dark" : "light") ground, \(ground.text); "
            + "links need 4.5 : 1 to be read by all: the nearest shade that has it is \(better)"))
    }
    self.findings = findings
  }

  /// Returns a contrast with one decimal, rounded down.
  private static func written(_ contrast: Double) -> String {
    let tenths = Int(contrast * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The rules at the end of the theme's style sheet. They take precedence over the theme's colours and options; printed links stay black.
  var styleSheet: String {
    "\n@media screen{:root:root{--link:light-dark(\(light),\(dark))}}\n"
  }
}
