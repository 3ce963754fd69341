import SiteConfig

/// The colour that a site chose for links and what is tinted with it, for both schemes of a theme.
package struct ThemeAccent: Sendable, Equatable {
  /// `#rrggbb`.
  package let light: String
  package let dark: String
  /// What a reader of the colours would have to squint at.
  package let findings: [Finding]

  package struct Finding: Sendable, Equatable {
    /// Of site.yml.
    package let keyPath: String
    package let message: String
  }

  /// What text needs (WCAG 2.2, 1.4.3).
  private static let least = 4.5
  /// What is looked for where a colour is ours to find: links stand on tints, too, which are nearer to them than the ground is.
  private static let comfortable = 7.0

  /// - Parameter ground: of the theme's pages; where it does not say, white and nearly black.
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

  /// With one digit behind the point, never rounded up.
  private static func written(_ contrast: Double) -> String {
    let tenths = Int(contrast * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// What stands at the end of the theme's style sheet: of more weight than the theme's own colour and its options; paper stays black.
  var styleSheet: String {
    "\n@media screen{:root:root{--link:light-dark(\(light),\(dark))}}\n"
  }
}
