import Basics
import ThreadModel

/// The labels of a post or an account, by its author and by Bluesky's moderation.
struct BlueskyLabels: Sendable {
  /// Whether the author wants it shown only to signed-in people.
  var isForSignedIn = false
  /// Whether it must not be shown.
  var isHidden = false
  /// Whether it must be shown behind a warning.
  var isWarnedOf = false
  /// Whether its media must be shown behind a warning.
  var isSensitive = false
  /// The names of all labels, each once.
  var names: [String] = []

  private static let ofMedia: Set<String> = ["porn", "sexual", "graphic-media", "nudity", "gore", "nsfl"]

  /// - Parameters:
  ///   - labels: the `labels` array of a view. Negated and expired labels are ignored.
  ///   - now: the time at which expiry is checked.
  ///   - isAbout: whether the label with this subject (an AT URI or a DID) counts. A view has the labels of an account and of its profile
  ///     in one array.
  init(_ labels: JSONValue?, at now: Timestamp, isAbout: (String) -> Bool = { _ in true }) {
    for label in labels?.array ?? [] {
      guard let name = label["val"]?.string, isAbout(label["uri"]?.string ?? "") else { continue }
      if label["neg"]?.bool == true { continue }
      if let end = label["exp"]?.string.flatMap({ Timestamp(iso8601: $0) }), end <= now { continue }
      add(name)
    }
  }

  /// Creates the labels that the author has put on the record.
  init(own record: JSONValue) {
    for label in record["labels"]?["values"]?.array ?? [] { label["val"]?.string.map { add($0) } }
  }

  private mutating func add(_ name: String) {
    if !names.contains(name) { names.append(name) }
    switch name {
    case "!no-unauthenticated": isForSignedIn = true
    case "!hide", "!takedown", "!suspend": isHidden = true
    case "!warn": isWarnedOf = true
    default: if Self.ofMedia.contains(name) { isSensitive = true }
    }
  }

  mutating func join(_ other: BlueskyLabels) {
    isForSignedIn = isForSignedIn || other.isForSignedIn
    isHidden = isHidden || other.isHidden
    isWarnedOf = isWarnedOf || other.isWarnedOf
    isSensitive = isSensitive || other.isSensitive
    for name in other.names where !names.contains(name) { names.append(name) }
  }
}

extension BlueskyLabels {
  /// Creates the labels that apply to an account and its posts, from the view of an author. Labels of the profile record apply only to its
  /// picture and name and are ignored. The exception is the label of accounts that want to be shown only to signed-in people, which is on
  /// the profile record.
  init(account author: JSONValue?, at now: Timestamp) {
    self.init(author?["labels"], at: now) { !$0.hasByteSuffix("/app.bsky.actor.profile/self") }
    let profile = BlueskyLabels(author?["labels"], at: now)
    isForSignedIn = profile.isForSignedIn
  }
}
