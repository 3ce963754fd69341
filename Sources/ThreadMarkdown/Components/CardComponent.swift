import Basics
import MarkdownHTML
import Templates
import ThreadModel

/// The preview of a page to which a post links.
struct CardComponent: Component {
  static let kind = ComponentKind.card

  let card: LinkCard
  /// The words of the link at the end of the text, if the card shows them instead of the text.
  let link: String?

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    let url = WebAddress.safe(card.url)
    let host = url.flatMap(WebAddress.host).map {
      PlainText.singleLine($0.without(bytePrefix: "www.") ?? $0[...])
    }
    guard let title = PlainText.nonEmptyLine(card.title) ?? host ?? PlainText.nonEmptyLine(card.url) else {
      return nil
    }
    var values = TemplateObject()
    values["title_link"] = MarkdownPieces.link(PlainText.shortened(title, to: 200), url)
    if let summary = PlainText.nonEmptyLine(card.summary), summary != title {
      values["description"] = .text(PlainText.shortened(summary, to: 300))
    }
    if let address = link ?? host, address != title { values["host"] = .text(address) }
    if document.components.showsCardImages,
      let image = MediaAddress(file: card.imageFile, url: card.imageURL, document.options)
    {
      var facts = MediaFacts(kind: .image)
      if let width = card.imageWidth, let height = card.imageHeight, width > 0, height > 0 {
        facts.width = width
        facts.height = height
      }
      document.show(image, facts)
      values["image"] = ["src": MarkdownPieces.destination(image.url)]
    }
    return values
  }
}

/// A text that ends with a link to the page of a card. The card shows the link's words, so that link and card are one element and no
/// character is lost.
struct PartedLink {
  /// The text before the link, without the white space before the link.
  let rest: InlineText
  /// The link's words, exactly as in the text.
  let link: String

  /// The maximum length in scalars of a link that a card can show.
  private static let longest = 200

  /// `nil` if the text does not end with a link to the card's page, or if the link leads to a page of this site.
  init?(_ text: InlineText, from card: LinkCard, _ options: MarkdownOptions) {
    let scalars = text.text.unicodeScalars
    guard let last = text.entities.last, case .link(let url, _) = last.kind, last.range.count <= Self.longest,
      WebAddress.safe(card.url) != nil, Self.page(url) == Self.page(card.url),
      options.links.page(linkedBy: url) == nil
    else { return nil }
    let start = scalars.index(scalars.startIndex, offsetBy: last.range.lowerBound)
    let end = scalars.index(scalars.startIndex, offsetBy: last.range.upperBound)
    let before = scalars[..<start]
    guard scalars[end...].allSatisfy(\.properties.isWhitespace),
      !scalars[start..<end].contains(where: \.properties.isWhitespace),
      before.last.map(\.properties.isWhitespace) ?? true,
      // A dash before the link does not remain on its own.
      before.allSatisfy(\.properties.isWhitespace) || !before.isPunctuation
    else { return nil }
    let spaces = before.reversed().prefix { $0.properties.isWhitespace }.count
    rest = text.dropping(head: 0, tail: scalars.count - last.range.lowerBound + spaces)
    link = String(scalars[start..<end])
  }

  /// Returns a URL without the parts that do not change its target page.
  private static func page(_ url: String) -> Substring {
    var rest = url[...]
    rest = rest.without(bytePrefix: "https://") ?? rest.without(bytePrefix: "http://") ?? rest
    rest = rest.without(bytePrefix: "www.") ?? rest
    if rest.utf8.last == UInt8(ascii: "/") { rest = rest.dropLast() }
    return rest
  }
}
