/// How much of what is published may be deleted in one go: a number of files, or a part of all that are there.
package enum DeletionLimit: Sendable, Hashable, CustomStringConvertible {
  case files(Int)
  case percent(Int)

  /// Reads `100` or `25%`.
  package init(_ text: String) throws(InvalidValue) {
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? text.dropLast() : text[...]
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy(isASCIIDigit), let number = Int(digits),
      !isPercent || number <= 100
    else {
      throw InvalidValue(
        "expected a number of files such as 100, or a part such as 25%, found \(quoted(text))")
    }
    self = isPercent ? .percent(number) : .files(number)
  }

  /// Whether so many of so many may be deleted.
  package func allows(_ deleted: Int, of all: Int) -> Bool {
    switch self {
    case .files(let number): deleted <= number
    case .percent(let number): deleted * 100 <= all * number
    }
  }

  package var description: String {
    switch self {
    case .files(let number): "\(number)"
    case .percent(let number): "\(number)%"
    }
  }
}

extension ValueReader where Value == DeletionLimit {
  static var deletionLimit: ValueReader {
    .text("a number of files such as 100, or a part such as 25%") { text throws(InvalidValue) in
      try DeletionLimit(text)
    }
  }
}
