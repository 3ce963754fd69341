/// An id that a network gave, with the network: opaque text, never a number.
///
/// Ordered the way networks that count upwards mean it: the shorter id first (in UTF-8 bytes), ids of one length by their
/// text, and platforms by name. That puts decimal numbers in the order of their values, and ids of X and Mastodon, and
/// Bluesky's record keys, sort by time. One rule for every text keeps the order total, whatever a server calls an id.
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
    let (left, right) = (lhs.value.utf8.count, rhs.value.utf8.count)
    return left == right ? lhs.value < rhs.value : left < right
  }
}

extension NetworkID: CustomStringConvertible {
  package var description: String { "\(platform)/\(value)" }
}

package typealias PostID = NetworkID<Post>
package typealias AuthorID = NetworkID<Author>
