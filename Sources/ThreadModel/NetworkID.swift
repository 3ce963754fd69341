/// An id that a network gave, with the network: opaque text, never a number.
///
/// Ordered the way networks that count upwards mean it: the shorter id first, ids of one length by their UTF-8 bytes, and
/// platforms by name. That puts decimal numbers in the order of their values, and ids of X and Mastodon, and Bluesky's
/// record keys, sort by time. One rule for every text keeps the order total, whatever a server calls an id.
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
    if left.count != right.count { return left.count < right.count }
    return left.lexicographicallyPrecedes(right)
  }
}

extension NetworkID: CustomStringConvertible {
  package var description: String { "\(platform)/\(value)" }
}

package typealias PostID = NetworkID<Post>
package typealias AuthorID = NetworkID<Author>
