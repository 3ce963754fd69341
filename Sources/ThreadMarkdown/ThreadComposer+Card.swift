import Templates
import ThreadModel
import UTF8Text

extension ThreadComposer {
  /// The preview of a page that the post links to.
  mutating func card(_ card: LinkCard) throws(ThreadMarkdownError) {
    let url = WebAddress.safe(card.url)
    let host = url.flatMap(WebAddress.host).map {
      PlainText.singleLine($0.without(bytePrefix: "www.") ?? $0[...])
    }
    guard let title = PlainText.nonEmptyLine(card.title) ?? host ?? PlainText.nonEmptyLine(card.url) else {
      return
    }
    var values = TemplateObject()
    values["title_link"] = MarkdownPieces.link(PlainText.shortened(title, to: 200), url)
    if let summary = PlainText.nonEmptyLine(card.summary), summary != title {
      values["description"] = .text(PlainText.shortened(summary, to: 300))
    }
    if let host, host != title { values["host"] = .text(host) }
    if components.showsCardImages, let image = image(of: card) {
      var facts = MediaFacts(kind: .image)
      if let width = card.imageWidth, let height = card.imageHeight, width > 0, height > 0 {
        facts.width = width
        facts.height = height
      }
      show(image, facts)
      values["image"] = ["src": MarkdownPieces.destination(image.url)]
    }
    try append(.card, values)
  }

  private func image(of card: LinkCard) -> MediaAddress? {
    MediaAddress(file: card.imageFile, url: card.imageURL, options)
  }
}
