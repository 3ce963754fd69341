extension SiteConfig {
  /// What `robots.txt` asks of crawlers.
  package struct Robots: Sendable, Equatable {
    package var crawlers = Crawlers.allow
    /// Lines of the owner's own.
    package var lines: [String] = []

    package static let defaults = Robots()

    package init() {}

    /// Whom the site asks to stay away.
    package enum Crawlers: String, Sendable, CaseIterable {
      /// Nobody.
      case allow
      /// Those that collect texts to train models.
      case noTraining = "no-training"
      /// Everybody.
      case none
    }
  }
}

extension SiteConfig.Robots: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Robots>] = [
    ConfigField("crawlers", \.crawlers, .word()),
    ConfigField("lines", \.lines, .list(of: .line(upTo: 500))),
  ]
}

extension ValueReader where Value == SiteConfig.Robots {
  /// One of the words alone, or a mapping.
  static var robots: ValueReader {
    let section = ValueReader.section
    return ValueReader(nestedKeys: section.nestedKeys) { value, problems in
      problems.remember(value)
      guard case .scalar = value.node.content, !value.node.isNull else {
        return section.read(value, &problems)
      }
      return ValueReader<SiteConfig.Robots.Crawlers>.word().read(value, &problems).map {
        var robots = SiteConfig.Robots()
        robots.crawlers = $0
        return robots
      }
    }
  }
}
