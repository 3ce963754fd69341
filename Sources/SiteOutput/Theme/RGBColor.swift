import Basics
import Foundation

/// An sRGB color, with its contrast to other colors as WCAG 2.2 defines it.
package struct RGBColor: Equatable {
  /// Gamma-encoded components from 0 to 1, as in CSS.
  package let red: Double
  package let green: Double
  package let blue: Double

  /// - Parameter text: `#rrggbb`; an invalid text is read as black.
  package init(_ text: String) {
    let number = Int(text.dropFirst(), radix: 16) ?? 0
    red = Double(number >> 16 & 0xFF) / 255
    green = Double(number >> 8 & 0xFF) / 255
    blue = Double(number & 0xFF) / 255
  }

  /// - Parameter parts: linear components, which are rounded to those of `#rrggbb`.
  private init(linear parts: [Double], _ rounding: FloatingPointRoundingRule) {
    let parts = parts.map { part in
      let encoded = part <= 0.0031308 ? 12.92 * part : 1.055 * pow(part, 1 / 2.4) - 0.055
      return min(max((encoded * 255).rounded(rounding), 0), 255) / 255
    }
    (red, green, blue) = (parts[0], parts[1], parts[2])
  }

  /// The color as `#rrggbb`.
  var text: String { "#" + Hexadecimal.digits([red, green, blue].map { UInt8(($0 * 255).rounded()) }) }

  /// Returns the "contrast ratio" of WCAG 2.2, from 1 to 21.
  package func contrast(with other: RGBColor) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// The "relative luminance" of WCAG 2.2, from 0 to 1.
  private var luminance: Double {
    zip([0.2126, 0.7152, 0.0722], linear).reduce(0) { $0 + $1.0 * $1.1 }
  }

  private var linear: [Double] {
    [red, green, blue].map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
  }

  /// Returns the color mixed with just enough black or white, in linear light, for the wanted contrast with the ground.
  func shade(with wanted: Double, on ground: RGBColor) -> RGBColor {
    guard contrast(with: ground) < wanted else { return self }
    if ground.luminance > 0.18 {
      let share = max(0, (ground.luminance + 0.05) / wanted - 0.05) / max(luminance, .leastNonzeroMagnitude)
      return RGBColor(linear: linear.map { $0 * share }, .down)
    }
    let share = (min(1, (ground.luminance + 0.05) * wanted - 0.05) - luminance) / (1 - luminance)
    return RGBColor(linear: linear.map { $0 + (1 - $0) * share }, .up)
  }
}
