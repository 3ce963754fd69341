import Basics

/// One of the parts into which the rendering of a large site can be divided (`threadsite build --shard 2/4`).
package struct Shard: Sendable, Hashable {
  /// From 1.
  package let number: Int
  /// The number of all shards of the site.
  package let count: Int

  /// The maximum number of shards. The files of all shards are open at the same time, and many systems allow 1024 open files.
  package static let limit = 256

  /// - Returns: `nil` unless `number` is from 1 to `count`, and `count` is at most ``limit``.
  package init?(_ number: Int, of count: Int) {
    guard (1...Self.limit).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// Reads `2/4`.
  package init?(_ text: String) { self.init(text, separator: "/") }

  /// Reads the name of a shard's file.
  init?(fileName: String) {
    guard let name = fileName.without(byteSuffix: Self.ending) else { return nil }
    self.init(String(name), separator: "-of-")
  }

  private init?(_ text: String, separator: String) {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Self.number(parts[0]), let count = Self.number(parts[1]) else {
      return nil
    }
    self.init(number, of: count)
  }

  /// Reads digits without a sign and without leading zeros, so that each shard has only one name.
  private static func number(_ digits: Substring) -> Int? {
    Int(digits).flatMap { "\($0)" == digits ? $0 : nil }
  }

  private static let ending: StaticString = ".shard"

  var fileName: String { "\(number)-of-\(count)\(Self.ending)" }

  /// The shards of a site, in order.
  static func all(_ count: Int) -> [Shard] { (1...max(1, count)).compactMap { Shard($0, of: count) } }

  /// Returns the number of the shard that has a thread. It depends only on the thread's file name, so it is the same on all machines, and
  /// new threads move no other thread.
  static func number(of stem: String, among count: Int) -> Int {
    // The low bits of the hash depend only on the low bits of the characters.
    Int(truncatingIfNeeded: (ContentHash.value(stem.utf8) >> 24) % UInt64(count)) + 1
  }

  /// Returns whether this shard has a thread.
  func holds(_ stem: String) -> Bool { Self.number(of: stem, among: count) == number }
}

extension Shard: CustomStringConvertible {
  package var description: String { "\(number)/\(count)" }
}
