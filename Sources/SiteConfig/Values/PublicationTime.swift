package import ThreadModel

/// The time from which a thread is on the site: a day, a day with a time, or a complete RFC 3339 time with its offset from UTC.
package struct PublicationTime: Sendable, Hashable {
  /// The moment, as if the time zone were UTC, unless ``isExact``.
  package let time: Timestamp
  /// Whether the text contains an offset from UTC. Otherwise, the time is in the site's time zone.
  package let isExact: Bool

  /// Reads `2026-12-01`, `2026-12-01 08:00`, `2026-12-01T08:00:30` or `2026-12-01T08:00:30+01:00`.
  ///
  /// - Throws: ``InvalidValue`` for other texts, and for days and times that do not exist.
  package init(_ text: String) throws(InvalidValue) {
    for (suffix, isExact) in [("", true), ("Z", false), (":00Z", false), ("T00:00:00Z", false)] {
      if let time = Timestamp(iso8601: text + suffix) {
        self.time = time
        self.isExact = isExact
        return
      }
    }
    throw InvalidValue(
      "\(quoted(text)) is not a time; write a day or a day with a time, such as 2026-12-01 08:00")
  }
}
