extension SiteConfig {
  /// The colour of links and of what is tinted with it.
  package struct Accent: Sendable, Equatable {
    /// `#rrggbb`.
    package var light = ""
    /// `nil` where one is to be found that suits.
    package var dark: String?
    /// Whether the file has a colour and no mapping.
    package var isOne = false

    package static let defaults = Accent()

    package init() {}

    /// The key that a scheme's colour stands at.
    package func keyPath(ofDark isDark: Bool) -> String {
      isOne ? "accent" : isDark ? "accent.dark" : "accent.light"
    }
  }
}

extension SiteConfig.Accent: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Accent>] = [
    ConfigField("light", \.light, .remembered(.color), isRequired: true),
    ConfigField("dark", \.dark, .remembered(.color)),
  ]
}

extension ValueReader where Value == SiteConfig.Accent {
  /// A colour alone, or a mapping of one for each scheme.
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
