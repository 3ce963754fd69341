import Foundation
import SiteOutput

/// A color in OKLCH (https://www.w3.org/TR/css-color-4/#ok-lab), as browsers compute `oklch(from …)`.
struct OKLCH {
  var lightness: Double
  var chroma: Double
  /// In radians.
  var hue: Double

  init(_ color: RGBColor) {
    let (r, g, b) = (Self.linear(color.red), Self.linear(color.green), Self.linear(color.blue))
    let l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    let m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    let s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
    let a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    let second = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    chroma = (a * a + second * second).squareRoot()
    hue = atan2(second, a)
  }

  /// - Parameter red: from 0 to 255, like the others.
  init(red: Int, green: Int, blue: Int) {
    self.init(RGBColor(Self.text([red, green, blue])))
  }

  /// The color on an sRGB screen. Browsers clip components outside of sRGB.
  var shown: RGBColor {
    let (a, b) = (chroma * cos(hue), chroma * sin(hue))
    let l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3)
    let m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3)
    let s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3)
    let parts = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ]
    return RGBColor(Self.text(parts.map { Int((min(max(Self.encoded($0), 0), 1) * 255).rounded()) }))
  }

  private static func text(_ parts: [Int]) -> String {
    "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func linear(_ part: Double) -> Double {
    part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
  }

  private static func encoded(_ part: Double) -> Double {
    part <= 0.0031308 ? 12.92 * part : 1.055 * pow(part, 1 / 2.4) - 0.055
  }
}
