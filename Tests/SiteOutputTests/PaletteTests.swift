import Foundation
import SiteOutput
import TestSupport
import Testing

/// The palettes of `paper`: their contrasts, computed from the colors in the style sheet, are sufficient and as docs/reference/themes.md says.
@Suite struct PaletteTests {
  private let css: String
  private let docs: String

  init() throws {
    let folder = ProjectFolders.repository
    css = try String(contentsOf: folder.appending(path: "themes/paper/static/style.css"), encoding: .utf8)
    docs = try String(contentsOf: folder.appending(path: "docs/reference/themes.md"), encoding: .utf8)
  }

  /// The colors of one scheme.
  private struct Palette {
    var paper: RGBColor
    var ink: RGBColor
    var link: RGBColor
    /// The shares of ink in the colors that are mixed from ink and paper, from 0 to 1.
    let shares: [String: Double]

    /// Mixes as `color-mix(in srgb, …)`: component by component.
    func mix(_ name: String) throws -> RGBColor {
      let share = try #require(shares[name])
      let parts = [(ink.red, paper.red), (ink.green, paper.green), (ink.blue, paper.blue)].map {
        Int((($0 * share + $1 * (1 - share)) * 255).rounded())
      }
      return RGBColor("#" + parts.map { String(format: "%02x", $0) }.joined())
    }
  }

  /// Returns the light and the dark palette after the declarations of these rules, of which later ones replace earlier ones.
  private func palettes(_ rules: [String]) throws -> (light: Palette, dark: Palette) {
    var colors: [String: (String, String)] = [:]
    for rule in rules {
      for match in rule.matches(of: #/--(paper|ink|link): light-dark\((#\w+), (#\w+)\)/#) {
        colors[String(match.1)] = (String(match.2), String(match.3))
      }
    }
    let mixes = css.matches(of: #/--(\w+): color-mix\(in srgb, var\(--ink\) (\d+)%, var\(--paper\)\)/#)
    let shares = try mixes.reduce(into: [String: Double]()) {
      $0[String($1.1)] = try #require(Double($1.2)) / 100
    }
    func color(_ text: String) -> RGBColor {
      // #abc is short for #aabbcc.
      RGBColor(text.count == 4 ? "#" + text.dropFirst().map { "\($0)\($0)" }.joined() : text)
    }
    let (paper, ink, link) = try (
      #require(colors["paper"]), #require(colors["ink"]), #require(colors["link"])
    )
    return (
      Palette(paper: color(paper.0), ink: color(ink.0), link: color(link.0), shares: shares),
      Palette(paper: color(paper.1), ink: color(ink.1), link: color(link.1), shares: shares)
    )
  }

  private func rule(_ selector: String) throws -> String {
    let start = try #require(css.range(of: selector + " {"))
    return String(css[start.upperBound...].prefix { $0 != "}" })
  }

  @Test(arguments: ["rust", "blue", "green", "red", "violet"], [false, true])
  func contrastsSuffice(name: String, isWhite: Bool) throws {
    var rules = [try rule(":root")]
    if name != "rust" { rules.append(try rule(".accent-" + name)) }
    if isWhite { rules.append(try rule(".ground-white")) }
    let (light, dark) = try palettes(rules)
    var columns: [String] = []
    for palette in [light, dark] {
      let (tint, quiet, edge) = try (palette.mix("tint"), palette.mix("quiet"), palette.mix("edge"))
      let contrasts = [
        palette.ink.contrast(with: palette.paper), palette.link.contrast(with: palette.paper),
        palette.link.contrast(with: tint), quiet.contrast(with: palette.paper), quiet.contrast(with: tint),
        edge.contrast(with: palette.paper),
      ]
      // WCAG 2.2: 1.4.3 for text, 1.4.11 for the edges of controls.
      for (contrast, least) in zip(contrasts, [7, 4.5, 4.5, 4.5, 4.5, 3]) {
        #expect(contrast >= least, "\(name): \(contrasts)")
      }
      columns += contrasts.map { String(format: "%.1f", $0) }
    }
    let row = "| `\(name)`\(isWhite ? ", white" : "") | \(columns.joined(separator: " | ")) |"
    #expect(docs.contains(row), "docs/reference/themes.md lacks the row \(row)")
  }
}
