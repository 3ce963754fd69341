import Basics

/// When a fact was observed, and by which kind of source. It decides between two observations of the same fact.
///
/// An observation of the network counts as later than any archive, regardless of dates (`ArchiveObservation`). An unknown time counts as earlier
/// than all others.
package struct ObservationTime: Hashable, Sendable, Comparable {
  package var isFromArchive: Bool
  package var time: Timestamp?

  package init(isFromArchive: Bool = false, time: Timestamp?) {
    self.isFromArchive = isFromArchive
    self.time = time
  }

  init(archive: ArchiveObservation?, observedAt: Timestamp?) {
    isFromArchive = archive?.isOnlySource == true
    time = isFromArchive ? archive?.date : observedAt
  }

  package static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.isFromArchive != rhs.isFromArchive { return lhs.isFromArchive }
    return (lhs.time?.milliseconds ?? .min) < (rhs.time?.milliseconds ?? .min)
  }
}

extension Author {
  /// When the whole value was last observed.
  package var seenAt: ObservationTime { ObservationTime(archive: archive, observedAt: observedAt) }
}

/// Decides, field by field, which of two observations' values to keep.
///
/// Each field keeps the value that was observed last. Few observations have every field, so a merged value also stores the times of the fields from
/// earlier observations (`older`). Merging is therefore associative, commutative and idempotent: the same facts give the same value in any order
/// and grouping. If two values were observed at the same time, the one whose text sorts last is kept, so that the choice does not depend on the
/// order of arrival.
package struct FieldMerge {
  /// The time of a whole value, and the times of the fields that were observed earlier.
  struct Side {
    var time: ObservationTime
    var older: [String: ObservationTime]

    func time(of field: String) -> ObservationTime { older.isEmpty ? time : older[field] ?? time }
  }

  private let first: Side
  private let second: Side
  /// When the whole merged value was observed.
  let time: ObservationTime
  /// The fields of the merged value that were observed earlier, with their times.
  private(set) var older: [String: ObservationTime] = [:]

  init(_ first: Side, _ second: Side) {
    self.first = first
    self.second = second
    time = max(first.time, second.time)
  }

  /// Chooses the value that was observed later; `nil` is an observation without the field.
  ///
  /// - Parameter rank: criteria that outrank the time.
  mutating func pick<Value: Hashable>(
    _ field: String, _ one: Value?, _ other: Value?, rank: (Value, Value) -> Bool? = { _, _ in nil }
  ) -> Value? {
    let (oneTime, otherTime) = (first.time(of: field), second.time(of: field))
    switch (one, other) {
    case (nil, nil): return nil
    case (let value?, nil):
      note(field, oneTime)
      return value
    case (nil, let value?):
      note(field, otherTime)
      return value
    case (let one?, let other?):
      if CanonicalText.isSame(one, other) {
        note(field, max(oneTime, otherTime))
        return one
      }
      let isOther = rank(one, other) ?? (oneTime == otherTime ? nil : oneTime < otherTime)
      guard isOther ?? CanonicalText.precedes(one, other) else {
        note(field, oneTime)
        return one
      }
      note(field, otherTime)
      return other
    }
  }

  /// Chooses one of two lists; an empty list is an observation without the field.
  mutating func pick<Element: Hashable>(_ field: String, _ one: [Element], _ other: [Element]) -> [Element] {
    pick(field, one.isEmpty ? nil : one, other.isEmpty ? nil : other) ?? []
  }

  /// Merges fields that the model does not define, member by member.
  mutating func pick(_ field: String, _ one: JSONObject, _ other: JSONObject) -> JSONObject {
    guard !one.isEmpty || !other.isEmpty else { return [:] }
    var result: JSONObject = [:]
    for key in Set(one.keys).union(other.keys) {
      result[key] = pick("\(field).\(key)", one[key], other[key])
    }
    return result
  }

  /// Chooses one of two copies in the store. Copies are not observations, so their times are not remembered.
  func copy<Value: Hashable>(_ one: Value?, _ other: Value?) -> Value? {
    guard let one, let other else { return one ?? other }
    return isSecondLater(one, other) ? other : one
  }

  /// Whether the second side was observed later as a whole; for equal times, whether its value sorts last.
  func isSecondLater<Value: Hashable>(_ one: Value, _ other: Value) -> Bool {
    first.time == second.time ? CanonicalText.precedes(one, other) : first.time < second.time
  }

  private mutating func note(_ field: String, _ time: ObservationTime) {
    if time != self.time { older[field] = time }
  }
}

/// The order of values by their text, which is the same in every process.
enum CanonicalText {
  /// Whether two values are the same byte for byte; Swift compares strings by Unicode canonical equivalence.
  static func isSame<Value: Hashable>(_ one: Value, _ other: Value) -> Bool {
    guard one == other else { return false }
    if let one = one as? String, let other = other as? String {
      return one.utf8.elementsEqual(other.utf8)
    }
    if let one = one as? InlineText, let other = other as? InlineText {
      return one.text.utf8.elementsEqual(other.text.utf8)
    }
    return true
  }

  /// Whether a value sorts before another. The comparison is slow, and only needed if two observations disagree.
  static func precedes<Value>(_ one: Value, _ other: Value) -> Bool {
    if let one = one as? Int, let other = other as? Int { return one < other }
    if let one = one as? String, let other = other as? String {
      return one.precedesInBytes(other)
    }
    return text(one) < text(other)
  }

  private static func text(_ value: Any) -> String {
    if let text = value as? String {
      return text.unicodeScalars.reduce(into: "\"") { $0 += $1.escaped(asASCII: true) } + "\""
    }
    let mirror = Mirror(reflecting: value)
    if mirror.children.isEmpty { return String(describing: value) }
    var parts = mirror.children.map { "\($0.label ?? ""):\(text($0.value))" }
    if mirror.displayStyle == .dictionary || mirror.displayStyle == .set { parts.sort() }
    return "(" + parts.joined(separator: ",") + ")"
  }
}

/// A record that a fact occurs in an archive that a user downloaded from a network, and whether other sources have it.
///
/// An archive is exact about its user's texts and attachments, but lacks other facts or has outdated ones: alt text, polls, quoted posts, metrics.
/// An observation of the network therefore always counts as later, regardless of dates, and a merge gives the same result in either order.
package struct ArchiveObservation: Hashable, Sendable {
  /// When the archive was made; `nil` if the archive has no date.
  package var date: Timestamp?
  /// Whether only archives have the fact so far.
  package var isOnlySource: Bool

  package init(date: Timestamp?, isOnlySource: Bool = true) {
    self.date = date
    self.isOnlySource = isOnlySource
  }

  /// Merges two observations. If one of them is not from an archive, another source has the value.
  static func merge(_ one: ArchiveObservation?, _ other: ArchiveObservation?) -> ArchiveObservation? {
    guard let known = one ?? other else { return nil }
    var result = known
    result.date = Timestamp.later(one?.date, other?.date)
    result.isOnlySource = one?.isOnlySource == true && other?.isOnlySource == true
    return result
  }
}

extension ArchiveObservation: StoredRecord {
  package static let noun = "archive observation"
  package static func blank(on platform: Platform) -> Self { Self(date: nil, isOnlySource: false) }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("date", \.date)
    try visitor.field("only_source", \.isOnlySource)
  }

  package static func merge(
    _ field: String, _ one: Self?, _ other: Self?, _ merge: inout FieldMerge
  ) -> Self? { Self.merge(one, other) }
}
