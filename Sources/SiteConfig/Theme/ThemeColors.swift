/// What the ground of a theme's pages looks like, for what browsers and phones draw around them.
package struct ThemeColors: Sendable, Equatable {
  /// `#rrggbb`, as the theme.yml has it.
  package var light = ""
  package var dark = ""
}

extension ThemeColors: ConfigSection {
  static let defaults = ThemeColors()

  static let fields: [ConfigField<ThemeColors>] = [
    ConfigField("light", \.light, .color, isRequired: true),
    ConfigField("dark", \.dark, .color, isRequired: true),
  ]
}

extension ValueReader where Value == String {
  /// Six hexadecimal digits: the one way to write a colour that CSS, metadata of pages and web manifests all read.
  static var color: ValueReader {
    .text("a color") { text throws(InvalidValue) in
      let digits = text.utf8.dropFirst()
      guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, digits.allSatisfy(isHexadecimal) else {
        throw InvalidValue("\(quoted(text)) is no color: expected \"#\" and six digits, such as \"#1d4d7e\"")
      }
      return text.lowercased()
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
