package import Basics

/// A limit is stored as a string with its kind, such as `"recent_search"`, or, if it has a day, as an object such as `{"day": "2024-01-01", "limit":
/// "timeline_until"}`.
extension CoverageLimit: StoredValue {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    guard reader.nextKind() == .object else {
      let text = try reader.readString()
      self.init(Self.oldSentences[text] ?? Kind(rawValue: text))
      return
    }
    var kind: Kind?
    var day: String?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "day": day = try reader.readDay()
      case "limit": kind = try Kind(rawValue: reader.readNonEmptyString())
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

  /// The sentences that older files have in place of kinds, as far as they contain no date. Any other sentence is read as an unknown kind and kept
  /// unchanged.
  private static let oldSentences: [String: Kind] = [
    "recent search sees seven days only": .recentSearch,
    "recent search is not open to the account that fetched this": .recentSearchRefused,
    "recent search did not come to an end": .recentSearchCut,
    "recent search failed": .recentSearchFailed,
    "full-archive search is not open to the account that fetched this": .fullSearchRefused,
    "full-archive search did not come to an end": .fullSearchCut,
    "full-archive search failed": .fullSearchFailed,
    "posts written and more than seven days before the last fetch were not looked for": .growthUnseen,
    "replies of others are found by searching only": .repliesUnsearched,
    "replies of others are found by searching only, which was not possible": .repliesUnreachable,
    "the author's timeline could not be read": .timelineUnread,
    "the author's timeline did not come to an end": .timelineCut,
    "the author's timeline failed": .timelineFailed,
    "X gives the newest 3200 posts of a timeline only": .timelineReach,
    "climbing from a post sees only what came before it": .climbing,
    "some posts that these refer to could not be looked up": .lookupFailed,
    "fetching ended before all of the thread was read": .fetchEnded,
  ]
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
