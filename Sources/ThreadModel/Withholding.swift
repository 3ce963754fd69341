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

  /// The later of two sightings, unless only the earlier one says where or why; with either's notice.
  static func merge(older: Withholding?, newer: Withholding?) -> Withholding? {
    guard let older, let newer else { return newer ?? older }
    var result = newer.isExplained || !older.isExplained ? newer : older
    result.notice = newer.notice ?? older.notice
    return result
  }
}
