import ThreadModel

extension Tombstone {
  /// A sentence on a post that is missing, such as "The quoted post was deleted by its author."
  func sentence(on subject: String) -> String { "\(subject) \(predicate)." }

  /// A sentence for the place where the post should be, or where it stood until it was removed.
  func sentenceInItsPlace(by calendar: SiteCalendar) -> String {
    if let removedAt { return "This post \(predicate), found \(calendar.day(removedAt))." }
    if let known = reason.predicate { return "A post is missing here: it \(known)." }
    return "A post is missing here\(words)."
  }

  /// What became of the post, to follow its name.
  var predicate: String {
    // It was there, so it was deleted, whoever did that.
    if removedAt != nil, reason == .deleted || reason == .notFound {
      return "was deleted from \(id.platform.displayName)"
    }
    return reason.predicate ?? "is missing\(words)"
  }

  /// What a link to the post's address says: whether it is there still.
  var linkLabel: String {
    reason == .notInArchive ? "See it on \(id.platform.displayName)" : "Where it was"
  }

  /// The network's own words in brackets, for a reason that nobody gave or that this program has no sentence for.
  private var words: String {
    let name = reason == .unknown ? nil : PlainText.nonEmptyLine(reason.rawValue)
    guard let words = PlainText.nonEmptyLine(detail) ?? name else { return "" }
    let shortened = PlainText.shortened(words, to: 120)
    return " (\(shortened.hasSuffix(".") ? String(shortened.dropLast()) : shortened))"
  }
}

extension TombstoneReason {
  fileprivate var predicate: String? {
    switch self {
    case .deleted: "was deleted by its author"
    case .protected: "is shown to its author's followers only"
    case .suspended: "went with its author's account, which the network suspended"
    case .withheld: "is withheld by the network"
    case .blocked: "is hidden, because its author blocks or is blocked"
    case .notFound: "was deleted, or was never there"
    case .notInArchive: "is not in the archive"
    default: nil
    }
  }

  /// Why a post that is still shown here is no longer on its network, in a few words.
  fileprivate var departure: String? {
    switch self {
    case .deleted, .notFound: "deleted"
    case .protected: "now for its author's followers only"
    case .suspended: "its author's account was suspended"
    case .withheld: "withheld"
    case .blocked: "hidden by a block"
    default: nil
    }
  }
}

extension Departure {
  /// "No longer on X: deleted, found 3 March 2026."
  func sentence(on platform: Platform, by calendar: SiteCalendar) -> String {
    let reason = reason.departure.map { ": \($0)" } ?? ""
    let found = observedAt.map { ", found \(calendar.day($0))" } ?? ""
    return "No longer on \(platform.displayName)\(reason)\(found)."
  }
}
