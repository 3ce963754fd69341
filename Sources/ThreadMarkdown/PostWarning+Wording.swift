package import ThreadModel
package import Wording

extension Post {
  /// What the network warns of before the post, in words; `nil` where it warns of nothing.
  ///
  /// A label that nobody has words for is shown as the network calls it.
  package func warningInWords(in wording: Wording) -> String? {
    guard !warnings.isEmpty else { return nil }
    return warnings.map { warning in
      guard let phrase = warning.phrase else { return warning.rawValue }
      return wording.text(phrase, ["network": id.platform.displayName])
    }.joined(separator: wording.text(.listSeparator))
  }
}

extension PostWarning {
  fileprivate var phrase: Phrase? {
    switch self {
    case .moderation: .warnedModeration
    case .porn: .warnedPorn
    case .sexual: .warnedSexual
    case .nudity: .warnedNudity
    case .graphicMedia, "gore", "nsfl": .warnedGraphic
    default: nil
    }
  }
}
