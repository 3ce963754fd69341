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
