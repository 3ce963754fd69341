/// Why a piece of JSON could not be read, and where.
///
/// The one error of this module. Decoders of known shapes throw it too (`JSONReader.error`), so that a wrong
/// value is reported at its line and column just as a missing comma is.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Bytes from the beginning of the input, from 0.
  package var offset: Int
  /// Lines from 1; a line ends with `\n`, `\r\n` or `\r`.
  package var line: Int
  /// Unicode scalars from the beginning of the line, from 1. A byte order mark counts for nothing.
  package var column: Int
  /// What is wrong: lower case, no full stop, so that it can follow `file:line:column: error: `.
  package var message: String

  package init(offset: Int, line: Int, column: Int, message: String) {
    self.offset = offset
    self.line = line
    self.column = column
    self.message = message
  }

  /// Finds line and column of `offset` in `bytes`. Reads all bytes before it: for errors only.
  package init(message: String, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    var line = 1
    var column = 1
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let offset = min(max(offset, 0), bytes.count)
    while index < offset {
      let byte = bytes[index]
      index += 1
      if byte == 0x0A || byte == 0x0D && !(index < bytes.count && bytes[index] == 0x0A) {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80, byte != 0x0D {
        column += 1
      }
    }
    self.init(offset: offset, line: line, column: column, message: message)
  }

  /// Whether the input ended too early.
  package var isOfEnd: Bool { message.hasSuffix("found the end of the input") }

  package var description: String { "\(line):\(column): error: \(message)" }

  /// The error as compilers print it, for the file that the bytes came from.
  package func description(file: String) -> String { "\(file):\(description)" }
}
