import Basics

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A log of the file for each URL, as lines of a hidden file. A fetched file is recorded at once, even if the program ends before the
/// conversation is saved.
///
/// A line is 32 hexadecimal digits (the first half of the URL's SHA-256), a space, and the file's name. Invalid lines are ignored, because
/// a missing line only costs a transfer. For the same reason, the log is never flushed to the disk.
struct MediaSourceLog: ~Copyable {
  private let path: String
  /// Opened for appending when the first line is added; -1 before.
  private var descriptor: Int32 = -1
  private var names: [String: String] = [:]

  private static let maximumSize = 64 << 20

  /// Reads the existing log. An unreadable log counts as empty.
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

  /// Returns the name of the file for a URL. The file itself may meanwhile be missing.
  func name(for url: String) -> String? { names[Self.key(url)] }

  /// Adds a line. A failure to write it is ignored, because a missing line only costs a transfer.
  mutating func note(_ name: String, for url: String) {
    let key = Self.key(url)
    guard names.updateValue(name, forKey: key) != name else { return }
    if descriptor < 0 {
      descriptor =
        (try? FileSystem.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, for: "write")) ?? -1
    }
    guard descriptor >= 0 else { return }
    // The line break at the start ends an incomplete line that a crash may have left. A single call of `write` keeps the lines of two
    // programs separate.
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
