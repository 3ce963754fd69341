package import Basics
import SiteConfig
import ThreadModel

/// Writes `sitemap.xml` (https://www.sitemaps.org/protocol.html), split into several files if there are more than 50,000 URLs.
package enum Sitemap {
  /// The maximum number of URLs in one file that the protocol allows.
  package static let addressesInOne = 50_000

  /// Writes the files of the sitemap one by one; none for a site without a base URL, or for a site that is hidden from search engines.
  ///
  /// - Parameters:
  ///   - own: the URLs of pages that the owner wrote.
  ///   - limit: the maximum number of URLs in one file.
  package static func write<Failure: Error>(
    site: SiteFacts, index: SiteIndex, pages: [IndexPage], own: [SitePath] = [],
    limit: Int = addressesInOne,
    file: (_ path: SitePath, _ content: UTF8Buffer) throws(Failure) -> Void
  ) throws(Failure) {
    guard let baseURL = site.baseURL, !site.config.noindex else { return }
    var addresses: [(path: SitePath, changed: Timestamp?)] = []
    for page in pages {
      if case .notFound = page.kind { continue }
      if case .author(let position) = page.kind, index.authors[position].author.isHiddenFromSearch {
        continue
      }
      if case .statistics(let position?) = page.kind,
        index.authors[position].author.isHiddenFromSearch
      {
        continue
      }
      addresses.append((page.path, nil))
    }
    addresses.reserveCapacity(addresses.count + own.count + index.threads.count)
    addresses += own.lazy.map { ($0, nil) }
    for thread in index.threads where !thread.author.isHiddenFromSearch && !thread.isHiddenFromSearch {
      addresses.append((thread.path, thread.updated ?? thread.published))
    }
    guard addresses.count > limit else {
      return try file("sitemap.xml", part(addresses[...], baseURL: baseURL))
    }
    let starts = stride(from: 0, to: addresses.count, by: limit)
    let names = starts.enumerated().map { SitePath("sitemap-\($0.offset + 1).xml") }
    try file("sitemap.xml", overview(of: names, baseURL: baseURL))
    for (name, start) in zip(names, starts) {
      try file(name, part(addresses[start..<min(start + limit, addresses.count)], baseURL: baseURL))
    }
  }

  private static func part(
    _ addresses: ArraySlice<(path: SitePath, changed: Timestamp?)>, baseURL: String
  ) -> UTF8Buffer {
    // The whole size is reserved, because growing would double the buffer when most of it is full. An entry has 69 bytes and its URL.
    var xml = UTF8Buffer(
      capacity: addresses.reduce(256) { $0 + baseURL.utf8.count + $1.path.urlText.utf8.count + 72 })
    xml.append(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    )
    for (path, changed) in addresses {
      xml.append("<url>\n")
      xml.element("loc", baseURL + path.urlText)
      if let changed { xml.element("lastmod", changed.iso8601) }
      xml.append("</url>\n")
    }
    xml.append("</urlset>\n")
    return xml
  }

  private static func overview(of names: [SitePath], baseURL: String) -> UTF8Buffer {
    var xml = UTF8Buffer()
    xml.append(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    )
    for name in names {
      xml.append("<sitemap>\n")
      xml.element("loc", baseURL + name.urlText)
      xml.append("</sitemap>\n")
    }
    xml.append("</sitemapindex>\n")
    return xml
  }
}

/// Writes the small files that web servers and crawlers look for.
package enum ServerFiles {
  /// - Parameters:
  ///   - inline: the script that pages contain inline.
  ///   - additions: what all pages may load and run in addition.
  ///   - own: the paths of files that the owner adds, which may have any name.
  package static func files(
    site: SiteFacts, mediaHosts: [String], inline: InlineScript? = nil,
    additions: ContentSecurityPolicy.Additions = .init(), own: [SitePath] = []
  ) -> [(path: SitePath, content: UTF8Buffer)] {
    let robots = robots(of: site)
    // Netlify and Cloudflare Pages read `_headers`; GitHub Pages would drop names with an underscore without `.nojekyll`.
    var headers = UTF8Buffer("/*\n  Content-Security-Policy: ")
    // This header applies to all pages, so it allows everything that the search page needs. Each page also contains a stricter policy,
    // which applies as well.
    headers.append(
      ContentSecurityPolicy.text(
        mediaHosts: mediaHosts, scripts: .searching, inline: inline, additions: additions))
    headers.append(
      "; frame-ancestors 'none'\n  X-Content-Type-Options: nosniff\n  Referrer-Policy: no-referrer\n")
    // Files that are not HTML, such as Markdown, feeds and pictures, can be hidden from search engines only by a header.
    if site.config.noindex { headers.append("  X-Robots-Tag: noindex\n") }
    // Names in these folders contain a hash of the content, so the content under a name never changes.
    for folder in ["assets", "media"] where !own.contains(where: { $0.text.hasBytePrefix(folder + "/") }) {
      headers.append("\(site.basePath)\(folder)/*\n  Cache-Control: public, max-age=31536000, immutable\n")
    }
    return [("robots.txt", robots), ("_headers", headers), (".nojekyll", UTF8Buffer())]
  }

  /// Crawlers that collect texts to train models. Their operators document these names for exactly this purpose. Crawlers that serve a
  /// search engine or answer a user's request are not in the list.
  ///
  /// OpenAI: https://platform.openai.com/docs/bots; Anthropic: https://support.claude.com/en/articles/8896518; Google (a name used only in
  /// `robots.txt`): https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers; Apple (likewise):
  /// https://support.apple.com/en-us/119829; Common Crawl, whose data is used to train models: https://commoncrawl.org/ccbot; Meta:
  /// https://developers.facebook.com/docs/sharing/webmasters/web-crawlers.
  package static let trainingCrawlers = [
    "GPTBot", "ClaudeBot", "Google-Extended", "Applebot-Extended", "CCBot", "meta-externalagent",
  ]

  /// Returns `robots.txt` (RFC 9309). A group that names a crawler applies to that crawler, and the group of `*` to all others.
  private static func robots(of site: SiteFacts) -> UTF8Buffer {
    var text = UTF8Buffer()
    if site.config.robots.crawlers == .noTraining {
      for name in trainingCrawlers { text.append("User-agent: \(name)\n") }
      text.append("Disallow: /\n\n")
    }
    text.append(
      site.config.robots.crawlers == .none ? "User-agent: *\nDisallow: /\n" : "User-agent: *\nAllow: /\n")
    if !site.config.robots.lines.isEmpty {
      text.append("\n")
      for line in site.config.robots.lines { text.append(line + "\n") }
      text.append("\n")
    }
    if let baseURL = site.baseURL, !site.config.noindex, site.config.robots.crawlers != .none {
      text.append("Sitemap: \(baseURL)sitemap.xml\n")
    }
    return text
  }
}
