/// Which addresses that came from elsewhere may become links: an allow-list of schemes.
package enum WebAddress {
  /// Whether `url` is absolute, of the schemes http, https (with a host) or mailto (with something after it), and holds no
  /// whitespace or control character, which browsers would skip over to find another scheme.
  package static func isSafe(_ url: String) -> Bool {
    url.withUTF8Bytes { parts(of: $0) != nil }
  }

  /// `url` itself if it is safe to link.
  package static func safe(_ url: String) -> String? {
    isSafe(url) ? url : nil
  }

  /// The host of an http or https address that is safe, without user and port, its ASCII letters in lowercase. An IPv6
  /// address keeps its brackets.
  package static func host(of url: String) -> String? {
    url.withUTF8Bytes { input in
      guard let host = parts(of: input)?.host else { return nil }
      return String(decoding: input[host].map { asciiLowercase($0) }, as: UTF8.self)
    }
  }

  /// What `parts(of:)` finds in a safe address.
  private struct Parts {
    /// Where the host stands; `nil` in a mailto address.
    var host: Range<Int>?
  }

  private static func parts(of input: UnsafeBufferPointer<UInt8>) -> Parts? {
    guard !holdsControlOrSpace(input), let colon = input.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = input[..<colon]
    if isScheme(scheme, "https") || isScheme(scheme, "http") {
      return host(in: input, after: colon).map { Parts(host: $0) }
    }
    return isScheme(scheme, "mailto") && colon + 1 < input.count ? Parts(host: nil) : nil
  }

  /// Whether `bytes` are `name`, which is lowercase ASCII, in whatever letter case.
  private static func isScheme(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ name: StaticString) -> Bool {
    guard bytes.count == name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { name in
      zip(bytes, name).allSatisfy { asciiLowercase($0) == $1 }
    }
  }

  /// The host after `scheme:`, as browsers find it (WHATWG URL): behind `//` and the last `@`, up to `/ \ ? #` or the
  /// port.
  private static func host(in input: UnsafeBufferPointer<UInt8>, after colon: Int) -> Range<Int>? {
    guard input[(colon + 1)...].starts(with: "//".utf8) else { return nil }
    let start = colon + 3
    let end = input[start...].firstIndex { "/\\?#".utf8.contains($0) } ?? input.count
    let hostStart = input[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
    let brackets = input[hostStart..<end].lastIndex(of: UInt8(ascii: "]")) ?? hostStart
    guard brackets < end else { return nil }
    let hostEnd = input[brackets..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
    return hostStart < hostEnd ? hostStart..<hostEnd : nil
  }

  /// C0 controls, space and DEL, and the C1 controls U+0080 to U+009F (C2 80 to C2 9F).
  private static func holdsControlOrSpace(_ input: UnsafeBufferPointer<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in input {
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
