package import Basics

/// The JSON values on the lines of a file that is not JSON as a whole: a damaged file with one value per line, or an array with one element
/// per line.
package struct JSONLines {
  /// The values in the order of the file, each with the number of its line, from 1.
  package private(set) var values: [(line: Int, value: JSONValue)] = []
  /// Errors of lines that are not JSON. Usually this is the last line of a truncated file.
  package private(set) var unread: [JSONError] = []

  /// - Parameters:
  ///   - start: the bytes that are skipped at the start of a line.
  ///   - end: the bytes that are skipped at the end of a line, such as the comma after an element of an array.
  package init(_ bytes: [UInt8], skipping start: StaticString, _ end: StaticString) {
    let (leading, trailing) = (Set("\(start)".utf8), Set("\(end)".utf8))
    var offset = 0
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      defer { offset += line.count + 1 }
      var text = line
      while let last = text.last, trailing.contains(last) { text.removeLast() }
      while let first = text.first, leading.contains(first) { text.removeFirst() }
      // The brackets of an array may be on lines of their own.
      guard !text.isEmpty, text.count > 1 || !"[]".utf8.contains(text[text.startIndex]) else { continue }
      do throws(JSONError) {
        values.append((number + 1, try JSONValue(parsing: Array(text))))
      } catch {
        let before = text.startIndex - line.startIndex
        unread.append(
          JSONError(
            offset: offset + before + error.offset, line: number + 1, column: before + error.column,
            message: error.message))
      }
    }
  }
}
