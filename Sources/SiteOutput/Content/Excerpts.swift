package import Basics

/// The beginning of a thread as one line of plain text, in two lengths.
///
/// Every thread keeps both in memory. The short one is usually the beginning of the long one with an ellipsis, so that only its length is stored.
package struct Excerpts: Sendable {
  /// About twice as long as `short`.
  package let long: String
  private let form: Form

  private enum Form {
    case same
    /// The number of UTF-8 bytes of `long` before the ellipsis.
    case beginning(Int)
    case other(String)

    var beginning: Int? { if case .beginning(let count) = self { count } else { nil } }
    var other: String? { if case .other(let text) = self { text } else { nil } }
  }

  package init(short: String = "", long: String = "") {
    self.long = long
    if short.isSameBytes(as: long) {
      form = .same
    } else if let start = short.without(byteSuffix: "…"), long.hasBytePrefix(String(start)) {
      form = .beginning(start.utf8.count)
    } else {
      form = .other(short)
    }
  }

  package var short: String {
    switch form {
    case .same: long
    case .beginning(let count): String(decoding: long.utf8.prefix(count), as: UTF8.self) + "…"
    case .other(let text): text
    }
  }
}

extension Excerpts: Record {
  package static let fields = RecordFields(
    Self.init(long:beginning:other:), \.long, \.form.beginning, \.form.other)

  private init(long: String, beginning: Int?, other: String?) {
    self.long = long
    form = beginning.map { .beginning($0) } ?? other.map { .other($0) } ?? .same
  }
}
