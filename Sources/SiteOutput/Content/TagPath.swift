import UTF8Text

/// Where a tag's page is: a pure function of the tag, as thread pages link to it before all tags are known.
package enum TagPath {
  /// `tags/compilers/`; two spellings with one slug (`Café`, `cafe`) are one tag, and what a slug does not tell (`C++`, or a
  /// tag too long for one, or a name that Windows keeps for a device) is told apart by a short hash.
  package static func of(_ tag: String) -> SitePath {
    let whole = Slug.whole(tag)
    let slug = Slug.shortened(whole)
    if !slug.isEmpty, slug == whole, !PathText.isDevice(slug), tag.unicodeScalars.allSatisfy(isToldBySlug) {
      return SitePath("tags/\(slug)/")
    }
    let hash = ContentHash.of(tag.utf8).prefix(6)
    return SitePath("tags/\(slug.isEmpty ? "" : slug + "-")\(hash)/")
  }

  /// The page that lists all tags.
  static let index: SitePath = "tags/"

  /// The id of a tag's entry on that page.
  ///
  /// - Parameters:
  ///   - path: the tag's own.
  ///   - inURL: whether it is percent-encoded, for a link.
  static func anchor(of path: SitePath, inURL: Bool = false) -> String {
    // By scalars: a mark at the beginning of a slug would be one character with the slash before it.
    let text = (inURL ? path.urlText : path.text).unicodeScalars
    return "tag-"
      + String(String.UnicodeScalarView(text.dropFirst(index.text.unicodeScalars.count).dropLast()))
  }

  /// Letters and digits, and what makes no other tag of them: separators between words and apostrophes within.
  private static func isToldBySlug(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "-" || scalar == "_" || Slug.isApostrophe(scalar) || Slug.isWord(scalar)
  }
}
