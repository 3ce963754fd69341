extension SiteConfig {
  /// The settings for fetching and updating threads.
  package struct Fetch: Sendable, Equatable {
    /// The treatment of posts that were deleted on their network.
    package enum Deletion: String, Sendable, CaseIterable {
      /// Their text, media and replies are removed, and a note remains in their place.
      case remove
      /// They are kept, and the page marks them as deleted.
      case keep
    }

    /// The age after which `threadsite fetch` requests a thread again.
    package var refresh = WaitingTime(hours: 30 * 24)
    package var onDeleted = Deletion.remove
    /// Whether `media: mirror` also copies videos and GIFs.
    package var videos = false
    /// The number of an author's followers that their page shows.
    package var followers = 0

    package static let defaults = Fetch()
  }
}

extension SiteConfig.Fetch: ConfigSection {
  package static let fields: [ConfigField<SiteConfig.Fetch>] = [
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

/// A duration in whole hours or days: `12h`, `30d`.
package struct WaitingTime: Sendable, Hashable, CustomStringConvertible {
  package let seconds: Int64

  package init(hours: Int64) { seconds = hours * 3600 }

  /// - Throws: ``InvalidValue`` unless the text is a number followed by `h` or `d`.
  package init(_ text: String) throws(InvalidValue) {
    let digits = text.dropLast()
    guard let unit = text.last, unit == "h" || unit == "d", (1...4).contains(digits.utf8.count),
      digits.utf8.allSatisfy(isASCIIDigit), let count = Int64(digits)
    else { throw InvalidValue("expected a time such as 12h or 30d, found \(quoted(text))") }
    self.init(hours: unit == "h" ? count : count * 24)
  }

  package var description: String {
    let hours = seconds / 3600
    return hours % 24 == 0 && hours > 0 ? "\(hours / 24)d" : "\(hours)h"
  }
}

/// Whether a build makes smaller copies of photos.
package enum ScaleImages: String, Sendable, CaseIterable {
  /// If libvips is installed.
  case auto
  /// Always; a build without libvips fails.
  case always = "true"
  case never = "false"
}

/// A format of additional copies of photos.
package enum ImageFormat: String, Sendable, CaseIterable {
  case avif, webp
}

/// The treatment of photos and videos.
package enum MediaMode: String, Sendable, CaseIterable {
  /// They are copied into the store and become files of the site.
  case mirror
  /// They are shown from the network's servers.
  case link
  /// Pages show their descriptions and links instead.
  case none
}
