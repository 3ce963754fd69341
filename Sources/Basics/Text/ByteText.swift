/// Text taken apart by its bytes, as file systems and servers read paths, file names, handles and addresses.
///
/// `String` compares and cuts by `Character`, and a combining mark makes one Character with whatever stands before it: in
/// `x/ada/` followed by U+3099 the last slash is no `"/"`, and behind U+0600 a full stop is no `"."`. Nor does `==` tell canonically
/// equivalent names apart, which a disk may. So nothing that is a path, a name in one, or an address is cut by Character.
///
/// All separators, prefixes and suffixes here are ASCII, so that what is cut off never splits a scalar.
extension StringProtocol where SubSequence == Substring {
  /// A name as it is repeated with every post or in every list: at most 200 scalars, as no network allows more, and one without
  /// end would cost as much each time. Not by Character, of which one may have any number of scalars.
  package var asName: String {
    // Most names are shorter in bytes already.
    guard utf8.count > 200, unicodeScalars.count > 200 else { return String(self) }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(200))) + "…"
  }

  package func hasBytePrefix(_ prefix: StaticString) -> Bool { utf8.starts(with: prefix.bytes) }

  package func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  package func hasByteSuffix(_ suffix: StaticString) -> Bool {
    utf8.suffix(suffix.utf8CodeUnitCount).elementsEqual(suffix.bytes)
  }

  package func hasByteSuffix(_ suffix: String) -> Bool {
    utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// What follows the prefix; `nil` where the text does not begin with it.
  package func without(bytePrefix prefix: StaticString) -> Substring? {
    hasBytePrefix(prefix) ? self[utf8.index(startIndex, offsetBy: prefix.utf8CodeUnitCount)...] : nil
  }

  /// What stands before the suffix; `nil` where the text does not end with it.
  package func without(byteSuffix suffix: StaticString) -> Substring? {
    hasByteSuffix(suffix) ? self[..<utf8.index(endIndex, offsetBy: -suffix.utf8CodeUnitCount)] : nil
  }

  /// The text up to the first byte of `separators`, all of it where there is none.
  package func prefix(upToBytes separators: StaticString) -> Substring {
    let end = utf8.firstIndex { byte in separators.bytes.contains(byte) }
    return self[..<(end ?? endIndex)]
  }

  /// The pieces between the bytes of `separators`.
  package func split(
    atBytes separators: StaticString, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [Substring] {
    let bytes = separators.bytes
    var pieces: [Substring] = []
    var start = startIndex
    var splits = 0
    var index = startIndex
    while index < endIndex, splits < maxSplits {
      let next = utf8.index(after: index)
      if bytes.contains(utf8[index]) {
        if !omittingEmptySubsequences || start < index {
          pieces.append(self[start..<index])
          splits += 1
        }
        start = next
      }
      index = next
    }
    if !omittingEmptySubsequences || start < endIndex { pieces.append(self[start...]) }
    return pieces
  }

  /// Whether the bytes are the same, which canonically equivalent texts need not be.
  package func isSameBytes(as other: some StringProtocol) -> Bool {
    // At once, as paths are compared by the hundred thousand.
    let answer = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        UnsafeRawBufferPointer(bytes).isSame(as: UnsafeRawBufferPointer(others))
      }
    }
    return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    let whole = count & ~7
    for offset in stride(from: 0, to: whole, by: 8)
    where loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      != other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    {
      return false
    }
    for offset in whole..<count where self[offset] != other[offset] { return false }
    return true
  }
}

/// The path of a file, taken apart by its bytes.
package enum PathText {
  /// The last of its names: all of it where it has no slash, nothing where it ends with one.
  package static func name(of path: some StringProtocol) -> Substring {
    let path = Substring(path)
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return path[(slash.map { path.utf8.index(after: $0) } ?? path.startIndex)...]
  }

  /// What stands before the last slash; `nil` where there is none.
  package static func folder(of path: some StringProtocol) -> Substring? {
    let path = Substring(path)
    return path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] }
  }

  /// The path without slashes at its end, but for the root's own.
  package static func withoutTrailingSlashes(_ path: String) -> String {
    var end = path.endIndex
    while end > path.startIndex {
      let last = path.utf8.index(before: end)
      guard path.utf8[last] == UInt8(ascii: "/"), last > path.startIndex else { break }
      end = last
    }
    return String(path[..<end])
  }

  /// The path as the disks compare it that fold letter case and normalisation (APFS, NTFS, vfat and their like): equal, as Strings are,
  /// for two paths that any of them takes for one. Decided by what is written and never by asking a disk, so that two machines write
  /// the same bytes.
  package static func folded(_ path: String) -> String {
    if path.utf8.allSatisfy({ $0 < 0x80 && !($0 &- UInt8(ascii: "A") < 26) }) { return path }
    var folded = String.UnicodeScalarView()
    // Full case folding (Unicode, 3.13), but for the few scalars whose folding is by no case of theirs.
    for scalar in path.unicodeScalars {
      // By way of lower case, as U+1E9E is its own upper case, and its lower case, `ß`, is not.
      for lower in scalar.properties.lowercaseMapping.unicodeScalars {
        for upper in lower.properties.uppercaseMapping.unicodeScalars {
          folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
        }
      }
    }
    return String(folded)
  }

  /// Whether a name is, with or without an extension, one that Windows keeps for a device.
  package static func isDevice(_ name: some StringProtocol) -> Bool {
    let stem = Substring(name).prefix(upToBytes: ".").lowercased()
    if ["con", "prn", "aux", "nul"].contains(stem) { return true }
    guard stem.utf8.count == 4, let last = stem.utf8.last, (0x30...0x39).contains(last) else { return false }
    return stem.hasBytePrefix("com") || stem.hasBytePrefix("lpt")
  }

  /// Whether a name begins with a full stop.
  package static func isHidden(_ name: some StringProtocol) -> Bool { name.utf8.first == UInt8(ascii: ".") }
}

extension StaticString {
  fileprivate var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}

extension StringProtocol {
  /// Without blanks and tabs around it.
  package var trimmed: String {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let bytes = Array(utf8)
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
