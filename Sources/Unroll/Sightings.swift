import ThreadModel

/// Something that a conversation may hold more than once, each time as seen at another moment.
protocol Sighting: Hashable {
  associatedtype ID: Hashable
  var id: ID { get }
  var observedAt: Timestamp? { get }
  func merged(with other: Self) -> Self
}

extension Post: Sighting {}
extension Author: Sighting {}
extension Tombstone: Sighting {}

extension Sighting {
  /// One value from all sightings of it, whatever order they come in; `nil` where there are none.
  ///
  /// Merging prefers the later of two sightings and, where times say nothing, the second. Sorting them first by time and
  /// then by everything that they hold makes that a choice which does not depend on the order of arrival.
  static func merging(_ sightings: [Self]) -> Self? {
    guard sightings.count > 1, Set(sightings).count > 1 else { return sightings.first }
    let ordered = Set(sightings).map {
      (time: $0.observedAt?.milliseconds, text: canonicalText($0), value: $0)
    }
    .sorted { ($0.time ?? .min, $0.text) < ($1.time ?? .min, $1.text) }
    return ordered.dropFirst().reduce(ordered.first?.value) { $0?.merged(with: $1.value) }
  }

  /// All things by id, several sightings of one merged.
  static func byID(_ sightings: [Self]) -> [ID: Self] {
    var result = Dictionary(minimumCapacity: sightings.count) as [ID: Self]
    var repeated: [ID: [Self]] = [:]
    for sighting in sightings {
      guard let first = result.updateValue(sighting, forKey: sighting.id) else { continue }
      repeated[sighting.id, default: [first]].append(sighting)
    }
    for (id, sightings) in repeated { result[id] = merging(sightings) }
    return result
  }
}

/// Everything that a value holds as text, the same in every process: what puts contradicting sightings in an order.
///
/// Slow, and needed only where two sightings of one thing differ. Text compares by Unicode's canonical equivalence,
/// so that it is spelled out with every scalar beyond ASCII escaped.
private func canonicalText(_ value: Any) -> String {
  if let text = value as? String {
    return text.unicodeScalars.reduce(into: "\"") { $0 += $1.escaped(asASCII: true) } + "\""
  }
  let mirror = Mirror(reflecting: value)
  if mirror.children.isEmpty { return String(describing: value) }
  var parts = mirror.children.map { "\($0.label ?? ""):\(canonicalText($0.value))" }
  if mirror.displayStyle == .dictionary || mirror.displayStyle == .set { parts.sort() }
  return "(" + parts.joined(separator: ",") + ")"
}
