/// A network's decision to hide a post from some or all readers, with the reasons.
package struct Withholding: Hashable, Sendable {
  /// The countries where the post is not shown: ISO 3166-1 alpha-2 codes.
  package var countries: [String]
  /// Whether the post is shown nowhere.
  package var isWorldwide: Bool
  /// Whether a copyright holder requested it.
  package var isForCopyright: Bool
  /// The network's replacement for the author's text; `nil` if the network sent the author's text.
  package var notice: String?

  package init(
    countries: [String] = [], isWorldwide: Bool = false, isForCopyright: Bool = false, notice: String? = nil
  ) {
    self.countries = countries
    self.isWorldwide = isWorldwide
    self.isForCopyright = isForCopyright
    self.notice = notice
  }

  /// Whether countries or reasons are known in addition to the network's notice.
  package var isExplained: Bool { isWorldwide || isForCopyright || !countries.isEmpty }

  /// Merges two observations. Countries and reasons come from the later observation that has them. The later notice is kept.
  package static func merge(
    _ field: String, _ one: Withholding?, _ other: Withholding?, _ merge: inout FieldMerge
  ) -> Withholding? {
    guard one != nil || other != nil else { return nil }
    func explanation(_ withholding: Withholding?) -> Withholding? {
      guard var result = withholding, result.isExplained else { return nil }
      result.notice = nil
      return result
    }
    var result = merge.pick(field, explanation(one), explanation(other)) ?? Withholding()
    result.notice = merge.pick("\(field).notice", one?.notice, other?.notice)
    return result
  }
}

/// A label that the network gave to a post, so that the post is shown behind a warning.
package struct PostWarning: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A warning of the network's moderators without a reason.
  package static let moderation: PostWarning = "moderation"
  /// Pornography.
  package static let porn: PostWarning = "porn"
  package static let sexual: PostWarning = "sexual"
  /// Nudity without sexual content.
  package static let nudity: PostWarning = "nudity"
  /// Violence, wounds, death.
  package static let graphicMedia: PostWarning = "graphic-media"
}

extension Withholding: StoredRecord {
  package static let noun = "withholding"
  package static func blank(on platform: Platform) -> Self { Self() }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("copyright", \.isForCopyright)
    try visitor.field("countries", \.countries)
    try visitor.field("notice", \.notice)
    try visitor.field("worldwide", \.isWorldwide)
  }
}
