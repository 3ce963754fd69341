import ThreadModel

/// Something that a conversation may hold more than once, each time as seen at another moment.
protocol Observation: Hashable {
  associatedtype ID: Hashable
  var id: ID { get }
  var observedAt: Timestamp? { get }
  func merged(with other: Self) -> Self
}

extension Post: Observation {}
extension Author: Observation {}
extension Tombstone: Observation {}

extension Observation {
  /// One value from all observations of it, whatever order they come in; `nil` where there are none.
  static func merging(_ observations: [Self]) -> Self? {
    observations.dropFirst().reduce(observations.first) { $0?.merged(with: $1) }
  }

  /// All things by id, several observations of one merged.
  static func byID(_ observations: [Self]) -> [ID: Self] {
    var result = Dictionary(minimumCapacity: observations.count) as [ID: Self]
    var repeated: [ID: [Self]] = [:]
    for observation in observations {
      guard let first = result.updateValue(observation, forKey: observation.id) else { continue }
      repeated[observation.id, default: [first]].append(observation)
    }
    for (id, observations) in repeated { result[id] = merging(observations) }
    return result
  }
}
