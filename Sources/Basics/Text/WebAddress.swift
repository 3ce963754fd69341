/// Decides which untrusted URLs may become links, by an allowlist of schemes.
package enum WebAddress {
  /// Returns whether `url` is absolute, has the scheme http or https (with a host) or mailto (with an address), and contains no white space
  /// or control character. Browsers might skip such characters and then read a different scheme.
  package static func isSafe(_ url: String) -> Bool {
    url.withUTF8Bytes { parts(of: $0) != nil }
  }

  /// Returns `url` if it is safe to link; otherwise `nil`.
  package static func safe(_ url: String) -> String? {
    isSafe(url) ? url : nil
  }

  /// Returns the host of a safe http or https URL, without user and port, its ASCII letters in lower case; otherwise `nil`. An IPv6 address
  /// keeps its brackets.
  package static func host(of url: String) -> String? {
    url.withUTF8Bytes { input in
      guard let host = parts(of: input)?.host else { return nil }
      return String(decoding: input[host].map { asciiLowercase($0) }, as: UTF8.self)
    }
  }

  /// The parts of a safe URL.
  private struct Parts {
    /// The byte range of the host; `nil` in a mailto URL.
    var host: Range<Int>?
  }

  private static func parts(of input: UnsafeBufferPointer<UInt8>) -> Parts? {
    guard let colon = colonOfScheme(input), !holdsControlOrSpace(input) else { return nil }
    if isScheme(input, end: colon, "https") || isScheme(input, end: colon, "http") {
      return host(in: input, after: colon).map { Parts(host: $0) }
    }
    return isScheme(input, end: colon, "mailto") && colon + 1 < input.count ? Parts(host: nil) : nil
  }

  /// Returns the index of the first colon; `nil` if more bytes precede it than the longest scheme has.
  private static func colonOfScheme(_ input: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    while index < input.count, index <= 6 {
      if input[index] == UInt8(ascii: ":") { return index }
      index += 1
    }
    return nil
  }

  /// Returns whether the bytes up to `end` are `name`, ignoring letter case; `name` must be lower-case ASCII.
  private static func isScheme(_ input: UnsafeBufferPointer<UInt8>, end: Int, _ name: StaticString) -> Bool {
    guard end == name.utf8CodeUnitCount else { return false }
    for index in 0..<end where asciiLowercase(input[index]) != name.utf8Start[index] { return false }
    return true
  }

  /// Returns the byte range of the host after `scheme:`, by the rules of browsers (WHATWG URL): after `//` and the last `@`, up to
  /// `/ \ ? #` or the port; `nil` if it is empty.
  private static func host(in input: UnsafeBufferPointer<UInt8>, after colon: Int) -> Range<Int>? {
    let slash = UInt8(ascii: "/")
    guard colon + 2 < input.count, input[colon + 1] == slash, input[colon + 2] == slash else { return nil }
    var hostStart = colon + 3
    var port: Int?
    var index = hostStart
    search: while index < input.count {
      switch input[index] {
      case slash, UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "#"):
        break search
      case UInt8(ascii: "@"):
        hostStart = index + 1
        port = nil
      case UInt8(ascii: "]"):
        // Colons before the bracket belong to an IPv6 address.
        port = nil
      case UInt8(ascii: ":"):
        port = port ?? index
      default:
        break
      }
      index += 1
    }
    let hostEnd = port ?? index
    return hostStart < hostEnd ? hostStart..<hostEnd : nil
  }

  /// Returns whether the bytes contain a C0 control, space, DEL, or a C1 control, U+0080 to U+009F (C2 80 to C2 9F).
  private static func holdsControlOrSpace(_ input: UnsafeBufferPointer<UInt8>) -> Bool {
    var previous: UInt8 = 0
    // The beginning is skipped eight bytes at a time while it is visible ASCII, as most URLs are entirely.
    for byte in input[input.wordsOfVisibleASCII()...] {
      if byte <= 0x20 || byte == 0x7F { return true }
      if previous == 0xC2, byte < 0xA0 { return true }
      previous = byte
    }
    return false
  }

  private static func asciiLowercase(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
