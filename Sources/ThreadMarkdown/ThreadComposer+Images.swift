import Templates

extension ThreadComposer {
  /// One picture as its template sees it.
  func picture(_ address: MediaAddress, alt: String, full: String) -> TemplateValue {
    [
      "alt": .text(alt), "src": MarkdownPieces.destination(address.url),
      "full": MarkdownPieces.destination(full),
    ]
  }

  /// Pictures that follow each other, in one section; nothing for none. Empties the list.
  mutating func images(_ pictures: inout [TemplateValue]) throws(ThreadMarkdownError) {
    guard !pictures.isEmpty else { return }
    try append(.images, ["images": .list(pictures)])
    pictures = []
  }
}
