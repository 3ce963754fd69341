extension MediaShape {
  /// Captions that are text and nothing else; `nil` for all others.
  ///
  /// WebVTT (https://www.w3.org/TR/webvtt1/, 4.1) is UTF-8 in blocks between blank lines. Browsers run nothing of it, but a block `STYLE` is a
  /// style sheet, which nobody needs to know what is said: a file with one is refused, and so is one without a single cue.
  static func captions(_ window: inout ByteWindow) -> MediaShape? {
    guard let bytes = window.whole(upTo: MediaLimits().captionBytes), !bytes.contains(0) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    var isBlockStart = false
    var hasCue = false
    for line in bytes.linesOfText {
      // Blanks behind the word are allowed, and more is not the word.
      let word = line.prefix { $0 != 0x20 && $0 != 0x09 }
      if isBlockStart, word.elementsEqual("STYLE".utf8) { return nil }
      hasCue = hasCue || line.containsArrow
      isBlockStart = line.isEmpty
    }
    return hasCue ? MediaShape(withoutSizeOfMilliseconds: nil) : nil
  }
}

extension [UInt8] {
  /// Cut at LF, CR and CR LF.
  fileprivate var linesOfText: [ArraySlice<UInt8>] {
    split(separator: 0x0A, omittingEmptySubsequences: false).flatMap { line in
      (line.last == 0x0D ? line.dropLast() : line).split(separator: 0x0D, omittingEmptySubsequences: false)
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether it holds the sign between a cue's two times.
  fileprivate var containsArrow: Bool {
    guard count >= 3 else { return false }
    return (startIndex...endIndex - 3).contains { self[$0..<$0 + 3].elementsEqual("-->".utf8) }
  }
}
