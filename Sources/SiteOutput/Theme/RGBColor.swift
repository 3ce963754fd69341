import Foundation

/// An sRGB colour, with its contrast to other colours, and with lighter or darker shades of its hue.
///
/// Shades are computed in OKLCH (https://www.w3.org/TR/css-color-4/#ok-lab), where a change of lightness keeps the perceived hue, unlike in HSL.
package struct RGBColor: Equatable {
  /// Gamma-encoded components from 0 to 1, as in CSS.
  package var red: Double
  package var green: Double
  package var blue: Double

  /// - Parameter text: `#rrggbb`; an invalid text is read as black.
  package init(_ text: String) {
    let number = Int(text.dropFirst(), radix: 16) ?? 0
    red = Double(number >> 16 & 0xFF) / 255
    green = Double(number >> 8 & 0xFF) / 255
    blue = Double(number & 0xFF) / 255
  }

  private init(red: Double, green: Double, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The colour as `#rrggbb`.
  var text: String {
    "#"
      + [red, green, blue].map { part in
        let digits = String(Int((min(max(part, 0), 1) * 255).rounded()), radix: 16)
        return digits.utf8.count == 1 ? "0" + digits : digits
      }.joined()
  }

  // MARK: - Contrast

  /// Returns the "contrast ratio" of WCAG 2.2, from 1 to 21.
  package func contrast(with other: RGBColor) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// The "relative luminance" of WCAG 2.2, from 0 to 1.
  var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  private static func linear(_ part: Double) -> Double {
    part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
  }

  private static func encoded(_ part: Double) -> Double {
    part <= 0.0031308 ? 12.92 * part : 1.055 * pow(part, 1 / 2.4) - 0.055
  }

  // MARK: - Shades

  /// Returns the shade of the same hue with at least the wanted contrast to the ground and the least change of lightness. Returns the colour itself if its
  /// contrast is enough, and black or white if no shade has enough.
  func shade(with wanted: Double, on ground: RGBColor) -> RGBColor {
    guard contrast(with: ground) < wanted else { return self }
    let own = oklch
    // The lightness that is farthest from the ground's.
    let end = ground.luminance > 0.18 ? 0.0 : 1.0
    let steps = 500
    for step in 1...steps {
      let lightness = own.lightness + (end - own.lightness) * Double(step) / Double(steps)
      // The colour as it will be written, with rounded components.
      let shade = RGBColor(
        RGBColor(lightness: lightness, chroma: own.chroma, hue: own.hue).text)
      if shade.contrast(with: ground) >= wanted { return shade }
    }
    return RGBColor(end == 0 ? "#000000" : "#ffffff")
  }

  private var oklch: (lightness: Double, chroma: Double, hue: Double) {
    let (r, g, b) = (Self.linear(red), Self.linear(green), Self.linear(blue))
    let l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    let m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    let s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    let lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
    let a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    let second = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    return (lightness, (a * a + second * second).squareRoot(), atan2(second, a))
  }

  /// Creates the colour with this lightness and hue; its chroma is reduced if sRGB does not contain so strong a colour.
  private init(lightness: Double, chroma: Double, hue: Double) {
    var (least, most) = (0.0, chroma)
    var found = Self.unbounded(lightness: lightness, chroma: chroma, hue: hue)
    if !found.isInGamut {
      for _ in 0..<24 {
        let middle = (least + most) / 2
        if Self.unbounded(lightness: lightness, chroma: middle, hue: hue).isInGamut {
          least = middle
        } else {
          most = middle
        }
      }
      found = Self.unbounded(lightness: lightness, chroma: least, hue: hue)
    }
    self = found
  }

  private static func unbounded(lightness: Double, chroma: Double, hue: Double) -> RGBColor {
    let (a, b) = (chroma * cos(hue), chroma * sin(hue))
    let l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3)
    let m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3)
    let s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3)
    return RGBColor(
      red: encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
      green: encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
      blue: encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s))
  }

  private var isInGamut: Bool {
    [red, green, blue].allSatisfy { (-0.0005...1.0005).contains($0) }
  }
}
