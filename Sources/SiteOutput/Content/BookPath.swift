/// Where the book of a page's threads is: beside the page, and called as its folder is, as that is the name that readers' machines keep it under.
package enum BookPath {
  /// - Parameter page: ends in a slash, or is the site's top.
  package static func of(_ page: SitePath) -> SitePath {
    let name = page.text.utf8.split(separator: UInt8(ascii: "/")).last.map {
      String(decoding: $0, as: UTF8.self)
    }
    return page.appending((name ?? "threads") + ".epub")
  }
}
