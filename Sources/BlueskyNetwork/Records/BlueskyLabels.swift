import Basics
import ThreadModel

/// What labels say of a post or an account: its author's, and those of Bluesky's own moderation.
struct BlueskyLabels: Sendable {
  /// Its author wants it shown to those who are signed in, and to nobody else.
  var isForSignedIn = false
  /// It is not to be shown.
  var isHidden = false
  /// It is to be shown behind a warning.
  var isWarnedOf = false
  /// Its media are to be shown behind a warning.
  var isSensitive = false
  /// All of them, as they are called.
  var names: [String] = []

  private static let ofMedia: Set<String> = ["porn", "sexual", "graphic-media", "nudity", "gore", "nsfl"]

  /// - Parameters:
  ///   - labels: as views hold them.
  ///   - isAbout: whether a label's subject is the one that is asked about: an account's labels lie beside those of its profile.
  init(_ labels: JSONValue?, at now: Timestamp, isAbout: (String) -> Bool = { _ in true }) {
    for label in labels?.array ?? [] {
      guard let name = label["val"]?.string, isAbout(label["uri"]?.string ?? "") else { continue }
      if label["neg"]?.bool == true { continue }
      if let end = label["exp"]?.string.flatMap({ Timestamp(iso8601: $0) }), end <= now { continue }
      add(name)
    }
  }

  /// The labels that authors put on their own records.
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
  /// What the labels of a view's author say of the account and its posts. One on the profile record is about picture and name alone,
  /// but for the wish not to be shown to strangers, which stands there.
  init(account author: JSONValue?, at now: Timestamp) {
    self.init(author?["labels"], at: now) { !$0.hasByteSuffix("/app.bsky.actor.profile/self") }
    let profile = BlueskyLabels(author?["labels"], at: now)
    isForSignedIn = profile.isForSignedIn
  }
}
