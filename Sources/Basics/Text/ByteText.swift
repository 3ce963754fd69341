#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Operations on the bytes of text, for paths, file names, handles and URLs, which file systems and servers read as bytes.
///
/// `String` compares and splits by `Character`, and a combining mark forms one Character with the preceding scalar. In `x/ada/` followed by
/// U+3099, the last slash is not equal to `"/"`, and after U+0600 a full stop is not equal to `"."`. Also, `==` does not distinguish
/// canonically equivalent names, which a disk may distinguish. So paths, file names and URLs are never split by Character.
///
/// All separators, prefixes and suffixes here are ASCII, so that no scalar is split.
extension StringProtocol where SubSequence == Substring {
  /// The name, shortened to 200 scalars, for pages that repeat it with every post or in every list. No network allows longer names, and a
  /// very long name would enlarge all pages. The limit is not in Characters, because a Character may have any number of scalars.
  package var asName: String {
    // Most names have at most 200 bytes, so the scalars need not be counted.
    guard utf8.count > 200, unicodeScalars.count > 200 else { return String(self) }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(200))) + "…"
  }

  /// The handle as pages show it. A handle that is a key has no full stop and no @, and is longer than any chosen name: its middle is left out.
  package var asHandle: String {
    let isKey =
      utf8.count > 40 && utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }
    return isKey ? "\(prefix(12))…\(suffix(4))" : asName
  }

  package func hasBytePrefix(_ prefix: StaticString) -> Bool { utf8.starts(with: prefix.bytes) }

  package func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  package func hasByteSuffix(_ suffix: StaticString) -> Bool {
    utf8.suffix(suffix.utf8CodeUnitCount).elementsEqual(suffix.bytes)
  }

  package func hasByteSuffix(_ suffix: String) -> Bool {
    utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// Returns the text after the prefix; `nil` if the text does not begin with the prefix.
  package func without(bytePrefix prefix: StaticString) -> Substring? {
    hasBytePrefix(prefix) ? self[utf8.index(startIndex, offsetBy: prefix.utf8CodeUnitCount)...] : nil
  }

  /// Returns the text before the suffix; `nil` if the text does not end with the suffix.
  package func without(byteSuffix suffix: StaticString) -> Substring? {
    hasByteSuffix(suffix) ? self[..<utf8.index(endIndex, offsetBy: -suffix.utf8CodeUnitCount)] : nil
  }

  /// Returns the text up to the first byte that is in `separators`; the whole text if it contains no such byte.
  package func prefix(upToBytes separators: StaticString) -> Substring {
    let end = utf8.firstIndex { byte in separators.bytes.contains(byte) }
    return self[..<(end ?? endIndex)]
  }

  /// Returns the pieces between bytes that are in `separators`.
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

  /// Returns whether the bytes are equal, unlike `==`, for which canonically equivalent texts are equal.
  package func isSameBytes(as other: some StringProtocol) -> Bool {
    // Compared without iterating over UTF-8 views, because hundreds of thousands of paths are compared.
    let answer = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        bytes.count == others.count
          && UnsafeRawBufferPointer(bytes).order(UnsafeRawBufferPointer(others)) == 0
      }
    }
    return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension String {
  /// Returns whether the bytes are equal. Paths are compared so often that the generic function would be slow.
  package func isSameBytes(as other: String) -> Bool {
    let answer = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        bytes.count == others.count
          && UnsafeRawBufferPointer(bytes).order(UnsafeRawBufferPointer(others)) == 0
      }
    }
    return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Returns whether the text comes before another one in the order of their bytes. It depends neither on a language nor on Unicode's version.
  package func precedesInBytes(_ other: String) -> Bool {
    let answer = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        let order = UnsafeRawBufferPointer(bytes).order(UnsafeRawBufferPointer(others))
        return order == 0 ? bytes.count < others.count : order < 0
      }
    }
    return (answer ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Returns whether the text contains the bytes of an ASCII text. (The standard library's `contains(_:)` compares by Character, which
  /// takes many times as long.)
  package func contains(bytes part: StaticString) -> Bool {
    let part = part.bytes
    guard let first = part.first else { return true }
    let found = utf8.withContiguousStorageIfAvailable { bytes in
      guard bytes.count >= part.count else { return false }
      return (0...bytes.count - part.count).contains { start in
        bytes[start] == first && part.indices.allSatisfy { bytes[start + $0] == part[$0] }
      }
    }
    return found ?? (Array(utf8).firstRange(of: part) != nil)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the order of the bytes that both buffers have: negative, 0 or positive.
  fileprivate func order(_ other: UnsafeRawBufferPointer) -> CInt {
    guard let bytes = baseAddress, let others = other.baseAddress else { return 0 }
    return memcmp(bytes, others, Swift.min(count, other.count))
  }
}

/// Operations on the bytes of a file's path.
package enum PathText {
  /// Returns the last name of a path: the whole path if it has no slash, an empty text if it ends with a slash.
  package static func name(of path: some StringProtocol) -> Substring {
    let path = Substring(path)
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return path[(slash.map { path.utf8.index(after: $0) } ?? path.startIndex)...]
  }

  /// Returns the path before the last slash; `nil` if it has no slash.
  package static func folder(of path: some StringProtocol) -> Substring? {
    let path = Substring(path)
    return path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] }
  }

  /// Returns the path without slashes at its end, except for the root, `/`.
  package static func withoutTrailingSlashes(_ path: String) -> String {
    var end = path.endIndex
    while end > path.startIndex {
      let last = path.utf8.index(before: end)
      guard path.utf8[last] == UInt8(ascii: "/"), last > path.startIndex else { break }
      end = last
    }
    return String(path[..<end])
  }

  /// Returns the path with its letter case folded. Two folded paths are equal as Strings if any file system that ignores letter case or
  /// normalization (such as APFS, NTFS, vfat) considers the paths equal. The result depends only on the text, not on a disk, so that all
  /// machines write the same bytes.
  package static func folded(_ path: String) -> String {
    if path.utf8.allSatisfy({ $0 < 0x80 && !($0 &- UInt8(ascii: "A") < 26) }) { return path }
    var folded = String.UnicodeScalarView()
    // Full case folding (Unicode, 3.13), except for the few scalars whose folding does not follow from their case mappings.
    for scalar in path.unicodeScalars {
      // Lower case is applied first, because U+1E9E is its own upper case, and the upper case of its lower case `ß` is `SS`.
      for lower in scalar.properties.lowercaseMapping.unicodeScalars {
        for upper in lower.properties.uppercaseMapping.unicodeScalars {
          folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
        }
      }
    }
    return String(folded)
  }

  /// Returns whether Windows reserves a name, with or without an extension, for a device.
  package static func isDevice(_ name: some StringProtocol) -> Bool {
    let stem = Substring(name).prefix(upToBytes: ".").lowercased()
    if ["con", "prn", "aux", "nul"].contains(stem) { return true }
    guard stem.utf8.count == 4, let last = stem.utf8.last, (0x30...0x39).contains(last) else { return false }
    return stem.hasBytePrefix("com") || stem.hasBytePrefix("lpt")
  }

  /// Returns whether a name begins with a full stop.
  package static func isHidden(_ name: some StringProtocol) -> Bool { name.utf8.first == UInt8(ascii: ".") }
}

extension StaticString {
  fileprivate var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  package var trimmed: String {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let bytes = Array(utf8)
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
