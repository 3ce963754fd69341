/// An error in JSON text, with its position.
///
/// Decoders of specific types also throw it (`JSONReader.error`), so that an invalid value is reported with its line and column, like a
/// missing comma.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The byte offset in the input, from 0.
  package var offset: Int
  /// The line, from 1; a line ends with `\n`, `\r\n` or `\r`.
  package var line: Int
  /// The column in Unicode scalars, from 1. A byte order mark is not counted.
  package var column: Int
  /// The message, in lower case and without a full stop, so that it can follow `file:line:column: error: `.
  package var message: String

  package init(offset: Int, line: Int, column: Int, message: String) {
    self.offset = offset
    self.line = line
    self.column = column
    self.message = message
  }

  /// Creates an error with the line and column of `offset` in `bytes`. All bytes before the offset are read to count lines.
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

  /// Whether the error is a premature end of the input.
  package var isOfEnd: Bool { message.hasSuffix("found the end of the input") }

  package var description: String { "\(line):\(column): error: \(message)" }

  /// Returns the error in the format of compilers, with the name of the file.
  package func description(file: String) -> String { "\(file):\(description)" }
}
