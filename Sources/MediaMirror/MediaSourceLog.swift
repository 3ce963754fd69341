import Basics

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which file an address gave, as lines of a hidden file: what is fetched is known from the moment that it is in place, even if the
/// program ends before the conversation is saved.
///
/// A line is 32 hexadecimal digits of the address's SHA-256, a space, and the file's name. Any other is passed over: to know less
/// costs a transfer, nothing else. It is never flushed, for the same reason.
struct MediaSourceLog: ~Copyable {
  private let path: String
  /// Open for adding lines, from the first one on; -1 before.
  private var descriptor: Int32 = -1
  private var names: [String: String] = [:]

  private static let maximumSize = 64 << 20

  /// Reads what there is; a log that cannot be read knows nothing.
  init(_ path: String) {
    self.path = path
    guard let bytes = try? FileBytes.read(path, atMost: Self.maximumSize) else { return }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard line.count > 33, line[line.startIndex + 32] == UInt8(ascii: " "),
        line.prefix(32).allSatisfy(Self.isDigit)
      else { continue }
      names[String(decoding: line.prefix(32), as: UTF8.self)] = String(
        decoding: line.dropFirst(33), as: UTF8.self)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The name that an address gave; whether that file is still there is not known here.
  func name(for url: String) -> String? { names[Self.key(url)] }

  /// Adds a line. One that cannot be written is no error: see above.
  mutating func note(_ name: String, for url: String) {
    let key = Self.key(url)
    guard names.updateValue(name, forKey: key) != name else { return }
    if descriptor < 0 {
      descriptor =
        (try? FileSystem.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, for: "write")) ?? -1
    }
    guard descriptor >= 0 else { return }
    // Begins a line of its own, as a crash may have left half of one. One call, so that two programs do not mix theirs.
    let line = Array("\n\(key) \(name)\n".utf8)
    _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  private static func key(_ url: String) -> String {
    Hexadecimal.digits(SHA256.hash(url.utf8).prefix(16))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 6
  }
}
