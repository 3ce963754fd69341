import Foundation

/// The tokenizer of `HTMLTokens`, which reads UTF-8 bytes in one pass.
struct HTMLTokenizer {
  static let voidElements: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
  ]
  /// Elements whose content has no markup except their end tag.
  static let rawTextElements: Set<String> = ["script", "style"]

  let bytes: [UInt8]
  var position = 0
  private(set) var tokens: [HTMLToken] = []
  /// The end of each token in `bytes`, where the next one starts.
  private(set) var ends: [Int] = []
  /// Decoded text since the last tag.
  var text: [UInt8] = []

  init(bytes: [UInt8]) {
    self.bytes = Self.normalizingNewlines(bytes)
  }

  /// Returns the bytes with CR and CR LF replaced by LF, as the standard requires before tokenization.
  static func normalizingNewlines(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0x0D) else { return bytes }
    var result: [UInt8] = []
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == 0x0D {
        result.append(0x0A)
      } else if !(byte == 0x0A && previous == 0x0D) {
        result.append(byte)
      }
      previous = byte
    }
    return result
  }

  mutating func run() throws(HTMLTokenError) -> [HTMLToken] {
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "<"):
        try readMarkup()
      case UInt8(ascii: "&"):
        text.append(contentsOf: try readReference())
      case 0:
        throw failure("a NUL")
      default:
        readText()
      }
    }
    flushText()
    return tokens
  }

  private mutating func append(_ token: HTMLToken) {
    tokens.append(token)
    ends.append(position)
  }

  /// Reads the bytes up to the next one that is not plain text, all at once: tests are built without optimization.
  private mutating func readText() {
    var end = next(UInt8(ascii: "<"), before: bytes.count)
    end = next(UInt8(ascii: "&"), before: end)
    end = next(0, before: end)
    text += bytes[position..<end]
    position = end
  }

  /// The position of the next such byte, or `end` if no such byte precedes it.
  private func next(_ byte: UInt8, before end: Int) -> Int {
    bytes.withUnsafeBytes { all in
      guard let start = all.baseAddress, position < end else { return end }
      guard let found = memchr(start + position, Int32(byte), end - position) else { return end }
      return UnsafeRawPointer(found) - start
    }
  }

  private mutating func flushText() {
    guard !text.isEmpty else { return }
    append(.text(String(decoding: text, as: UTF8.self)))
    text = []
  }

  private mutating func readMarkup() throws(HTMLTokenError) {
    flushText()
    if skip("<!--") {
      let comment = try readUntil("-->", "a comment without its end")
      // Browsers end such comments early, or repair them.
      if comment.hasPrefix(">") || comment.hasPrefix("->") || comment.contains("--!>")
        || comment.contains("<!--")
      {
        throw failure("a malformed comment")
      }
      append(.comment(comment))
    } else if skip("<!DOCTYPE ") || skip("<!doctype ") {
      append(.doctype(try readUntil(">", "a doctype without its end")))
    } else if skip("</") {
      let name = try readName("an end tag without a name")
      guard skip(">") else { throw failure("</\(name)> is not followed by >") }
      append(.endTag(name))
    } else {
      position += 1
      try readStartTag()
    }
  }

  private mutating func readStartTag() throws(HTMLTokenError) {
    var tag = HTMLStartTag(name: try readName("a bare <"))
    while true {
      let hadSpace = skipSpace()
      if skip(">") { break }
      if skip("/>") {
        tag.isSelfClosing = true
        break
      }
      guard hadSpace else { throw failure("no space before an attribute of <\(tag.name)>") }
      let attribute = try readAttribute(of: tag.name)
      if tag[attribute.name] != nil { throw failure("<\(tag.name)> has \(attribute.name) twice") }
      tag.attributes.append(attribute)
    }
    append(.startTag(tag))
    if Self.rawTextElements.contains(tag.name), !tag.isSelfClosing { try readRawText(of: tag.name) }
  }

  private mutating func readAttribute(of element: String) throws(HTMLTokenError) -> HTMLAttribute {
    var name: [UInt8] = []
    while let byte = peek(), Self.isAttributeName(byte) {
      name.append(Self.lowercased(byte))
      position += 1
    }
    guard !name.isEmpty else { throw failure("<\(element)> holds something that is no attribute") }
    let attribute = String(decoding: name, as: UTF8.self)
    guard skip("=") else { return HTMLAttribute(attribute, "") }
    guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw failure("the value of \(attribute) is not quoted")
    }
    position += 1
    var value: [UInt8] = []
    while let byte = peek(), byte != quote {
      switch byte {
      case UInt8(ascii: "&"): value.append(contentsOf: try readReference())
      case 0: throw failure("a NUL in \(attribute)")
      default:
        value.append(byte)
        position += 1
      }
    }
    guard peek() == quote else { throw failure("the value of \(attribute) has no closing quote") }
    position += 1
    return HTMLAttribute(attribute, String(decoding: value, as: UTF8.self))
  }

  /// Reads the text of a script or a style up to its end tag, as one text token.
  private mutating func readRawText(of element: String) throws(HTMLTokenError) {
    let end = Array("</\(element)".utf8)
    let start = position
    while true {
      position = next(UInt8(ascii: "<"), before: bytes.count)
      guard position < bytes.count else { break }
      let rest = bytes[position...].prefix(end.count).map { Self.lowercased($0) }
      if rest == end {
        if position > start {
          append(.text(String(decoding: bytes[start..<position], as: UTF8.self)))
        }
        return
      }
      position += 1
    }
    throw failure("<\(element)> is never closed")
  }

  private mutating func readName(_ problem: String) throws(HTMLTokenError) -> String {
    guard let first = peek(), Self.isLetter(first) else { throw failure(problem) }
    var name: [UInt8] = []
    while let byte = peek(), Self.isLetter(byte) || Self.isDigit(byte) || byte == UInt8(ascii: "-") {
      name.append(Self.lowercased(byte))
      position += 1
    }
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func readUntil(_ end: String, _ problem: String) throws(HTMLTokenError) -> String {
    let start = position
    let first = end.utf8.first ?? 0
    while true {
      position = next(first, before: bytes.count)
      guard position < bytes.count else { break }
      let stop = position
      if skip(end) { return String(decoding: bytes[start..<stop], as: UTF8.self) }
      position += 1
    }
    throw failure(problem)
  }
}

// MARK: - Bytes

extension HTMLTokenizer {
  func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  mutating func skip(_ literal: String) -> Bool {
    guard peek() == literal.utf8.first, bytes[position...].starts(with: literal.utf8) else { return false }
    position += literal.utf8.count
    return true
  }

  mutating func skipSpace() -> Bool {
    let start = position
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0C { position += 1 }
    return position > start
  }

  func failure(_ message: String) -> HTMLTokenError {
    let line = 1 + bytes.prefix(position).count { $0 == 0x0A }
    let near = String(decoding: bytes[max(0, position - 20)..<min(bytes.count, position + 20)], as: UTF8.self)
    return HTMLTokenError(line: line, message: "\(message), near «\(near)»")
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte)
  }

  /// Returns whether a byte is a letter, a digit, or a character of names such as `data-…` and `xml:lang`; the standard allows more characters.
  static func isAttributeName(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
      || byte == UInt8(ascii: "_")
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
  }
}
