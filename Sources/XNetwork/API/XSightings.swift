import JSONText
import ThreadModel
import UTF8Text

/// The same objects seen in many answers, joined by id; in whatever order the answers came.
struct XSightings {
  private struct Sighting {
    var fields: XFields
    var fetchedAt: Timestamp?
  }

  private var sightings: [String: [Sighting]] = [:]

  mutating func add(_ fields: XFields, key: String, fetchedAt: Timestamp?) {
    sightings[key, default: []].append(Sighting(fields: fields, fetchedAt: fetchedAt))
  }

  var keys: [String] { sightings.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

  /// The object: each member from the latest answer that has it.
  func joined(_ key: String) -> (fields: XFields, fetchedAt: Timestamp?)? {
    guard let all = sightings[key], let first = all.first else { return nil }
    guard all.count > 1 else { return (first.fields, first.fetchedAt) }
    let sorted = Self.sorted(all)
    let fields = sorted.dropFirst().reduce(sorted[0].fields) { $0.merged(with: $1.fields) }
    return (fields, sorted.last?.fetchedAt)
  }

  /// The object as each answer has it.
  func all(_ key: String) -> [(fields: XFields, fetchedAt: Timestamp?)] {
    (sightings[key] ?? []).map { ($0.fields, $0.fetchedAt) }
  }

  /// When any of them was fetched.
  func times(_ key: String) -> [Timestamp?] { (sightings[key] ?? []).map(\.fetchedAt) }

  /// By time, those of unknown time first; what was seen at one time, by its bytes, so that no order of files matters.
  private static func sorted(_ all: [Sighting]) -> [Sighting] {
    let unknown = Timestamp(milliseconds: .min)
    let keyed = all.map {
      (
        time: $0.fetchedAt ?? unknown, bytes: JSONWriter.text(of: .object($0.fields.members), .compact).bytes,
        $0
      )
    }
    return keyed.sorted {
      $0.time != $1.time ? $0.time < $1.time : $0.bytes.lexicographicallyPrecedes($1.bytes)
    }.map(\.2)
  }
}
