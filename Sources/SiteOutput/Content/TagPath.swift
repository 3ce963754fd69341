/// Where a tag's page is: a pure function of the tag, as thread pages link to it before all tags are known.
package enum TagPath {
  /// `tags/compilers/`; two spellings with one slug (`Café`, `cafe`) are one tag, and what a slug cannot hold (`C++`)
  /// is told apart by a short hash.
  package static func of(_ tag: String) -> SitePath {
    let slug = Slug.make(from: tag)
    let isWhole = !slug.isEmpty && slug.utf8.count < 50 && tag.unicodeScalars.allSatisfy(isHeldBySlug)
    if isWhole { return SitePath("tags/\(slug)/") }
    let hash = ContentHash.of(tag.utf8).prefix(6)
    return SitePath("tags/\(slug.isEmpty ? "" : slug + "-")\(hash)/")
  }

  private static func isHeldBySlug(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "-" || scalar == "_" || scalar == "'" || scalar == "’"
      || scalar.properties.isAlphabetic || scalar.properties.generalCategory == .decimalNumber
      || scalar.properties.generalCategory == .nonspacingMark || scalar.properties.generalCategory == .spacingMark
  }
}

/// A short name for content: FNV-1a (Fowler, Noll, Vo), which tells versions apart and protects nothing.
package enum ContentHash {
  /// 64 bits as 16 hexadecimal digits.
  package static func of(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> String {
    let digits = String(value(bytes, seed: seed), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  static func value(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    var hash = seed
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
