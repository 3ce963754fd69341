package import Basics

/// The members of a file that are needed before its records can be read.
package struct StoreFormat: Sendable {
  /// The format that is written, and the newest one that can be read.
  package static let current = 1

  package var number: Int
  package var platform: Platform

  /// Reads until both members are found, and skips other members.
  package init(reading reader: inout JSONReader) throws(JSONError) {
    var format: Int?
    var platform: String?
    try reader.beginObject()
    let start = reader.lastStart
    while format == nil || platform == nil, let key = try reader.nextKey() {
      switch key {
      case "format":
        let number = try reader.readInt()
        guard number >= 1 else { throw reader.error("expected a format of 1 or more", at: reader.lastStart) }
        format = number
      case "platform": platform = try reader.readNonEmptyString()
      default: try reader.skipValue()
      }
    }
    guard let format else { throw reader.missing("format", in: "conversation", at: start) }
    guard let platform else { throw reader.missing("platform", in: "conversation", at: start) }
    self.number = format
    self.platform = Platform(rawValue: platform)
  }
}

/// A member of a file whose value is derived from the rest of the record. Only `StoreFormat` reads it.
struct DerivedMember: StoredValue {
  var value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    value = .null
    try reader.skipValue()
  }
  func write(to writer: inout JSONWriter, _ platform: Platform) { writer.value(value) }
}

extension Conversation {
  var formatMember: DerivedMember {
    get { DerivedMember(.integer(Int64(StoreFormat.current))) }
    set {}
  }
  var platformMember: DerivedMember {
    get { DerivedMember(.string(platform.rawValue)) }
    set {}
  }
}

extension Profile {
  var formatMember: DerivedMember {
    get { DerivedMember(.integer(Int64(StoreFormat.current))) }
    set {}
  }
  var platformMember: DerivedMember {
    get { DerivedMember(.string(author.id.platform.rawValue)) }
    set {}
  }
}
