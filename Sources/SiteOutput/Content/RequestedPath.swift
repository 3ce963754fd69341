import Basics
import Foundation
package import SiteConfig

extension SitePath {
  /// Creates the path of the page that a server shows at a path of a URL: `x/ada/a%20title-1` and `x/ada/a%20title-1/index.html` are the page
  /// `x/ada/a title-1/`.
  ///
  /// - Parameter path: a part of a URL or of the path of a file, with or without slashes in front.
  package init(requested path: some StringProtocol) {
    var path = Substring(path)
    while path.utf8.first == UInt8(ascii: "/") { path = path.dropFirst() }
    path = path.without(byteSuffix: "index.html") ?? path.without(byteSuffix: "index.md") ?? path
    let text = path.removingPercentEncoding ?? String(path)
    let isWhole = text.isEmpty || text.utf8.last == UInt8(ascii: "/") || text.hasByteSuffix(".html")
    self.init(isWhole ? text : text + "/")
  }

  /// Creates the path of the page with a full URL, whose query and fragment are ignored.
  ///
  /// - Parameter site: the site's URL. Its scheme makes no difference.
  /// - Returns: `nil` if the URL belongs to another site.
  package init?(ofURL url: String, on site: SiteURL) {
    guard let scheme = url.firstRange(of: "://"),
      ["http", "https"].contains(url[..<scheme.lowerBound].lowercased())
    else { return nil }
    let rest = url[scheme.upperBound...].prefix(upToBytes: "?#")
    let authority = rest.prefix(upToBytes: "/")
    guard Self.withoutUsualPort(authority) == Self.withoutUsualPort(site.authority[...]) else { return nil }
    let path = rest[authority.endIndex...]
    if let inner = Self.path(path, below: site.path) {
      self.init(requested: inner)
    } else if (path + "/").utf8.elementsEqual(site.path.utf8) {
      self = .top
    } else {
      return nil
    }
  }

  private static func path(_ path: Substring, below folder: String) -> Substring? {
    path.hasBytePrefix(folder) ? path[path.utf8.index(path.startIndex, offsetBy: folder.utf8.count)...] : nil
  }

  private static func withoutUsualPort(_ authority: Substring) -> String {
    let host = authority.lowercased()
    return String(host.without(byteSuffix: ":443") ?? host.without(byteSuffix: ":80") ?? host[...])
  }
}
