import Basics
import NetworkSources

/// Splits a file such as `window.YTD.tweets.part0 = [ {…}, {…} ]` into its elements while it is read. So a file of any size needs only the
/// memory of one post.
///
/// The assignment may be missing, and there may be one object instead of an array. The script is not evaluated: anything but a literal is
/// an error, with the line and column in the file.
struct ScriptElements {
  private enum Place {
    case prefix, beforeElement, afterElement, element, end
  }

  private let archive: String
  private let entry: String
  private let limit: Int

  private var place = Place.prefix
  private var prefix: [UInt8] = []
  private var isArray = true
  private var element: [UInt8] = []
  private var elementStart = (line: 1, column: 1)
  /// The number of open brackets within the element.
  private var depth = 0
  /// The quotation mark that ends the current string.
  private var quote: UInt8?
  private var isEscaped = false
  private var line = 1
  private var column = 1
  private(set) var count = 0

  init(archive: String, entry: String, limit: Int = XArchiveLimits.element) {
    self.archive = archive
    self.entry = entry
    self.limit = limit
  }

  /// Reads the next bytes, and passes on each element that they complete.
  mutating func feed(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(SourceError) {
    var index = 0
    while index < bytes.count {
      if place == .element {
        index = try scanElement(bytes, from: index)
        if place != .element { try hand(over: body) }
        continue
      }
      let byte = bytes[index]
      index += 1
      try take(byte)
      step(over: byte)
    }
  }

  /// The place and the reason if the file is truncated; `nil` if it is complete. All elements that were passed on are complete.
  var cut: JSONError? {
    guard place != .end else { return nil }
    return JSONError(
      offset: 0, line: line, column: column,
      message: "the file ends before its last bracket: it was truncated")
  }

  // MARK: Between elements

  private mutating func take(_ byte: UInt8) throws(SourceError) {
    let isSpace = byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    switch (place, byte) {
    case (.prefix, UInt8(ascii: "[")), (.prefix, UInt8(ascii: "{")):
      try checkPrefix()
      isArray = byte == UInt8(ascii: "[")
      place = .beforeElement
      if !isArray { begin(byte) }
    case (.prefix, _):
      guard prefix.count < 200 else { throw failure(Self.wanted) }
      prefix.append(byte)
    case (_, _) where isSpace: break
    case (.beforeElement, UInt8(ascii: "{")): begin(byte)
    case (.beforeElement, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")): place = .end
    case (.afterElement, UInt8(ascii: ",")): place = .beforeElement
    case (.end, UInt8(ascii: ";")): break
    case (.end, _): throw failure("expected nothing more, but found '\(Self.show(byte))'")
    case (.afterElement, _): throw failure("expected ',' or ']', but found '\(Self.show(byte))'")
    default: throw failure("expected an object, but found '\(Self.show(byte))'")
    }
  }

  private static let wanted = "expected what X's archives begin with: window.YTD.… = ["

  private static func show(_ byte: UInt8) -> String {
    byte > 0x20 && byte < 0x7F ? String(UnicodeScalar(byte)) : "\u{FFFD}"
  }

  /// Throws unless the text before the value is empty, or a name and an equals sign.
  private func checkPrefix() throws(SourceError) {
    var text = prefix[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    let words = String(decoding: text, as: UTF8.self)
      .split(whereSeparator: { $0.isWhitespace || $0.isNewline })
    if words.isEmpty { return }
    let joined = words.joined(separator: " ")
    let names = joined.hasSuffix("=") ? joined.dropLast().split(separator: " ") : []
    let isName = { (name: Substring) in
      name.utf8.allSatisfy {
        $0 == 0x5F || $0 == 0x2E || $0 == 0x24 || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26
      }
    }
    let isDeclared = names.count == 2 && ["var", "let", "const"].contains(names[0])
    guard names.count == 1 || isDeclared, names.allSatisfy(isName) else { throw failure(Self.wanted) }
  }

  private mutating func begin(_ byte: UInt8) {
    place = .element
    elementStart = (line, column)
    element.removeAll(keepingCapacity: true)
    element.append(byte)
    depth = 1
    quote = nil
    isEscaped = false
  }

  // MARK: Within elements

  /// Skips bytes to the end of the element or of the bytes. Returns the offset at which it stopped.
  private mutating func scanElement(_ bytes: UnsafeRawBufferPointer, from start: Int) throws(SourceError)
    -> Int
  {
    var index = start
    scan: while index < bytes.count {
      let byte = bytes[index]
      index += 1
      step(over: byte)
      if let open = quote {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == open {
          quote = nil
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 {
          place = isArray ? .afterElement : .end
          break scan
        }
      default: break
      }
    }
    guard element.count + (index - start) <= limit else {
      throw SourceError(
        JSONError(
          offset: 0, line: elementStart.line, column: elementStart.column,
          message: "an element of more than \(limit >> 20) MB, which no post is"), in: "\(archive)/\(entry)")
    }
    element.append(contentsOf: bytes[start..<index])
    return index
  }

  private mutating func hand(over body: (inout JSONReader) throws(JSONError) -> Void) throws(SourceError) {
    count += 1
    do {
      try element.withUnsafeBufferPointer { buffer throws(JSONError) in
        try JSONReader.readScript(buffer, body)
      }
    } catch {
      var error = error
      if error.line == 1 { error.column += elementStart.column - 1 }
      error.line += elementStart.line - 1
      throw SourceError(error, in: "\(archive)/\(entry)")
    }
  }

  private mutating func step(over byte: UInt8) {
    if byte == 0x0A {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80, byte != 0x0D, byte != 0xEF || line > 1 || column > 1 {
      column += 1
    }
  }

  private func failure(_ message: String) -> SourceError {
    SourceError(JSONError(offset: 0, line: line, column: column, message: message), in: "\(archive)/\(entry)")
  }
}
