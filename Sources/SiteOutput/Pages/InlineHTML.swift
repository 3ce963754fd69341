import ThreadModel
import UTF8Text

/// The one inline text that no Markdown document holds, an author's bio, as HTML.
enum InlineHTML {
  /// The text escaped, its safe links with the `rel` of everything that a network brought, `<br>` for line breaks.
  static func of(_ text: InlineText) -> UTF8Buffer {
    var html = UTF8Buffer(capacity: text.text.utf8.count + 128 * text.entities.count)
    for segment in text.segments {
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
  /// Where the entity leads; the picture of an emoji is no such place.
  fileprivate var address: String? {
    switch self {
    case .link(let url, _): url
    case .mention(_, let url), .hashtag(_, let url), .cashtag(_, let url): url
    case .emoji: nil
    }
  }
}
