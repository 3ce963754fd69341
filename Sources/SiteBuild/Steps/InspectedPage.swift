import Basics
package import SiteOutput

/// A page that a user names.
package enum InspectedPage: Sendable {
  /// With the name as the user wrote it.
  case path(SitePath, String)
  /// The first page with this layout.
  case layout(String)
  /// A file of the owner below `pages/`.
  case ownFile(String)
  /// The page of a thread by the stem of its file, with the name as the user wrote it.
  case thread(stem: String, String)

  var name: String {
    switch self {
    case .path(_, let name), .layout(let name), .ownFile(let name), .thread(_, let name): name
    }
  }

  /// Reads the name of a page: the name of a layout, a file below the folder for own pages, a path or a URL of the site, or a file of the
  /// built site.
  ///
  /// - Parameter tops: the prefixes of URLs and files of the site, such as `site/`.
  /// - Returns: `nil` if the name is that of a thread.
  package init?(_ name: String, tops: [String]) {
    if LayoutValues.all[name] != nil {
      self = .layout(name)
      return
    }
    if let file = name.without(bytePrefix: "pages/") {
      self = .ownFile(String(file))
      return
    }
    var path = name[...]
    if let top = tops.first(where: { name.hasBytePrefix($0) }) {
      path = Substring(name.utf8.dropFirst(top.utf8.count))
    } else if path.firstRange(of: "://") != nil || path.hasByteSuffix(".json")
      || !path.contains("/") && path != "404.html"
    {
      return nil
    }
    self = .path(SitePath(requested: path), name)
  }
}
