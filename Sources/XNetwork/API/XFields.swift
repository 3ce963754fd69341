package import Basics
package import ThreadModel

/// The members of one JSON object from X. Reading is lenient because nearly every member is optional in the schema: a member that is
/// missing, null or of an unexpected type is `nil`.
package struct XFields: Hashable, Sendable {
  package private(set) var members: JSONObject

  package init(_ object: JSONObject) { members = object.filter { !$0.value.isNull } }

  package subscript(key: String) -> JSONValue? { members[key] }

  package func string(_ key: String) -> String? { members[key]?.string }
  package func bool(_ key: String) -> Bool? { members[key]?.bool }
  package func fields(_ key: String) -> XFields? { members[key]?.object.map(XFields.init) }

  /// A string that is not empty.
  package func text(_ key: String) -> String? { string(key).flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the objects of an array; elements that are not objects are skipped.
  package func list(_ key: String) -> [XFields] {
    members[key]?.array?.compactMap { $0.object.map(XFields.init) } ?? []
  }

  package func strings(_ key: String) -> [String] { members[key]?.array?.compactMap(\.string) ?? [] }

  /// A whole number. X has sent some numbers as strings (`edits_remaining`).
  package func int(_ key: String) -> Int? { members[key]?.int ?? string(key).flatMap { Int($0) } }

  /// A count: a whole number that is not negative.
  package func count(_ key: String) -> Int? { int(key).flatMap { $0 >= 0 ? $0 : nil } }

  package func time(_ key: String) -> Timestamp? { string(key).flatMap { Timestamp(iso8601: $0) } }

  /// Returns an id; `nil` if it is invalid.
  package func id(_ key: String) -> String? { string(key).flatMap { XID.isValid($0) ? $0 : nil } }

  /// Returns all members except the known keys: data without a property in the model.
  package func extra(without known: Set<String>) -> JSONObject { members.filter { !known.contains($0.key) } }

  /// Returns these members merged with those of a later observation. Later members win, and metrics are merged one by one. This merge is
  /// used to place posts and to read media and polls. The content of posts is merged after conversion to the model (`Post.merged`).
  func merged(with later: XFields) -> XFields {
    var result = self
    result.members.merge(later.members) { earlier, later in
      guard case .object(let old) = earlier, case .object(let new) = later else { return later }
      return .object(old.merging(new) { $1 })
    }
    // Entities are never merged, because they belong to one text.
    if later["text"] != nil, let entities = later["entities"] { result.members["entities"] = entities }
    if let note = later["note_tweet"] { result.members["note_tweet"] = note }
    return result
  }
}

/// X's ids: strings of 1 to 19 digits, never numbers. Ids grow with time (`Platform.idsGrowWithTime`).
package enum XID {
  package static func isValid(_ id: String) -> Bool {
    (1...19).contains(id.utf8.count) && id.utf8.allSatisfy { $0 &- 0x30 < 10 }
  }

  /// Returns an id as a number, which takes an eighth of the memory; `nil` for other texts, and for 0.
  static func number(_ id: String) -> UInt64? {
    guard isValid(id), id.utf8.first != UInt8(ascii: "0") else { return nil }
    return UInt64(id)
  }

  /// Returns the time at which an id was assigned, in whole seconds like X's times; `nil` for ids from before November 2010, which do not
  /// encode a time.
  package static func time(_ id: String) -> Timestamp? {
    guard isValid(id), let number = UInt64(id), number > 300_000_000_000_000 else { return nil }
    return Timestamp(seconds: Int64((number >> 22) + 1_288_834_974_657) / 1000)
  }

  /// Returns whether `first` was assigned before `second`.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    let (left, right) = (first.utf8.count, second.utf8.count)
    return left == right ? first < second : left < right
  }
}
