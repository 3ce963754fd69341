/// Splits text into searchable terms with their positions.
///
/// A term is a run of letters, digits and marks, after folding (`TextFolding`). A text with underscores is one term, and its parts are also
/// terms, so that `@ada_example` is found by the whole name and by `example`. Han, kana and Hangul, which are written without spaces or are
/// searched for by parts of words, become overlapping pairs. The last character of a run is also a separate term, so that every single
/// character is the beginning of a term.
package struct SearchTokenizer: Sendable {
  /// The maximum number of scalars in a term. Longer terms are cut.
  package static let longestTerm = 32

  private var folding = TextFolding()
  /// The folded word that is being read.
  private var word: [UInt8] = []
  /// The number of underscores in the word.
  private var joiners = 0
  /// The ideographs that are being read, and the byte offset of each of them.
  private var run: [UInt8] = []
  private var starts: [Int] = []

  package init() {}

  /// Calls `body` with every term of `text` and its position. Positions start at `position` and increase by one for each word.
  ///
  /// - Returns: the position after the last term.
  package mutating func forEachTerm(
    in text: String, from position: Int, _ body: (UnsafeBufferPointer<UInt8>, Int) -> Void
  ) -> Int {
    var position = position
    let isASCII =
      text.utf8.withContiguousStorageIfAvailable { bytes in
        readASCII(bytes, &position, body)
      } ?? false
    if !isASCII { readScalars(of: text, &position, body) }
    return position
  }

  /// Reads text whose bytes are all ASCII, as most text is.
  ///
  /// - Returns: `false`, without any change, if the text is not ASCII.
  private mutating func readASCII(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int,
    _ body: (UnsafeBufferPointer<UInt8>, Int) -> Void
  ) -> Bool {
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
    for byte in bytes { readASCII(byte, &position, body) }
    endWord(&position, body)
    return true
  }

  @inline(__always)
  private mutating func readASCII(
    _ byte: UInt8, _ position: inout Int, _ body: (UnsafeBufferPointer<UInt8>, Int) -> Void
  ) {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(byte)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
    case UInt8(ascii: "_"):
      word.append(byte)
      joiners += 1
    default: if !word.isEmpty { endWord(&position, body) }
    }
  }

  private mutating func readScalars(
    of text: String, _ position: inout Int, _ body: (UnsafeBufferPointer<UInt8>, Int) -> Void
  ) {
    let text = TextFolding.needsComposing(text) ? TextFolding.composed(text) : text
    for (scalar, mark) in FoldingUnits(text) {
      if scalar.isASCII, mark == nil {
        if !starts.isEmpty { endRun(&position, body) }
        readASCII(UInt8(truncatingIfNeeded: scalar.value), &position, body)
        continue
      }
      for piece in folding.pieces(of: scalar, with: mark) {
        if piece.kind != .ideograph, !starts.isEmpty { endRun(&position, body) }
        switch piece.kind {
        case .word: word.append(contentsOf: piece.bytes)
        case .joiner:
          word.append(contentsOf: piece.bytes)
          joiners += 1
        case .ideograph:
          if !word.isEmpty { endWord(&position, body) }
          starts.append(run.count)
          run.append(contentsOf: piece.bytes)
        case .other: if !word.isEmpty { endWord(&position, body) }
        }
      }
    }
    endWord(&position, body)
    endRun(&position, body)
  }

  /// Returns a name, folded and without its spaces and punctuation: `adalindqvist`, `ada_example`.
  mutating func whole(_ name: String) -> [UInt8] {
    var whole: [UInt8] = []
    let text = TextFolding.needsComposing(name) ? TextFolding.composed(name) : name
    for (scalar, mark) in FoldingUnits(text) {
      for piece in folding.pieces(of: scalar, with: mark) where piece.kind != .other {
        whole.append(contentsOf: piece.bytes)
      }
    }
    return whole
  }

  private mutating func endWord(
    _ position: inout Int, _ body: (UnsafeBufferPointer<UInt8>, Int) -> Void
  ) {
    defer {
      word.removeAll(keepingCapacity: true)
      joiners = 0
    }
    guard !word.isEmpty else { return }
    word.withUnsafeBufferPointer { word in
      guard joiners > 0 else {
        body(Self.cut(word[...]), position)
        position += 1
        return
      }
      let parts = word.split(separator: UInt8(ascii: "_"))
      if parts.count > 1, let first = parts.first, let last = parts.last {
        body(Self.cut(word[first.startIndex..<last.endIndex]), position)
      }
      for part in parts {
        body(Self.cut(part), position)
        position += 1
      }
    }
  }

  private mutating func endRun(
    _ position: inout Int, _ body: (UnsafeBufferPointer<UInt8>, Int) -> Void
  ) {
    run.withUnsafeBufferPointer { run in
      for index in starts.indices {
        let end = index + 2 < starts.count ? starts[index + 2] : run.count
        body(UnsafeBufferPointer(rebasing: run[starts[index]..<end]), position)
        position += 1
      }
    }
    run.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
  }

  /// Returns the beginning of a term, with at most the allowed number of scalars.
  private static func cut(_ term: Slice<UnsafeBufferPointer<UInt8>>) -> UnsafeBufferPointer<UInt8> {
    let all = UnsafeBufferPointer(rebasing: term)
    guard all.count > longestTerm else { return all }
    var scalars = 0
    for (index, byte) in all.enumerated() where byte & 0xC0 != 0x80 {
      if scalars == longestTerm { return UnsafeBufferPointer(rebasing: all[..<index]) }
      scalars += 1
    }
    return all
  }
}
