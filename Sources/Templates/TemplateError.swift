/// A mistake in a template, where it stands.
package struct TemplateError: Error, Sendable, Equatable {
  package let file: String
  /// From 1; 0 where the mistake is not on a line of the file.
  package let line: Int
  /// In Unicode scalars, from 1.
  package let column: Int
  package let message: String
  /// The line of the template; of a very long one, the part around the mistake.
  package let sourceLine: String
  /// How many scalars of `sourceLine` stand before the caret.
  private let caretOffset: Int

  /// A mistake that has no place in the file.
  init(file: String, message: String) {
    self.file = file
    self.message = message
    line = 0
    column = 0
    sourceLine = ""
    caretOffset = 0
  }

  /// A mistake at a byte offset of `source`.
  init(at offset: Int, of source: TemplateSource, message: String) {
    file = source.file
    self.message = message
    let bytes = Array(source.text.utf8)
    let before = bytes[..<offset]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end =
      bytes[offset...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.count
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let prefix = Array(String(decoding: bytes[start..<offset], as: UTF8.self).unicodeScalars)
    let suffix = String(decoding: bytes[offset..<end], as: UTF8.self).unicodeScalars.prefix(Self.longestSide)
    column = prefix.count + 1
    let shown = prefix.suffix(Self.longestSide)
    caretOffset = shown.count
    var text = String.UnicodeScalarView()
    text.append(contentsOf: shown)
    text.append(contentsOf: suffix)
    sourceLine = String(text)
  }

  /// How many scalars before and after a mistake are shown.
  private static let longestSide = 100
}

extension TemplateError: CustomStringConvertible {
  /// `file:line:column: error: message`, the source line, and a caret below the mistake.
  package var description: String { text(as: "error") }

  /// The same for what is only doubtful.
  var warning: String { text(as: "warning") }

  private func text(as severity: String) -> String {
    guard line > 0 else { return "\(file): \(severity): \(message)" }
    let padding = sourceLine.unicodeScalars.prefix(caretOffset).map { $0 == "\t" ? "\t" : " " }.joined()
    return "\(file):\(line):\(column): \(severity): \(message)\n\(sourceLine)\n\(padding)^"
  }
}

/// Everything that is wrong with a set of templates.
package struct TemplateErrors: Error, Sendable, Equatable, CustomStringConvertible {
  /// At least one, in the order of the files and of their lines.
  package let errors: [TemplateError]

  package var description: String {
    errors.map(\.description).joined(separator: "\n")
  }
}
