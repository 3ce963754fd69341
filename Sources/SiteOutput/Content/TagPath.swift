/// Where a tag's page is: a pure function of the tag, as thread pages link to it before all tags are known.
package enum TagPath {
  /// `tags/compilers/`; two spellings with one slug (`Café`, `cafe`) are one tag, and what a slug does not tell (`C++`, or a
  /// tag too long for one) is told apart by a short hash.
  package static func of(_ tag: String) -> SitePath {
    let whole = Slug.whole(tag)
    let slug = Slug.shortened(whole)
    if !slug.isEmpty, slug == whole, tag.unicodeScalars.allSatisfy(isToldBySlug) {
      return SitePath("tags/\(slug)/")
    }
    let hash = ContentHash.of(tag.utf8).prefix(6)
    return SitePath("tags/\(slug.isEmpty ? "" : slug + "-")\(hash)/")
  }

  /// Letters and digits, and what makes no other tag of them: separators between words and apostrophes within.
  private static func isToldBySlug(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "-" || scalar == "_" || Slug.isApostrophe(scalar) || Slug.isWord(scalar)
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
