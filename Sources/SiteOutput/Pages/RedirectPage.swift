package import Basics
import InterfaceText
import ThreadModel

/// The page at an old URL that redirects readers to the new URL.
///
/// The redirect page uses no theme and does not contain the old page's title, because a browser shows it only for an instant.
package struct RedirectPage: Sendable {
  private let from: SitePath
  private let to: SitePath
  private let anchor: String?
  private let title: String

  /// - Parameters:
  ///   - anchor: the id of an element on the target page, of characters that need no escaping in URLs; `nil` for the top of the page.
  ///   - title: the title of the target page.
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
