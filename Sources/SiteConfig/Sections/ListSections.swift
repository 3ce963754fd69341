extension SiteConfig {
  /// How the index pages are divided.
  package struct Pagination: Sendable, Equatable {
    /// Threads on one index page.
    package var perPage = 20

    package static let defaults = Pagination()

    package init() {}
  }
}

extension SiteConfig.Pagination: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Pagination>] = [
    ConfigField("per_page", \.perPage, .integer(in: 1...1000))
  ]
}

extension SiteConfig {
  /// What the feeds hold.
  package struct Feed: Sendable, Equatable {
    package enum Content: String, Sendable, CaseIterable {
      /// The whole thread.
      case full
      /// Its beginning.
      case summary
    }

    /// How many of the newest threads; 0 for no feeds.
    package var entries = 20
    package var content = Content.full

    /// Who passes word of new entries on to subscribers (WebSub, https://www.w3.org/TR/websub/).
    package var hub: WebURL?

    package static let defaults = Feed()

    package init() {}
  }
}

extension SiteConfig.Feed: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Feed>] = [
    ConfigField("entries", \.entries, .integer(in: 0...500)),
    ConfigField("content", \.content, .word()),
    ConfigField("hub", \.hub, .webURL),
  ]
}

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

extension SiteConfig {
  /// What `threadsite check` looks for.
  package struct Check: Sendable, Equatable {
    /// Findings that are fine: kinds of them, or patterns of pages, links and files.
    package var ignore: [String] = []

    package static let defaults = Check()

    package init() {}
  }
}

extension SiteConfig.Check: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Check>] = [
    ConfigField("ignore", \.ignore, .list(of: .line(upTo: 2000)))
  ]
}
