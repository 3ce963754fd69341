package import Basics
import ThreadModel

/// A page that is at another address now: whoever comes to the old one is led there.
///
/// Without the theme, and without a word of what the page was called: a browser shows it for no longer than it takes to follow.
package struct RedirectPage: Sendable {
  private let from: SitePath
  private let to: SitePath
  private let anchor: String?
  private let title: String

  /// - Parameters:
  ///   - anchor: the place on the page that it leads to; of letters, digits and what needs no escaping in addresses.
  ///   - title: of that page.
  package init(from: SitePath, to: SitePath, anchor: String? = nil, title: String) {
    self.from = from
    self.to = to
    self.anchor = anchor
    self.title = title
  }

  package func html(of site: SiteFacts) -> UTF8Buffer {
    let target = LinkRoot(from: from).href(to) + (anchor.map { "#" + $0 } ?? "")
    var html = UTF8Buffer(capacity: 1024)
    html.append("<!DOCTYPE html>\n<html lang=\"")
    html.appendEscapingHTML(site.localization.language)
    html.append("\">\n<head>\n<meta charset=\"utf-8\">\n")
    html.append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n<title>")
    html.appendEscapingHTML(title)
    html.append("</title>\n<meta name=\"robots\" content=\"noindex\">\n")
    html.append("<meta http-equiv=\"refresh\" content=\"0; url=")
    html.appendEscapingHTML(target)
    html.append("\">\n")
    if let url = site.url(of: to) {
      html.append("<link rel=\"canonical\" href=\"")
      html.appendEscapingHTML(url)
      html.append("\">\n")
    }
    html.append("</head>\n<body>\n<p><a href=\"")
    html.appendEscapingHTML(target)
    html.append("\">")
    html.appendEscapingHTML(title)
    html.append("</a></p>\n</body>\n</html>\n")
    return html
  }
}
