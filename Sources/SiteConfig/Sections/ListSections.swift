extension SiteConfig {
  /// The division of lists into pages.
  package struct Pagination: Sendable, Equatable {
    /// The number of threads on one index page.
    package var perPage = 20

    package static let defaults = Pagination()
  }
}

extension SiteConfig.Pagination: ConfigSection {
  package static let fields: [ConfigField<SiteConfig.Pagination>] = [
    ConfigField("per_page", \.perPage, .integer(in: 1...1000))
  ]
}

extension SiteConfig {
  /// The content of the feeds.
  package struct Feed: Sendable, Equatable {
    package enum Content: String, Sendable, CaseIterable {
      /// The whole thread.
      case full
      /// The beginning of the thread.
      case summary
    }

    /// The number of newest threads in a feed; 0 for no feeds.
    package var entries = 20
    package var content = Content.full

    /// The hub that notifies subscribers of new entries (WebSub, https://www.w3.org/TR/websub/).
    package var hub: WebURL?

    package static let defaults = Feed()
  }
}

extension SiteConfig.Feed: ConfigSection {
  package static let fields: [ConfigField<SiteConfig.Feed>] = [
    ConfigField("entries", \.entries, .integer(in: 0...500)),
    ConfigField("content", \.content, .word()),
    ConfigField("hub", \.hub, .webURL),
  ]
}

extension SiteConfig {
  /// The rules that `robots.txt` gives to crawlers.
  package struct Robots: Sendable, Equatable {
    package var crawlers = Crawlers.allow
    /// Lines that the owner adds.
    package var lines: [String] = []

    package static let defaults = Robots()

    /// The crawlers that `robots.txt` excludes.
    package enum Crawlers: String, Sendable, CaseIterable {
      /// No crawlers.
      case allow
      /// Crawlers that collect texts to train models.
      case noTraining = "no-training"
      /// All crawlers.
      case none
    }
  }
}

extension SiteConfig.Robots: ConfigSection {
  package static let fields: [ConfigField<SiteConfig.Robots>] = [
    ConfigField("crawlers", \.crawlers, .word()),
    ConfigField("lines", \.lines, .list(of: .line(upTo: 500))),
  ]
}

extension ValueReader where Value == SiteConfig.Robots {
  /// A single word for `crawlers`, or a mapping.
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
  /// The settings of `threadsite check`.
  package struct Check: Sendable, Equatable {
    /// Findings that are not reported: names of kinds, or patterns for pages, links and files.
    package var ignore: [String] = []

    package static let defaults = Check()
  }
}

extension SiteConfig.Check: ConfigSection {
  package static let fields: [ConfigField<SiteConfig.Check>] = [
    ConfigField("ignore", \.ignore, .list(of: .remembered(.line(upTo: 2000))))
  ]
}
