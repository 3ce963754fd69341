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
  static func merging(_ sightings: [Self]) -> Self? {
    sightings.dropFirst().reduce(sightings.first) { $0?.merged(with: $1) }
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
