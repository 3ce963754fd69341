package import Basics

/// An id, together with its network and the authority within which it is unique. Ids are opaque text, never numbers.
///
/// Two ids are equal if all three parts are equal. An id contains no time, except as `PostOrder` describes.
package struct NetworkID<Subject>: Hashable, Sendable {
  package let platform: Platform
  /// The scope within which the value is unique; `nil` if the scope is the whole network.
  ///
  /// For example, the account that chose the key of a post, or the host of the server that numbered the post, in lower case and with any port.
  package let authority: String?
  package let value: String

  package init(_ value: String, by authority: String? = nil, on platform: Platform) {
    self.platform = platform
    self.authority = authority
    self.value = value
  }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.value == rhs.value && lhs.authority == rhs.authority && lhs.platform == rhs.platform
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    if let authority { hasher.combine(authority) }
  }
}

/// A total order, so that the same ids are always sorted the same way. For the order of time, see `PostOrder`.
///
/// Ids are sorted by platform, then by authority, then by the length of the value in UTF-8 bytes (shorter first), and values of equal length by their
/// text.
extension NetworkID: Comparable {
  package static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.platform != rhs.platform { return lhs.platform.rawValue < rhs.platform.rawValue }
    if lhs.authority != rhs.authority {
      guard let left = lhs.authority, let right = rhs.authority else { return lhs.authority == nil }
      return left < right
    }
    let (left, right) = (lhs.value.utf8.count, rhs.value.utf8.count)
    return left == right ? lhs.value < rhs.value : left < right
  }
}

package typealias PostID = NetworkID<Post>

package typealias AuthorID = NetworkID<Author>

extension NetworkID: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    let platform = Platform(rawValue: try reader.word())
    let authority = try reader.word()
    self.init(try reader.string(), by: authority.isEmpty ? nil : authority, on: platform)
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(word: platform.rawValue)
    writer.write(word: authority ?? "")
    writer.write(value)
  }
}

// MARK: As text

/// An id on one line: `1346889436626259968`, or, with its authority, `social.example/109348684215482921`.
///
/// Files of the store contain this form. In `description`, the platform comes first.
extension NetworkID {
  /// The id without its platform.
  package var text: String { authority.map { "\($0)/\(value)" } ?? value }

  /// Reads the form of `text`; `nil` if a part is missing, empty or superfluous, or if the text contains control characters.
  package init?(text: String, on platform: Platform) {
    var text = text
    let slash = text.withUTF8 { bytes -> Int? in
      // -1 if there is no slash.
      var slash = -1
      for (offset, byte) in bytes.enumerated() {
        if byte < 0x20 || byte == 0x7F { return nil }
        // U+0080 to U+009F.
        if byte == 0xC2, offset + 1 < bytes.count, bytes[offset + 1] < 0xA0 { return nil }
        guard byte == UInt8(ascii: "/") else { continue }
        guard slash == -1, offset > 0, offset + 1 < bytes.count else { return nil }
        slash = offset
      }
      return bytes.isEmpty ? nil : slash
    }
    guard let slash else { return nil }
    guard slash >= 0 else {
      self.init(text, on: platform)
      return
    }
    let place = text.utf8.index(text.startIndex, offsetBy: slash)
    self.init(
      String(text[text.utf8.index(after: place)...]), by: String(text[..<place]), on: platform)
  }

  /// Whether `text` can be read back as the same id.
  package var isWellFormed: Bool { NetworkID(text: text, on: platform) == self }
}

extension NetworkID: CustomStringConvertible {
  package var description: String { "\(platform)/\(text)" }

  /// Reads the form of `description`.
  package init?(description: String) {
    guard let slash = description.utf8.firstIndex(of: UInt8(ascii: "/")), slash > description.startIndex
    else {
      return nil
    }
    self.init(
      text: String(description[description.utf8.index(after: slash)...]),
      on: Platform(rawValue: String(description[..<slash])))
  }
}
