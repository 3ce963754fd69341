import Templates
import ThreadModel
import Wording

extension ThreadComposer {
  /// One picture as its template sees it.
  func picture(_ address: MediaAddress, alt: String, full: String) -> TemplateObject {
    let destination = MarkdownPieces.destination(address.url)
    return [
      "alt": .text(alt), "src": destination,
      "full": full == address.url ? destination : MarkdownPieces.destination(full),
    ]
  }

  /// What stands in a picture's place where none are shown: its description, linked.
  func words(_ label: String, _ url: String?) -> TemplateObject {
    ["link": MarkdownPieces.link(label, url)]
  }

  /// Pictures of a post that follow each other, in one section; nothing for none. Empties the list.
  mutating func images(_ pictures: inout [TemplateObject], of post: Post) throws(ThreadMarkdownError) {
    guard !pictures.isEmpty else { return }
    if pictures.count > 1 {
      for index in pictures.indices {
        pictures[index]["number"] = .text(wording.number(index + 1))
        pictures[index]["count"] = .text(wording.number(pictures.count))
      }
    }
    try append(
      .images,
      [
        "images": .list(pictures.map { .object($0) }),
        "lang": otherLanguage(of: post).map { .text($0) } ?? .missing,
      ])
    pictures = []
  }
}
