import ThreadModel

extension Tombstone {
  /// What became of the post, to follow its name: "was deleted by its author".
  var predicate: String {
    switch reason {
    case .deleted: "was deleted by its author"
    case .protected: "is shown to its author's followers only"
    case .suspended: "went with its author's account, which the network suspended"
    case .withheld: "is withheld by the network"
    case .blocked: "is hidden, because its author blocks or is blocked"
    case .notFound: "was not found: it was deleted, or never there"
    default: unknownPredicate
    }
  }

  /// For a reason that nobody gave, or that this program has no word for: the network's own words.
  private var unknownPredicate: String {
    let word = reason == .unknown ? nil : PlainText.nonEmptyLine(reason.rawValue)
    guard let words = PlainText.nonEmptyLine(detail) ?? word else { return "is missing" }
    let shortened = PlainText.shortened(words, to: 120)
    return "is missing (\(shortened.hasSuffix(".") ? String(shortened.dropLast()) : shortened))"
  }
}
