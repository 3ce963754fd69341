extension MarkdownTextWriter {
  /// Adds text that shall be shown as it is.
  package mutating func plain(_ text: String) {
    text.withUTF8Bytes { plain(chunk: $0) }
  }

  /// Adds text that shall be shown as it is, from valid UTF-8.
  package mutating func plain(_ utf8: some Collection<UInt8>) {
    if utf8.withContiguousStorageIfAvailable({ plain(chunk: $0) }) == nil {
      Array(utf8).withUnsafeBufferPointer { plain(chunk: $0) }
    }
  }

  private mutating func plain(chunk input: UnsafeBufferPointer<UInt8>) {
    TextClass.table.table.withUnsafeBufferPointer { table in
      var index = 0
      while index < input.count {
        switch input[index] {
        case Byte.newline:
          // The second half of CR LF has been counted with the first.
          if !afterCarriageReturn { newline() }
          afterCarriageReturn = false
          index += 1
        case Byte.carriageReturn:
          newline()
          afterCarriageReturn = true
          index += 1
        case Byte.space:
          afterCarriageReturn = false
          pendingSpaces += 1
          index += 1
        default:
          afterCarriageReturn = false
          flushPending()
          if position == .inside {
            index += copyRun(input, from: index, table)
          } else {
            index += appendAtLineStart(input, at: index)
          }
        }
      }
    }
  }

  /// Appends the run of plain bytes at `index`, keeping back the spaces at its end, or else the one special character
  /// there. Returns the number of bytes taken.
  private mutating func copyRun(
    _ input: UnsafeBufferPointer<UInt8>, from index: Int, _ table: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var end = index
    while end < input.count, table[Int(input[end])] == 0 { end += 1 }
    guard end > index else { return appendSpecial(input, at: index, table[Int(input[index])]) }
    var visible = end
    while input[visible - 1] == Byte.space { visible -= 1 }
    pendingSpaces = end - visible
    output.append(UnsafeBufferPointer(rebasing: input[index..<visible]))
    endsWithExclamationMark = input[visible - 1] == UInt8(ascii: "!")
    return end - index
  }

  /// Appends the character at `index`, which means something to Markdown wherever it stands.
  private mutating func appendSpecial(
    _ input: UnsafeBufferPointer<UInt8>, at index: Int, _ byteClass: UInt8
  ) -> Int {
    endsWithExclamationMark = false
    let byte = input[index]
    switch byteClass {
    case TextClass.backslashed:
      appendBackslashed(byte)
    case TextClass.less:
      output.append("&lt;" as StaticString)
    case TextClass.ampersand:
      if couldStartEntity(input, at: index) {
        output.append("&amp;" as StaticString)
      } else {
        output.append(byte)
      }
    case TextClass.tab:
      output.append("&#9;" as StaticString)
    case TextClass.hash:
      // A run of # behind a space may end a heading, where the template sets this text in one.
      if place == .inline, output.bytes.last == Byte.space {
        appendBackslashed(byte)
      } else {
        output.append(byte)
      }
    case TextClass.leadOfUnfit:
      return output.appendScalarUnlessUnfit(input, at: index)
    default:
      output.appendReplacementCharacter()
    }
    return 1
  }

  func hasByte(_ input: UnsafeBufferPointer<UInt8>, at index: Int, where test: (UInt8) -> Bool) -> Bool {
    index < input.count && test(input[index])
  }

  /// Appends the character at `index`, the first on its line or behind nothing but digits, so that it starts no block.
  /// Returns the number of bytes taken.
  private mutating func appendAtLineStart(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let byte = input[index]
    let afterDigits = position == .digits
    hasWritten = true
    position = .inside
    // Nothing that starts a block has a letter right behind its mark. Where the chunk ends, anything may follow.
    let opensWord = hasByte(input, at: index + 1) { Byte.isAlphanumeric($0) || $0 >= 0x80 }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      position = .digits
      output.append(byte)
    case UInt8(ascii: "."), UInt8(ascii: ")"):
      if afterDigits, !opensWord { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    case UInt8(ascii: ">"), UInt8(ascii: "#"), UInt8(ascii: "|"):
      if !afterDigits { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="):
      if !afterDigits, !opensWord { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    case UInt8(ascii: ":"):
      // `:-` is a table's second row on GitHub.
      let isFace = hasByte(input, at: index + 1) { $0 != UInt8(ascii: "-") }
      if !afterDigits, !isFace { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    case 0xEF where hasByteOrderMark(input, at: index):
      // libcmark drops a byte order mark at a document's start.
      output.append("&#xFEFF;" as StaticString)
      return 3
    default:
      return 0
    }
    endsWithExclamationMark = false
    return 1
  }

  private func hasByteOrderMark(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    index + 2 < input.count && input[index + 1] == 0xBB && input[index + 2] == 0xBF
  }

  private mutating func appendBackslashed(_ byte: UInt8) {
    output.append(UInt8(ascii: "\\"))
    output.append(byte)
  }
}

/// What bytes mean to the Markdown writer within a line.
private enum TextClass {
  static let backslashed: UInt8 = 1
  static let less: UInt8 = 2
  static let ampersand: UInt8 = 3
  static let tab: UInt8 = 4
  static let hash: UInt8 = 5
  static let leadOfUnfit: UInt8 = 6
  static let control: UInt8 = 7

  static let table = ByteClasses { byte in
    switch byte {
    case _ where "\\`*_[]~$".utf8.contains(byte): backslashed
    case UInt8(ascii: "<"): less
    case UInt8(ascii: "&"): ampersand
    case Byte.tab: tab
    case UInt8(ascii: "#"): hash
    case _ where Byte.mayLeadUnfit(byte): leadOfUnfit
    // Newlines end a run too: the caller sees to them.
    case 0..<0x20, Byte.delete: control
    default: 0
    }
  }
}
