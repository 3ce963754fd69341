package import Foundation

extension Data {
  /// Returns whether the bytes contain those of a text.
  ///
  /// The tests search whole sites, and `range(of:)` of Foundation took a twelfth of the processor time of those that fetch.
  package func contains(_ text: String) -> Bool {
    let text = Array(text.utf8)
    return withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, !text.isEmpty else { return text.isEmpty }
      return memmem(start, bytes.count, text, text.count) != nil
    }
  }
}
