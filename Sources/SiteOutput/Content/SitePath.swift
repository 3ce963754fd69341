package import Basics

/// The path of a page or file within a site, relative to the site's top folder, such as `x/ada/a-title-123/`.
///
/// A path that ends in a slash is a folder and means its `index.html`. The parts of a path are safe as file names. They are percent-encoded
/// when the path becomes part of a URL.
package struct SitePath: Hashable, Sendable, Comparable, ExpressibleByStringLiteral {
  /// UTF-8 without a leading slash, `.` or `..`; empty for the site's top folder.
  package let text: String
  /// The path in a URL: all characters but unreserved ones, slashes and at signs are percent-encoded (RFC 3986, 3.3).
  package let urlText: String

  package init(_ text: String) {
    self.text = text
    urlText = Self.encoded(text)
  }

  package init(stringLiteral value: String) { self.init(value) }

  /// Compares bytes, because two paths that only look the same are two files on some disks, and one file on others.
  package static func == (lhs: SitePath, rhs: SitePath) -> Bool {
    lhs.text.isSameBytes(as: rhs.text)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The site's top folder.
  package static let top: SitePath = ""

  package static func < (lhs: SitePath, rhs: SitePath) -> Bool {
    lhs.text.precedesInBytes(rhs.text)
  }

  /// The path of the page's file.
  package var file: String {
    text.isEmpty || text.utf8.last == UInt8(ascii: "/") ? text + "index.html" : text
  }

  /// The number of folders between the site's top folder and this page.
  package var depth: Int {
    let slash = UInt8(ascii: "/")
    return text.utf8.withContiguousStorageIfAvailable { $0.count { $0 == slash } }
      ?? text.utf8.count { $0 == slash }
  }

  package func appending(_ more: String) -> SitePath { SitePath(text + more) }

  /// The path of the book of a page's threads: beside the page and named after its folder, because readers' devices keep this name.
  package var book: SitePath {
    let name = text.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
    return appending((name ?? "threads") + ".epub")
  }

  /// The role of a file while a new version of the site is moved into place. Files are moved in the order of the cases, so that links never
  /// lead to missing files.
  package enum Role: Int, Sendable, CaseIterable {
    /// A file that pages show or that their scripts read.
    case part
    case page
    /// A list through which readers and programs find pages and files: the home page, feeds, the sitemap, the top of the search index.
    case list
  }

  /// The role of a file; not meaningful for folders.
  package var role: Role {
    let name = PathText.name(of: text).utf8
    if text == "index.html" || text == "robots.txt" || text == "search/index.json" || text == "threads.json"
      || text == "llms.txt"
      || name.elementsEqual("feed.json".utf8) || text.hasByteSuffix(".xml")
    {
      return .list
    }
    return text.hasByteSuffix(".html") ? .page : .part
  }

  private static func encoded(_ text: String) -> String {
    PercentEncoding.encode(text) {
      PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "/")
    }
  }
}

extension SitePath: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) { self.init(try reader.string()) }
  package func write(to writer: inout ByteWriter) { writer.write(text) }
}

/// The prefix of all links on one page. Links are relative, so that the site works under any host and path, and from a local folder.
package struct LinkRoot: Sendable {
  /// The link from the page to the site's top folder: `../../`, `./`, or an absolute path for a page that may be served at any URL.
  package let prefix: String
  /// The number of folders between the page and the site's top folder; `nil` for an absolute root.
  let depth: Int?

  /// Creates the root for a page at `path`.
  package init(from path: SitePath) { self.init(depth: path.depth) }

  /// Creates the root for a page that is `depth` folders below the site's top folder.
  init(depth: Int) {
    self.depth = depth
    prefix = depth == 0 ? "./" : String(repeating: "../", count: depth)
  }

  /// Creates the absolute root for a page that a server shows at any URL, such as the 404 page.
  package init(absolute basePath: String) {
    depth = nil
    prefix = basePath
  }

  package func href(_ path: SitePath) -> String { prefix + path.urlText }
}

/// Computes the path of a tag's page from the tag alone, because thread pages link to tags before all tags are known.
package enum TagPath {
  /// Returns a path such as `tags/compilers/`. Two spellings with the same slug (`Café`, `cafe`) are one tag. If the slug does not represent the whole
  /// tag (`C++`, or a tag that is too long), or is a device name on Windows, a short hash is added.
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

  /// Returns the id of a tag's entry on that page.
  ///
  /// - Parameters:
  ///   - path: the tag's path.
  ///   - inURL: whether the id is percent-encoded, for use in a link.
  static func anchor(of path: SitePath, inURL: Bool = false) -> String {
    // Works on scalars, because a combining mark at the beginning of a slug would form one `Character` with the slash before it.
    let text = (inURL ? path.urlText : path.text).unicodeScalars
    return "tag-"
      + String(String.UnicodeScalarView(text.dropFirst(index.text.unicodeScalars.count).dropLast()))
  }

  /// Whether the slug represents the scalar: letters, digits, separators between words, and apostrophes.
  private static func isToldBySlug(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "-" || scalar == "_" || Slug.isApostrophe(scalar) || Slug.isWord(scalar)
  }
}
