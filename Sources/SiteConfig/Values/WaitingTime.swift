/// A span of whole hours or days: `12h`, `30d`.
package struct WaitingTime: Sendable, Hashable, CustomStringConvertible {
  package let seconds: Int64

  package init(hours: Int64) { seconds = hours * 3600 }

  /// - Throws: ``InvalidValue`` for anything but a number followed by `h` or `d`.
  package init(_ text: String) throws(InvalidValue) {
    let digits = text.dropLast()
    guard let unit = text.last, unit == "h" || unit == "d", (1...4).contains(digits.utf8.count),
      digits.utf8.allSatisfy(isASCIIDigit), let count = Int64(digits)
    else { throw InvalidValue("expected a time such as 12h or 30d, found \(quoted(text))") }
    self.init(hours: unit == "h" ? count : count * 24)
  }

  package var description: String {
    let hours = seconds / 3600
    return hours % 24 == 0 && hours > 0 ? "\(hours / 24)d" : "\(hours)h"
  }
}
