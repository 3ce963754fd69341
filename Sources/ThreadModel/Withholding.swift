/// That a network does not show a post to everybody, and why.
package struct Withholding: Hashable, Sendable {
  /// Where it is not shown: ISO 3166-1 alpha-2 codes.
  package var countries: [String]
  /// Whether it is shown nowhere.
  package var isWorldwide: Bool
  /// Whether a holder of copyright asked for it.
  package var isForCopyright: Bool
  /// What the network wrote in the place of the author's words; `nil` where it gave those.
  package var notice: String?

  package init(
    countries: [String] = [], isWorldwide: Bool = false, isForCopyright: Bool = false, notice: String? = nil
  ) {
    self.countries = countries
    self.isWorldwide = isWorldwide
    self.isForCopyright = isForCopyright
    self.notice = notice
  }

  /// Whether it says where or why, beside the network's own sentence.
  package var isExplained: Bool { isWorldwide || isForCopyright || !countries.isEmpty }

  /// Where and why of the later observation that says it, and the later notice.
  static func merge(_ one: Withholding?, _ other: Withholding?, _ merge: inout FieldMerge) -> Withholding? {
    guard one != nil || other != nil else { return nil }
    func explanation(_ withholding: Withholding?) -> Withholding? {
      guard var result = withholding, result.isExplained else { return nil }
      result.notice = nil
      return result
    }
    var result = merge.pick("withheld", explanation(one), explanation(other)) ?? Withholding()
    result.notice = merge.pick("withheld.notice", one?.notice, other?.notice)
    return result
  }
}

/// Why a network shows a post behind a warning that is nobody's words: what it was labelled as.
package struct PostWarning: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Those who watch over the network want readers warned, and do not say of what.
  package static let moderation: PostWarning = "moderation"
  /// Pornography.
  package static let porn: PostWarning = "porn"
  package static let sexual: PostWarning = "sexual"
  /// Without being sexual.
  package static let nudity: PostWarning = "nudity"
  /// Violence, wounds, death.
  package static let graphicMedia: PostWarning = "graphic-media"
}
