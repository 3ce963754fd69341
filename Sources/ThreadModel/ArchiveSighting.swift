/// That something was seen in an archive which a network gave to its user, and whether it was seen anywhere else.
///
/// An archive is exact on what its user wrote and attached, and silent or stale on the rest: alt text, polls, quoted posts, metrics.
/// So of two sightings the network's own is always the later one, whatever the dates, and a merge gives the same in either order.
package struct ArchiveSighting: Hashable, Sendable {
  /// When the archive was made; `nil` where it does not say.
  package var date: Timestamp?
  /// Whether nothing but archives has shown it so far.
  package var isOnlySource: Bool

  package init(date: Timestamp?, isOnlySource: Bool = true) {
    self.date = date
    self.isOnlySource = isOnlySource
  }

  /// Both sightings in one; anything that no archive showed came from another source.
  static func merge(_ one: ArchiveSighting?, _ other: ArchiveSighting?) -> ArchiveSighting? {
    guard let known = one ?? other else { return nil }
    var result = known
    result.date = Timestamp.later(one?.date, other?.date)
    result.isOnlySource = one?.isOnlySource == true && other?.isOnlySource == true
    return result
  }
}
