extension SiteConfig {
  /// The accent color, used for links and tints.
  package struct Accent: Sendable, Equatable {
    /// In the form `#rrggbb`.
    package var light = ""
    /// The color for dark mode; `nil` to compute a suitable one from `light`.
    package var dark: String?
    /// Whether the file has a single color instead of a mapping.
    package var isOne = false

    package static let defaults = Accent()

    package init() {}

    /// Returns the key path of a scheme's color.
    package func keyPath(ofDark isDark: Bool) -> String {
      isOne ? "accent" : isDark ? "accent.dark" : "accent.light"
    }
  }
}

extension SiteConfig.Accent: ConfigSection {
  package static let fields: [ConfigField<SiteConfig.Accent>] = [
    ConfigField("light", \.light, .remembered(.color), isRequired: true),
    ConfigField("dark", \.dark, .remembered(.color)),
  ]
}

extension ValueReader where Value == SiteConfig.Accent {
  /// A single color, or a mapping with a color for each scheme.
  static var accent: ValueReader {
    let section = ValueReader.section
    return ValueReader(nestedKeys: section.nestedKeys) { value, problems in
      guard case .scalar = value.node.content, !value.node.isNull else {
        return section.read(value, &problems)
      }
      return ValueReader<String>.remembered(.color).read(value, &problems).map {
        var accent = SiteConfig.Accent()
        accent.light = $0
        accent.isOne = true
        return accent
      }
    }
  }
}
