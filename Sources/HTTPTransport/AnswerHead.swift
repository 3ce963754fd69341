/// Status and headers of an answer, line by line as they arrive.
package struct AnswerHead {
  /// Header bytes of one hop, provisional answers (1xx) and trailers included: an endless head ends here.
  static let maximumBytes = 256 << 10

  package private(set) var status = 0
  package private(set) var headers = HTTPHeaders()
  private var bytes = 0

  package init() {}

  /// - Returns: whether there is still room.
  package mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
    bytes += line.count
    guard bytes <= Self.maximumBytes else { return false }
    if line.starts(with: "HTTP/".utf8) {
      // Each answer starts anew: what came before was provisional.
      headers = HTTPHeaders()
      let code = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix { $0 != UInt8(ascii: " ") }
      status = Int(Self.text(code)) ?? 0
      return true
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
    headers[Self.text(line[..<colon])] = Self.text(line[(colon + 1)...])
    return true
  }

  /// Without white space and line breaks around it; what is not UTF-8 is replaced.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    var bytes = bytes
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
