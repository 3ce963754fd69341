import Templates
import ThreadModel

extension ThreadComposer {
  /// A post's media in their order: pictures that follow each other together, everything else on its own.
  mutating func media(of post: Post, author: Author?) throws(ThreadMarkdownError) {
    guard !post.media.isEmpty else { return }
    let page = address(of: post, by: author)
    var pictures: [TemplateValue] = []
    for medium in post.media {
      if medium.describedAs == nil { missingAltTexts += 1 }
      let shown = medium.shown(options, page: page)
      if case .picture(let address, let alt, let full) = shown {
        show(address, medium.facts(.image))
        pictures.append(picture(address, alt: alt, full: full))
        continue
      }
      try images(&pictures)
      if case .video(let address, let poster, _) = shown {
        try video(medium, address, poster: poster)
      } else if case .mention(let url) = shown {
        try append(.attachment, ["link": MarkdownPieces.link(medium.label, url)])
      }
    }
    try images(&pictures)
  }

  /// Remembers what a page loads.
  mutating func show(_ address: MediaAddress, _ facts: MediaFacts) {
    media[address.url] = facts
    if let host = address.host { hosts.insert(host) }
  }
}
