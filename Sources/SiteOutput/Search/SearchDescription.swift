package import Basics

/// The description by which a browser can search the site from its URL bar: OpenSearch, version 1.1
/// (https://github.com/dewitt/opensearch/blob/master/opensearch-1-1-draft-6.md). Browsers accept only absolute URLs in it.
package enum SearchDescription {
  package static let path: SitePath = "opensearch.xml"

  /// The maximum number of characters of a short name (4.1 of the specification).
  private static let longestName = 16

  /// Whether a site has a description: it needs a search and a base URL.
  static func exists(for site: SiteFacts, in theme: Theme) -> Bool {
    theme.hasSearch(on: site) && site.baseURL != nil
  }

  /// - Returns: an empty array for a site without search or without a base URL.
  package static func file(
    of site: SiteFacts, in theme: Theme
  ) -> [(path: SitePath, content: UTF8Buffer)] {
    guard exists(for: site, in: theme), let page = site.url(of: SearchPage.path),
      let home = site.url(of: .top)
    else { return [] }
    var xml = UTF8Buffer(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n"
    )
    xml.element("ShortName", String(site.title.prefix(longestName)))
    xml.element("Description", site.summary ?? site.title)
    xml.element("InputEncoding", "UTF-8")
    xml.element("Language", site.language)
    if let icon = theme.icons.vector {
      xml.append("<Image type=\"image/svg+xml\">")
      xml.appendEscapingXML(home + icon.urlText)
      xml.append("</Image>\n")
    }
    xml.append("<Url type=\"text/html\" template=\"")
    xml.appendEscapingXML(page + "?q={searchTerms}")
    xml.append("\"/>\n</OpenSearchDescription>\n")
    return [(path, xml)]
  }
}
