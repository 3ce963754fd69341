import ThreadModel

extension Tombstone {
  /// A sentence on a post that is missing, such as "The quoted post was deleted by its author."
  func sentence(on subject: String) -> String { "\(subject) \(predicate)." }

  /// A sentence for the place where the post should be.
  var sentenceInItsPlace: String {
    if let known = reason.predicate { return "A post is missing here: it \(known)." }
    return "A post is missing here\(words)."
  }

  /// What became of the post, to follow its name.
  var predicate: String { reason.predicate ?? "is missing\(words)" }

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
    default: nil
    }
  }
}
