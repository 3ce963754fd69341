import Basics
import ThreadModel

/// Writes texts outside of Markdown documents, such as an author's bio and name, as HTML.
enum InlineHTML {
  /// Returns a name with pictures in place of the short codes of emoji.
  ///
  /// - Parameter pictures: the pictures by short code.
  static func name(_ name: String, _ pictures: [String: SummaryImage], _ links: LinkRoot) -> UTF8Buffer {
    guard !pictures.isEmpty else { return self.name(name) }
    var html = UTF8Buffer(capacity: name.utf8.count + 160 * pictures.count)
    // Only the short codes are needed to find the emoji; the URLs in this dictionary are not used.
    for segment in InlineText(name, marking: pictures.mapValues { _ in "" }).segments {
      guard case .emoji(let shortcode, _) = segment.entity, let picture = pictures[shortcode] else {
        html.appendEscapingHTML(String(segment.text))
        continue
      }
      append(picture, called: shortcode, to: &html, links)
    }
    return html
  }

  /// Returns a name as escaped text, without pictures.
  static func name(_ name: String) -> UTF8Buffer {
    var html = UTF8Buffer(capacity: name.utf8.count + 8)
    html.appendEscapingHTML(name)
    return html
  }

  private static func append(
    _ picture: SummaryImage, called shortcode: String, to html: inout UTF8Buffer, _ links: LinkRoot
  ) {
    html.append("<img class=\"emoji\" src=\"" as StaticString)
    html.appendEscapingHTML(picture.href(links))
    for attribute in ["alt", "title"] {
      html.append("\" ")
      html.append(attribute)
      html.append("=\":")
      html.appendEscapingHTML(shortcode)
      html.append(":")
    }
    html.append("\" width=\"20\" height=\"20\" loading=\"lazy\" decoding=\"async\">" as StaticString)
  }

  /// Returns a text with pictures in place of the short codes of emoji. Otherwise it is the same as the text without pictures.
  ///
  /// - Parameter pictures: the pictures by short code.
  static func of(_ text: InlineText, _ pictures: [String: SummaryImage], _ links: LinkRoot) -> UTF8Buffer {
    of(text) { shortcode, html in
      guard let picture = pictures[shortcode] else { return false }
      append(picture, called: shortcode, to: &html, links)
      return true
    }
  }

  /// Returns the escaped text with `<br>` for line breaks. Safe links have the `rel` of all links from networks.
  ///
  /// - Parameter emoji: writes the picture of an emoji and returns `true`, or returns `false` if it has no picture.
  static func of(
    _ text: InlineText, emoji: (_ shortcode: String, _ html: inout UTF8Buffer) -> Bool = { _, _ in false }
  ) -> UTF8Buffer {
    var html = UTF8Buffer(capacity: text.text.utf8.count + 128 * text.entities.count)
    for segment in text.segments {
      if case .emoji(let shortcode, _) = segment.entity, emoji(shortcode, &html) { continue }
      let url = segment.entity?.address.flatMap(WebAddress.safe)
      if let url {
        html.append("<a href=\"" as StaticString)
        html.appendEscapingHTML(url)
        html.append("\" rel=\"noopener nofollow ugc\">" as StaticString)
      }
      append(segment.text, to: &html)
      if url != nil { html.append("</a>" as StaticString) }
    }
    return html
  }

  private static func append(_ text: Substring, to html: inout UTF8Buffer) {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (number, line) in lines.enumerated() {
      if number > 0 { html.append("<br>" as StaticString) }
      html.appendEscapingHTML(String(line))
    }
  }
}

extension TextEntity.Kind {
  /// The URL to which the entity links; `nil` for an emoji.
  fileprivate var address: String? {
    switch self {
    case .link(let url, _): url
    case .mention(_, let url, _), .hashtag(_, let url), .cashtag(_, let url): url
    case .emoji: nil
    }
  }
}
