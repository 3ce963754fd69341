package import Basics

/// The record of where each thread was first published, kept in the store and meant to be committed with it.
///
/// A title may change, a handle may change, a theme may change; a page's address does not. It does where the owner chooses another slug, or
/// where words that it is made of were removed; then the record keeps the old one, which leads to the new one for as long as no page has it.
/// The record is read before a build and written after one that added to it.
package struct Permalinks: Sendable, Equatable {
  /// The record's name in the store's folder.
  package static let fileName = "permalinks.json"
  /// The format, which a record names under `format` once there is another than this.
  private static let format: Int64 = 1

  /// From a conversation's place in the store without `.json` (`x/ada/123`) to its page (`x/ada/a-title-123/`).
  private var pages: [String: SitePath]
  /// From addresses that pages had before to those that they have now.
  package private(set) var moved: [SitePath: SitePath] = [:]

  package init() { pages = [:] }

  package subscript(stem: String) -> SitePath? {
    get { pages[stem] }
    set { pages[stem] = newValue }
  }

  /// The page of a conversation: where the owner chose its slug, that of the slug; else as recorded, else a new one.
  ///
  /// - Parameters:
  ///   - title: what the readable part of a new address is made from.
  ///   - slug: the readable part itself, where the owner has chosen it.
  ///   - losesWords: whether posts of the thread were removed: then the page moves if its address is made of words that the thread does not
  ///     begin with any more, to one that has none.
  package func page(
    of stem: String, title: String, slug: String? = nil, losesWords: Bool = false
  ) -> SitePath {
    let new = Self.newPage(of: stem, slug: slug ?? Slug.make(from: title))
    guard slug == nil, let known = pages[stem] else { return new }
    return losesWords && known != new ? Self.newPage(of: stem, slug: "") : known
  }

  /// Whether a page's address is made of no words of its thread.
  package static func hasNoWords(_ page: SitePath, of stem: String) -> Bool {
    page == newPage(of: stem, slug: "")
  }

  private static func newPage(of stem: String, slug: String) -> SitePath {
    let cut = stem.utf8.lastIndex(of: UInt8(ascii: "/")).map { stem.index(after: $0) } ?? stem.startIndex
    // Room for no more than it takes, as every thread keeps its path.
    var path = ""
    path.reserveCapacity(stem.utf8.count + slug.utf8.count + 2)
    path.append(contentsOf: stem[..<cut])
    path.append(slug)
    if !slug.isEmpty { path.append("-") }
    path.append(contentsOf: stem[cut...])
    path.append("/")
    return SitePath(path)
  }

  /// Reads the record; every address in it has to be a folder within the site.
  package init(_ value: JSONValue, file: String) throws(SiteOutputError) {
    guard case .object(let members) = value else {
      throw .badPermalinks(file: file, problem: "it should be an object from a stored thread to its page.")
    }
    pages = [:]
    if let format = members["format"], format.integer != Self.format {
      throw .badPermalinks(
        file: file,
        problem: "it was written by a newer threadsite, and has a format that this one does not know.")
    }
    // No thread is called that: its name has slashes.
    for (stem, page) in members where stem != "format" {
      // Names of threads end in no slash.
      let isMoved = stem.hasByteSuffix("/") && Self.isSafe(stem)
      guard case .string(let text) = page, Self.isSafe(text) else {
        throw .badPermalinks(
          file: file,
          problem:
            "the page of \"\(stem)\" should be a folder such as \"x/ada/a-title-123/\", without \".\" or \"..\"."
        )
      }
      if isMoved { moved[SitePath(stem)] = SitePath(text) } else { pages[stem] = SitePath(text) }
    }
  }

  /// The record as a file: sorted, so that it reads well in a diff.
  package var bytes: [UInt8] { JSONWriter.text(of: .object(members)).bytes }

  private var members: [String: JSONValue] {
    var members = pages.mapValues { JSONValue.string($0.text) }
    for (old, new) in moved { members[old.text] = .string(new.text) }
    return members
  }

  /// The pages of threads that another record does not name, sorted.
  package func pages(besides other: Permalinks) -> [SitePath] {
    pages.filter { other.pages[$0.key] == nil }.map(\.value).sorted()
  }

  /// The thread whose page is, or was, at an address; `nil` where none is.
  package func stem(ofPage path: SitePath) -> String? {
    let now = moved[path] ?? path
    return pages.first { $0.value == now }?.key
  }

  /// Takes a thread's page out of the record, with the addresses that led to it.
  ///
  /// - Returns: what was taken, as a record.
  package mutating func take(_ stem: String) -> Permalinks {
    var taken = Permalinks()
    guard let page = pages.removeValue(forKey: stem) else { return taken }
    taken.pages[stem] = page
    for (former, target) in moved where target == page {
      taken.moved[former] = page
      moved[former] = nil
    }
    return taken
  }

  /// Takes addresses of a thread out of the record that are made of words which nobody should read any more; the page has one of its id alone then.
  package mutating func forget(_ stem: String, where isForbidden: (String) -> Bool) {
    guard let page = pages[stem] else { return }
    let now = isForbidden(page.text) ? Self.newPage(of: stem, slug: "") : page
    pages[stem] = now
    for (former, target) in moved where target == page {
      moved[former] = isForbidden(former.text) || former == now ? nil : now
    }
  }

  /// Notes that a thread of one name is the one of another: its addresses lead to that one's page, or become that one's.
  package mutating func join(_ stem: String, to other: String) {
    guard stem != other, let old = pages.removeValue(forKey: stem) else { return }
    guard let page = pages[other] else {
      pages[other] = old
      return
    }
    guard old != page else { return }
    for (former, target) in moved where target == old { moved[former] = page }
    moved[old] = page
    moved[page] = nil
  }

  /// Puts back what was taken.
  package mutating func putBack(_ taken: Permalinks) {
    pages.merge(taken.pages) { known, _ in known }
    moved.merge(taken.moved) { known, _ in known }
  }

  package var isEmpty: Bool { pages.isEmpty && moved.isEmpty }

  /// Notes that a thread's page is at another address than the one recorded.
  package mutating func move(_ stem: String, from old: SitePath, to new: SitePath) {
    pages[stem] = new
    moved[old] = new
  }

  /// This record with what another adds; what is recorded here stays, unless the other has moved it.
  package func adding(_ other: Permalinks) -> Permalinks {
    var result = self
    for (stem, page) in other.pages {
      guard let old = pages[stem] else {
        result.pages[stem] = page
        continue
      }
      if old == page { continue }
      guard other.moved[old] == page else { continue }
      for (former, target) in result.moved where target == old { result.moved[former] = page }
      result.moved[old] = page
      result.moved[page] = nil
      result.pages[stem] = page
    }
    return result
  }

  /// A relative folder whose names hide nothing and leave nothing.
  ///
  /// Looked at as bytes, as the file system does: to a `Character`, a slash with a mark on it is no slash.
  private static func isSafe(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let slash = UInt8(ascii: "/")
    guard bytes.count > 1, bytes.count <= 1024, bytes.last == slash,
      bytes.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\\") && $0 != 0x7F })
    else { return false }
    return bytes.dropLast().split(separator: slash, omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0.first != UInt8(ascii: ".") && $0.count <= 255
    }
  }
}
