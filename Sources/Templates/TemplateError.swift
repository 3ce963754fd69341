/// A mistake in a template and its position.
package struct TemplateError: Error, Sendable, Equatable {
  package let file: String
  /// The line, from 1; 0 if the mistake has no line in the file.
  package let line: Int
  /// The column in Unicode scalars, from 1.
  package let column: Int
  package let message: String
  /// The line of the template, or the part around the mistake if the line is very long.
  package let sourceLine: String
  /// The number of scalars of `sourceLine` before the caret.
  private let caretOffset: Int

  /// Creates a mistake without a position in the file.
  init(file: String, message: String) {
    self.file = file
    self.message = message
    line = 0
    column = 0
    sourceLine = ""
    caretOffset = 0
  }

  /// Creates a mistake at a byte offset of `source`.
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

  /// The maximum number of scalars that are shown on each side of a mistake.
  private static let longestSide = 100
}

extension TemplateError: CustomStringConvertible {
  /// `file:line:column: error: message`, the source line, and a caret below the mistake.
  package var description: String { text(as: "error") }

  /// The same text as a warning.
  var warning: String { text(as: "warning") }

  private func text(as severity: String) -> String {
    guard line > 0 else { return "\(file): \(severity): \(message)" }
    let padding = sourceLine.unicodeScalars.prefix(caretOffset).map { $0 == "\t" ? "\t" : " " }.joined()
    return "\(file):\(line):\(column): \(severity): \(message)\n\(sourceLine)\n\(padding)^"
  }
}

/// All mistakes in a set of templates.
package struct TemplateErrors: Error, Sendable, Equatable, CustomStringConvertible {
  /// At least one mistake, in the order of the files and their lines.
  package let errors: [TemplateError]

  package var description: String {
    errors.map(\.description).joined(separator: "\n")
  }
}
