package import Basics

/// The record of the URL at which each thread was first published. It is kept in the store and meant to be committed with the store.
///
/// A published page keeps its URL even if the thread's title, the author's handle or the theme changes. The URL changes only if the owner
/// chooses a different slug, or if words in it were removed from the thread. The record then keeps the old URL, which redirects to the new
/// one as long as no other page uses it. Builds only read the record; `threadsite publish` adds the URLs of the built site to it.
package struct Permalinks: Sendable, Equatable {
  /// The record's name in the store's folder.
  package static let fileName = "permalinks.json"
  /// The version of the file format. A record names its version under `format` once there is a version other than 1.
  private static let format: Int64 = 1

  /// Maps a conversation's path in the store without `.json` (`x/ada/123`) to its page (`x/ada/a-title-123/`).
  private var pages: [String: SitePath]
  /// Maps previous URLs of pages to their current URLs.
  package private(set) var moved: [SitePath: SitePath] = [:]

  package init() { pages = [:] }

  package subscript(stem: String) -> SitePath? {
    get { pages[stem] }
    set { pages[stem] = newValue }
  }

  /// Returns the page of a conversation: with the owner's slug if there is one; otherwise the recorded page; otherwise a new page.
  ///
  /// - Parameters:
  ///   - title: the title from which the readable part of a new URL is made.
  ///   - slug: the readable part that the owner chose; `nil` if the owner chose none.
  ///   - lost: set if posts of the thread were removed or are hidden. If the recorded URL contains words with which the thread no longer
  ///     begins, the page then moves to a URL without words.
  package func page(
    of stem: String, title: String, slug: String? = nil, losingWords lost: LostWords? = nil
  ) -> SitePath {
    let recorded = slug == nil ? pages[stem] : nil
    // Most published threads have lost no words, and need no new page.
    if let recorded, lost == nil { return recorded }
    let new = Self.newPage(of: stem, slug: slug ?? Slug.make(from: title))
    guard let known = recorded, let lost, known != new,
      known != Self.newPage(of: stem, slug: Slug.make(from: lost.beginning))
    else {
      return recorded ?? new
    }
    return Self.newPage(of: stem, slug: "")
  }

  /// A thread's state after some of its words were removed or hidden.
  package struct LostWords: Sendable {
    /// The title made from the remaining posts, even if the owner chose a title.
    package let beginning: String

    package init(beginning: String) { self.beginning = beginning }
  }

  /// Whether a page's URL contains no words of its thread.
  package static func hasNoWords(_ page: SitePath, of stem: String) -> Bool {
    page == newPage(of: stem, slug: "")
  }

  private static func newPage(of stem: String, slug: String) -> SitePath {
    let cut = stem.utf8.lastIndex(of: UInt8(ascii: "/")).map { stem.index(after: $0) } ?? stem.startIndex
    // Exactly the needed capacity is reserved, because every thread keeps its path in memory.
    var path = ""
    path.reserveCapacity(stem.utf8.count + slug.utf8.count + 2)
    path.append(contentsOf: stem[..<cut])
    path.append(slug)
    if !slug.isEmpty { path.append("-") }
    path.append(contentsOf: stem[cut...])
    path.append("/")
    return SitePath(path)
  }

  /// Reads the record. Throws `SiteOutputError.badPermalinks` unless every URL in it is a folder within the site.
  package init(_ value: JSONValue, file: String) throws(SiteOutputError) {
    guard case .object(let members) = value else {
      throw .badPermalinks(file: file, problem: "expected an object from stored threads to their pages.")
    }
    pages = [:]
    if let format = members["format"], format.integer != Self.format {
      throw .badPermalinks(
        file: file,
        problem: "it was written by a newer version of threadsite; update threadsite.")
    }
    // No thread is named "format": the names of threads contain slashes.
    for (stem, page) in members where stem != "format" {
      // Names of threads do not end in a slash; previous URLs do.
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

  /// The record as a file: sorted, so that diffs of it are small.
  package var bytes: [UInt8] {
    var members = pages.map { (key: $0.key, page: $0.value.text) }
    members += moved.map { (key: $0.key.text, page: $0.value.text) }
    members.sort { $0.key.precedesInBytes($1.key) }
    var writer = JSONWriter()
    writer.object { writer in
      for (key, page) in members { writer.member(key, page) }
    }
    return writer.finish().bytes
  }

  /// Returns the pages of threads that are missing in another record, sorted.
  package func pages(besides other: Permalinks) -> [SitePath] {
    pages.compactMap { other.pages[$0.key] == nil ? $0.value : nil }.sorted()
  }

  /// Returns the number of threads whose page is missing or different in another record.
  package func count(besides other: Permalinks) -> Int { pages.count { other.pages[$0.key] != $0.value } }

  /// Returns the entries of threads whose pages fulfill a condition, with the previous URLs that redirect to these pages.
  package func filtered(_ isKept: (SitePath) -> Bool) -> Permalinks {
    var result = Permalinks()
    result.pages = pages.filter { isKept($0.value) }
    let kept = Set(result.pages.values)
    result.moved = moved.filter { kept.contains($0.value) }
    return result
  }

  /// Returns the pages with different URLs in a later record, sorted. Threads in `published` are skipped.
  package func moves(to later: Permalinks, besides published: Permalinks) -> [(from: SitePath, to: SitePath)]
  {
    pages.compactMap { stem, page in
      guard published.pages[stem] == nil, let new = later.pages[stem], new != page else { return nil }
      return (page, new)
    }.sorted { $0.from < $1.from }
  }

  /// Returns the thread whose page is or was at a URL; `nil` if no thread has this URL.
  package func stem(ofPage path: SitePath) -> String? {
    let now = moved[path] ?? path
    return pages.first { $0.value == now }?.key
  }

  /// Removes a thread's page from the record, with the previous URLs that redirect to it.
  ///
  /// - Returns: the removed entries, as a record.
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

  /// Removes a thread's URLs that contain forbidden words. If the current URL is among them, the page moves to a URL without words.
  package mutating func forget(_ stem: String, where isForbidden: (String) -> Bool) {
    guard let page = pages[stem] else { return }
    let now = isForbidden(page.text) ? Self.newPage(of: stem, slug: "") : page
    pages[stem] = now
    for (former, target) in moved where target == page {
      moved[former] = isForbidden(former.text) || former == now ? nil : now
    }
  }

  /// Records that two names belong to the same thread. The URLs of `stem` redirect to the page of `other`; if `other` has no page, it gets the
  /// page of `stem`.
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

  /// Adds entries that ``take(_:)`` removed. Entries that are now in the record are kept.
  package mutating func putBack(_ taken: Permalinks) {
    pages.merge(taken.pages) { known, _ in known }
    moved.merge(taken.moved) { known, _ in known }
  }

  package var isEmpty: Bool { pages.isEmpty && moved.isEmpty }

  /// Records that a thread's page has moved from one URL to another.
  package mutating func move(_ stem: String, from old: SitePath, to new: SitePath) {
    pages[stem] = new
    moved[old] = new
  }

  /// Returns this record with the entries of another. This record's page of a thread is kept, unless the other record has moved that page.
  package func adding(_ other: Permalinks) -> Permalinks {
    var result = self
    if pages.isEmpty {
      result.pages = other.pages
      return result
    }
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

  /// Whether a path is a relative folder without hidden names and without names that lead out of the site.
  ///
  /// Compared as bytes, like in the file system: a slash with a combining mark is a different `Character` than a slash.
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

extension Permalinks.LostWords: Record {
  package static let fields = RecordFields(Self.init(beginning:), \.beginning)
}
