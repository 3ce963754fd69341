/// An id that a network gave, with the network: opaque text, never a number.
///
/// Ordered the way networks that count upwards mean it: digits by value, everything else by its UTF-8 bytes, and
/// platforms by name. Ids of X and Mastodon, and Bluesky's record keys, sort by time this way.
package struct NetworkID<Subject>: Hashable, Sendable {
  package let platform: Platform
  package let value: String

  package init(_ value: String, on platform: Platform) {
    self.platform = platform
    self.value = value
  }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.value == rhs.value && lhs.platform == rhs.platform
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}

extension NetworkID: Comparable {
  package static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.platform != rhs.platform { return lhs.platform.rawValue < rhs.platform.rawValue }
    let left = lhs.value.utf8
    let right = rhs.value.utf8
    if left.count != right.count, lhs.isDecimal, rhs.isDecimal { return left.count < right.count }
    return left.lexicographicallyPrecedes(right)
  }

  /// Whether the id is a decimal number without a leading zero, so that a shorter one is smaller.
  private var isDecimal: Bool {
    guard let first = value.utf8.first, first != UInt8(ascii: "0") else { return false }
    return value.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
  }
}

extension NetworkID: CustomStringConvertible {
  package var description: String { "\(platform)/\(value)" }
}

package typealias PostID = NetworkID<Post>
package typealias AuthorID = NetworkID<Author>
