#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Searches a file for the names of members of JSON objects. The search identifies most files of other networks without parsing.
package enum MemberSearch {
  /// Returns whether one of the words is the name of a member. The name may end with an escaped quotation mark, in a body that is a string.
  package static func hasMember(_ bytes: ArraySlice<UInt8>, named words: [StaticString]) -> Bool {
    bytes.withUnsafeBytes { text in
      guard var rest = text.baseAddress else { return false }
      let end = rest + text.count
      while let mark = memchr(rest, 0x22, rest.distance(to: end)) {
        rest = UnsafeRawPointer(mark) + 1
        for word in words
        where isMember(word, UnsafeRawBufferPointer(start: rest, count: rest.distance(to: end))) {
          return true
        }
      }
      return false
    }
  }

  /// Returns whether a text begins with a name and a colon.
  private static func isMember(_ name: StaticString, _ text: UnsafeRawBufferPointer) -> Bool {
    let count = name.utf8CodeUnitCount
    guard text.count > count, text[0] == name.utf8Start.pointee, let start = text.baseAddress,
      memcmp(start, name.utf8Start, count) == 0
    else { return false }
    return text[count...].first { ![0x20, 0x22, 0x5C].contains($0) } == UInt8(ascii: ":")
  }
}
