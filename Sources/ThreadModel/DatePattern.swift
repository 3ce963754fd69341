package import UTF8Text

/// The order of a date's parts: `{day}. {month} {year}`.
package struct DatePattern: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    case text(String)
    case day, month, year
    /// Of 24 hours, with two digits.
    case hour
    case minute
    /// `UTC+1`
    case zone
    /// A day by its own pattern.
    case date
  }

  let pieces: [Piece]

  init(pieces: [Piece]) { self.pieces = pieces }

  /// Names that may stand in a pattern.
  package static let names = ["day", "month", "year", "hour", "minute", "zone", "date"]

  /// - Returns: `nil` where a name in braces is none of ``names``.
  package init?(_ text: BracedText) {
    var pieces: [Piece] = []
    for piece in text.pieces {
      switch piece {
      case .text(let text): pieces.append(.text(text))
      case .name(let name):
        guard let piece = Self.piece(name) else { return nil }
        pieces.append(piece)
      }
    }
    self.pieces = pieces
  }

  /// From the hour to the minute, whichever comes first.
  var time: DatePattern {
    guard let start = pieces.firstIndex(where: { $0 == .hour || $0 == .minute }),
      let end = pieces.lastIndex(where: { $0 == .hour || $0 == .minute })
    else { return DatePattern(pieces: [.hour, .text(":"), .minute]) }
    return DatePattern(pieces: Array(pieces[start...end]))
  }

  private static func piece(_ name: String) -> Piece? {
    switch name {
    case "day": .day
    case "month": .month
    case "year": .year
    case "hour": .hour
    case "minute": .minute
    case "zone": .zone
    case "date": .date
    default: nil
    }
  }

  func replacingDate(with day: DatePattern) -> DatePattern {
    DatePattern(pieces: pieces.flatMap { $0 == .date ? day.pieces.filter { $0 != .date } : [$0] })
  }
}
