extension SiteConfig {
  /// The picture that pages without one of their own are shown with elsewhere.
  package struct Image: Sendable, Equatable {
    /// Relative to the site's folder or absolute; below `static/`, which a later stage sees to.
    package var file: String
    /// What it shows, for those who do not see it.
    package var alt: String?

    package init(file: String, alt: String? = nil) {
      self.file = file
      self.alt = alt
    }
  }
}

extension SiteConfig.Image: ConfigSection {
  static let defaults = SiteConfig.Image(file: "")

  static let fields: [ConfigField<SiteConfig.Image>] = [
    ConfigField("file", \.file, .rememberedPath, isRequired: true),
    ConfigField("alt", \.alt, .line(upTo: 420)),
  ]
}

extension ValueReader where Value == SiteConfig.Image {
  /// A file alone, or a mapping.
  static var image: ValueReader {
    let section = ValueReader.section
    return ValueReader(nestedKeys: section.nestedKeys) { value, problems in
      problems.remember(value)
      guard case .scalar = value.node.content, !value.node.isNull else {
        return section.read(value, &problems)
      }
      return ValueReader<String>.path.read(value, &problems).map { SiteConfig.Image(file: $0) }
    }
  }
}

extension ValueReader where Value == String {
  /// A path whose place is remembered for the stage that looks for the file.
  fileprivate static var rememberedPath: ValueReader {
    ValueReader { value, problems in
      problems.remember(value)
      return path.read(value, &problems)
    }
  }
}
