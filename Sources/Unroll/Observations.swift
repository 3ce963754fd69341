import ThreadModel

/// A value that a conversation may contain several times, as seen at different moments.
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
  /// Merges all observations of one value, in any order; `nil` if the array is empty.
  static func merging(_ observations: [Self]) -> Self? {
    observations.dropFirst().reduce(observations.first) { $0?.merged(with: $1) }
  }

  /// Returns all values by id, with several observations of one value merged.
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
