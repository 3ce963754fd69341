import Basics

/// Where a page or file stands in the site: relative to the site's top, such as `x/ada/a-title-123/`.
///
/// Folders end in a slash and mean their `index.html`. A path is made of names that are already safe; percent-encoding
/// happens where a path becomes part of a URL.
package struct SitePath: Hashable, Sendable, Comparable, ExpressibleByStringLiteral {
  /// UTF-8, no leading slash, no `.` or `..`; empty for the site's top.
  package let text: String
  /// The path as a URL writes it: everything but unreserved characters, slashes and at signs percent-encoded (RFC 3986, 3.3).
  package let urlText: String

  package init(_ text: String) {
    self.text = text
    urlText = Self.encoded(text)
  }

  package init(stringLiteral value: String) { self.init(value) }

  /// By bytes: two paths that only look the same are two files on some disks, and one on others.
  package static func == (lhs: SitePath, rhs: SitePath) -> Bool {
    lhs.text == rhs.text && lhs.text.isSameBytes(as: rhs.text)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The site's top.
  package static let top: SitePath = ""

  package static func < (lhs: SitePath, rhs: SitePath) -> Bool {
    lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
  }

  /// The file that holds the page.
  package var file: String {
    text.isEmpty || text.utf8.last == UInt8(ascii: "/") ? text + "index.html" : text
  }

  /// Folders between the site's top and this page.
  package var depth: Int {
    let slash = UInt8(ascii: "/")
    return text.utf8.withContiguousStorageIfAvailable { $0.count { $0 == slash } }
      ?? text.utf8.count { $0 == slash }
  }

  package func appending(_ more: String) -> SitePath { SitePath(text + more) }

  /// Where the book of a page's threads is: beside the page, and called as its folder is, as that is the name that readers' machines keep it under.
  package var book: SitePath {
    let name = text.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
    return appending((name ?? "threads") + ".epub")
  }

  /// What a file is to those who look at the site while it is being exchanged: none comes before those that it leads to.
  package enum Role: Int, Sendable, CaseIterable {
    /// Shown by pages, or read by their scripts.
    case part
    case page
    /// A list by which readers and programs find pages and files: the home page, feeds, the sitemap, the top of the search index.
    case list
  }

  /// Of a file, not of a folder.
  package var role: Role {
    let name = PathText.name(of: text).utf8
    if text == "index.html" || text == "robots.txt" || text == "search/index.json"
      || name.elementsEqual("feed.json".utf8) || text.hasByteSuffix(".xml")
    {
      return .list
    }
    return text.hasByteSuffix(".html") ? .page : .part
  }

  private static func encoded(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    var buffer = UTF8Buffer()
    for byte in text.utf8 {
      if isPlain(byte) {
        buffer.append(byte)
      } else {
        buffer.append(UInt8(ascii: "%"))
        buffer.append(hex[Int(byte >> 4)])
        buffer.append(hex[Int(byte & 15)])
      }
    }
    return buffer.string
  }

  private static let hex = Array("0123456789ABCDEF".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "@"), UInt8(ascii: "/"):
      return true
    default: return false
    }
  }
}

/// How links are written on one page: relative, so that the site works under any host and path, and from a folder.
package struct LinkRoot: Sendable {
  /// What leads from the page to the site's top: `../../`, `./`, or an absolute path for a page served anywhere.
  package let prefix: String
  /// Folders between the page and the site's top; `nil` for an absolute root.
  let depth: Int?

  /// For a page at `path`.
  package init(from path: SitePath) { self.init(depth: path.depth) }

  /// For a page so many folders below the site's top.
  init(depth: Int) {
    self.depth = depth
    prefix = depth == 0 ? "./" : String(repeating: "../", count: depth)
  }

  /// For a page that a server shows at any address, such as the 404 page: from the server's root.
  package init(absolute basePath: String) {
    depth = nil
    prefix = basePath
  }

  package func href(_ path: SitePath) -> String { prefix + path.urlText }
}

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
