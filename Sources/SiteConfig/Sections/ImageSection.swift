extension SiteConfig {
  /// The preview image of pages without an image of their own.
  package struct Image: Sendable, Equatable {
    /// The path, relative to the site's folder or absolute. The file must be below `static/`, which a later stage checks.
    package var file: String
    /// The alternative text for readers who cannot see the image.
    package var alt: String?

    package init(file: String, alt: String? = nil) {
      self.file = file
      self.alt = alt
    }
  }
}

extension SiteConfig.Image: ConfigSection {
  package static let defaults = SiteConfig.Image(file: "")

  package static let fields: [ConfigField<SiteConfig.Image>] = [
    ConfigField("file", \.file, .remembered(.path), isRequired: true),
    ConfigField("alt", \.alt, .line(upTo: 420)),
  ]
}

extension ValueReader where Value == SiteConfig.Image {
  /// A path, or a mapping.
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
