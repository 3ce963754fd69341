package import Basics
package import ThreadModel

/// The members of one JSON object of X's, by the names of `XDialect.tweets`, read forgivingly: what is missing, null or of
/// another type than expected is `nil`, as the schema calls nearly everything optional.
package struct XFields: Hashable, Sendable {
  package private(set) var members: JSONObject

  /// Takes an object; keys of the newer dialect get their older names, members that are null are dropped.
  package init(_ object: JSONObject) {
    members = [:]
    members.reserveCapacity(object.count)
    for (key, value) in object where !value.isNull {
      let name = XDialect.toTweets[key] ?? key
      // Where an answer speaks both dialects at once, the names as they stand win.
      if name == key || object[name] == nil { members[name] = value }
    }
  }

  package subscript(key: String) -> JSONValue? { members[key] }

  package func string(_ key: String) -> String? { members[key]?.string }
  package func bool(_ key: String) -> Bool? { members[key]?.bool }
  package func fields(_ key: String) -> XFields? { members[key]?.object.map(XFields.init) }

  /// A string that is not empty.
  package func text(_ key: String) -> String? { string(key).flatMap { $0.isEmpty ? nil : $0 } }

  /// The objects of an array; what is none is passed over.
  package func list(_ key: String) -> [XFields] {
    members[key]?.array?.compactMap { $0.object.map(XFields.init) } ?? []
  }

  package func strings(_ key: String) -> [String] { members[key]?.array?.compactMap(\.string) ?? [] }

  /// A whole number; X has sent some as strings (`edits_remaining`).
  package func int(_ key: String) -> Int? { members[key]?.int ?? string(key).flatMap { Int($0) } }

  /// A whole number that counts something: not negative.
  package func count(_ key: String) -> Int? { int(key).flatMap { $0 >= 0 ? $0 : nil } }

  package func time(_ key: String) -> Timestamp? { string(key).flatMap { Timestamp(iso8601: $0) } }

  /// An id, where it is one.
  package func id(_ key: String) -> String? { string(key).flatMap { XID.isValid($0) ? $0 : nil } }

  /// What is left when the known keys are taken out: what the model has no word for.
  package func extra(without known: Set<String>) -> JSONObject { members.filter { !known.contains($0.key) } }

  /// These members with those of a later observation, which win; metrics are joined one by one. It decides where a post belongs, and what
  /// media and polls are; what a post says is joined when it is understood (`Post.merged`).
  func merged(with later: XFields) -> XFields {
    var result = self
    result.members.merge(later.members) { earlier, later in
      guard case .object(let old) = earlier, case .object(let new) = later else { return later }
      return .object(old.merging(new) { $1 })
    }
    // Entities belong to one text as a whole.
    if later["text"] != nil, let entities = later["entities"] { result.members["entities"] = entities }
    if let note = later["note_tweet"] { result.members["note_tweet"] = note }
    return result
  }
}

/// Ids of X: strings of 1 to 19 digits, never numbers. They grow with time, as `Platform.idsGrowWithTime` says.
package enum XID {
  package static func isValid(_ id: String) -> Bool {
    (1...19).contains(id.utf8.count) && id.utf8.allSatisfy { $0 &- 0x30 < 10 }
  }

  /// When an id was given out, to the second as X's own times are; ids of before November 2010 do not say.
  package static func time(_ id: String) -> Timestamp? {
    guard isValid(id), let number = UInt64(id), number > 300_000_000_000_000 else { return nil }
    return Timestamp(seconds: Int64((number >> 22) + 1_288_834_974_657) / 1000)
  }

  /// Whether `first` was given out before `second`.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    let (left, right) = (first.utf8.count, second.utf8.count)
    return left == right ? first < second : left < right
  }
}
