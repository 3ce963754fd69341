extension SiteConfig {
  /// How what networks say is kept up to date.
  package struct Fetch: Sendable, Equatable {
    /// What becomes of posts that are no longer on their network.
    package enum Deletion: String, Sendable, CaseIterable {
      /// Their text, media and replies go, and a note stays that they were there.
      case remove
      /// They stay, and the page says that they are gone.
      case keep
    }

    /// `threadsite fetch` asks again about what was seen longer ago.
    package var refresh = WaitingTime(hours: 30 * 24)
    package var onDeleted = Deletion.remove
    /// Whether `media: mirror` copies videos and GIFs, too.
    package var videos = false
    /// How many of an author's followers their page shows.
    package var followers = 0

    package static let defaults = Fetch()

    package init() {}
  }
}

extension SiteConfig.Fetch: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Fetch>] = [
    ConfigField("refresh", \.refresh, .waitingTime),
    ConfigField("on_deleted", \.onDeleted, .word()),
    ConfigField("videos", \.videos, .flag),
    ConfigField("followers", \.followers, .integer(in: 0...1000)),
  ]
}

extension ValueReader where Value == WaitingTime {
  static var waitingTime: ValueReader {
    .text("a time such as 12h or 30d") { text throws(InvalidValue) in try WaitingTime(text) }
  }
}
