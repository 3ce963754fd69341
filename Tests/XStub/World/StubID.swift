package import Foundation

/// The ID of a post, a user, a poll or a media file: a snowflake, which contains the time of its creation.
///
/// Layout: milliseconds since 2010-11-04T01:42:54.657Z in the bits from 22 up, a counter below
/// (X's documentation of IDs; the epoch is 1288834974657 milliseconds since 1970).
package struct StubID: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral {
  package var value: UInt64

  package static let epochMilliseconds: Int64 = 1_288_834_974_657

  package init(_ value: UInt64) { self.value = value }
  package init(integerLiteral value: UInt64) { self.value = value }

  /// Parses an ID; `nil` unless `text` has 1 to 19 digits, as X requires for IDs.
  package init?(_ text: String) {
    guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    guard let value = UInt64(text) else { return nil }
    self.value = value
  }

  /// Creates the ID of an object created at `date`; `counter` distinguishes IDs of the same millisecond.
  package init(at date: Date, counter: UInt64) {
    let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded()) - Self.epochMilliseconds
    value = UInt64(max(0, milliseconds)) << 22 | counter & 0x3F_FFFF
  }

  /// The time of creation.
  package var date: Date {
    Date(timeIntervalSince1970: Double(Int64(value >> 22) + Self.epochMilliseconds) / 1000)
  }

  package var description: String { String(value) }
  package static func < (left: StubID, right: StubID) -> Bool { left.value < right.value }
}

extension Date {
  /// The time in X's format: `2021-01-06T18:40:40.000Z`.
  package var stubTime: String {
    ISO8601Format(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// Parses `YYYY-MM-DDTHH:mm:ssZ`, with or without fractions of a second.
  init?(stubTime text: String) {
    let plain = Date.ISO8601FormatStyle()
    let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let date = (try? plain.parse(text)) ?? (try? fractional.parse(text)) else { return nil }
    self = date
  }
}
