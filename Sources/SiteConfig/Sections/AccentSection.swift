extension SiteConfig {
  /// The accent colour, used for links and tints.
  package struct Accent: Sendable, Equatable {
    /// In the form `#rrggbb`.
    package var light = ""
    /// The colour for dark mode; `nil` to compute a suitable one from `light`.
    package var dark: String?
    /// Whether the file has a single colour instead of a mapping.
    package var isOne = false

    package static let defaults = Accent()

    package init() {}

    /// Returns the key path of a scheme's colour.
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
  /// A single colour, or a mapping with a colour for each scheme.
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
