import Templates
import ThreadModel

extension ThreadComposer {
  /// A post's media in their order: pictures that follow each other together, everything else on its own. Where a site
  /// shows none, or copies only, what it does not show is words in a picture's place.
  mutating func media(of post: Post, author: Author?) throws(ThreadMarkdownError) {
    guard !post.media.isEmpty else { return }
    let page = address(of: post, by: author)
    var pictures: [TemplateObject] = []
    for medium in post.media {
      if medium.describedAs == nil { missingAltTexts += 1 }
      switch medium.shown(options, page: page) {
      case .picture(let address, let alt, let full):
        show(address, medium.pictureFacts(address, options))
        pictures.append(picture(address, alt: alt, full: full))
      case .still(let address, let page):
        try images(&pictures, of: post)
        try still(of: medium, address, page: page, in: post)
      case .mention(let url) where options.media != .link:
        pictures.append(words(medium.label(in: wording), url))
      case .video(let address, let poster, _):
        try images(&pictures, of: post)
        try video(medium, address, poster: poster, of: post)
      case .sound(let address, let poster):
        try images(&pictures, of: post)
        try audio(medium, address, poster: poster, of: post)
      case .mention(let url):
        try images(&pictures, of: post)
        try append(.attachment, ["link": MarkdownPieces.link(medium.label(in: wording), url)])
      }
    }
    try images(&pictures, of: post)
  }

  /// The language of what its author says of a film or a sound, where it is another than the thread's; missing where they say nothing, as all words on
  /// it are the site's then.
  func languageOfWords(on medium: Media, of post: Post) -> TemplateValue {
    guard medium.describedAs != nil else { return .missing }
    return otherLanguage(of: post).map { .text($0) } ?? .missing
  }

  /// Remembers what a page loads.
  mutating func show(_ address: MediaAddress, _ facts: MediaFacts) {
    media[address.url] = facts
    if let host = address.host { hosts.insert(host) }
  }
}
