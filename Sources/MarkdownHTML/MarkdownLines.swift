import CCmark

/// The lines of a document as CommonMark defines them: they end with LF, CR LF or CR.
struct MarkdownLines {
  private let markdown: UnsafeBufferPointer<UInt8>
  /// Without any CR, a fast search for LF is enough.
  private let hasCarriageReturns: Bool

  init(of markdown: UnsafeBufferPointer<UInt8>) {
    self.markdown = markdown
    hasCarriageReturns = Self.find(0x0D, in: markdown, 0..<markdown.count) < markdown.count
  }

  /// Returns the end of the line that begins at `start`, without its line break.
  func end(from start: Int) -> Int {
    guard hasCarriageReturns else { return Self.find(0x0A, in: markdown, start..<markdown.count) }
    var end = start
    while end < markdown.count, markdown[end] != 0x0A, markdown[end] != 0x0D { end += 1 }
    return end
  }

  /// Returns the beginning of the line after the one that ends at `end`.
  func start(after end: Int) -> Int {
    let isPair = end + 1 < markdown.count && markdown[end] == 0x0D && markdown[end + 1] == 0x0A
    return end + (isPair ? 2 : 1)
  }

  /// Returns the first index of `byte` in the range, or the range's end.
  static func find(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
    guard let base = bytes.baseAddress, let found = memchr(base + range.lowerBound, Int32(byte), range.count)
    else { return range.upperBound }
    return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }
}
