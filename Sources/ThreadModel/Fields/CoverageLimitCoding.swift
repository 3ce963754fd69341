package import Basics

/// A limit is stored as a string with its kind, such as `"recent_search"`, or, if it has a day, as an object such as `{"day": "2024-01-01", "limit":
/// "timeline_until"}`.
extension CoverageLimit: StoredValue {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    guard reader.nextKind() == .object else {
      self.init(Kind(rawValue: try reader.readString()))
      return
    }
    var kind: Kind?
    var day: String?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "day" where day == nil: day = try reader.readDay()
      case "limit" where kind == nil: kind = try Kind(rawValue: reader.readNonEmptyString())
      case "day", "limit": throw reader.repeated(key, in: "limit")
      default: throw reader.unknown(key, in: "limit")
      }
    }
    guard let kind else { throw reader.missing("limit", in: "limit", at: start) }
    guard let day else { throw reader.missing("day", in: "limit", at: start) }
    self.init(kind, day: day)
  }

  package func write(to writer: inout JSONWriter, _ platform: Platform) {
    guard let day else { return writer.string(kind.rawValue) }
    writer.object { writer in
      writer.member("day", day)
      writer.member("limit", kind.rawValue)
    }
  }
}

extension JSONReader {
  /// Reads a date such as `2024-01-01`, unchanged.
  fileprivate mutating func readDay() throws(JSONError) -> String {
    let day = try readString()
    // The day is completed to a time and checked by the parser of times.
    guard day.utf8.count == 10, Timestamp(iso8601: day + "T00:00:00Z") != nil else {
      throw error("expected a date such as 2024-01-01, but found \"\(day)\"", at: lastStart)
    }
    return day
  }
}
