import Templates
import ThreadModel
import Wording

extension ThreadComposer {
  /// A video, or a GIF, which is a video that loops: its still picture linked to it, or its description.
  mutating func video(
    _ medium: Media, _ address: MediaAddress, poster: MediaAddress?, of post: Post
  ) throws(ThreadMarkdownError) {
    var facts = medium.facts(.video)
    facts.poster = poster?.url
    facts.contentType = medium.videoType
    facts.captions = medium.captions.compactMap(captions)
    facts.isLooping = medium.kind == .gif
    if let poster { show(poster, medium.facts(.image)) }
    show(address, facts)
    var values = TemplateObject()
    values["url"] = MarkdownPieces.destination(address.url)
    values["alt"] = .text(medium.describedAs ?? "")
    values["label"] = .text(medium.label(in: wording))
    values["lang"] = languageOfWords(on: medium, of: post)
    if let poster { values["poster"] = MarkdownPieces.destination(poster.url) }
    try append(.video, values)
  }

  /// The store's copy alone: browsers take captions of other servers only where these allow it.
  private func captions(_ captions: MediaCaptions) -> MediaFacts.Captions? {
    guard let language = LanguageTag.valid(captions.language), let file = captions.file,
      let address = MediaAddress(stored: file, locate: options.mediaURL)
    else { return nil }
    return MediaFacts.Captions(
      url: address.url, language: language, label: LanguageTag.ownName(of: language))
  }

  /// What stands for a film that this site has no copy of: its still picture and a link, both to where it plays.
  mutating func still(
    of medium: Media, _ address: MediaAddress, page: String, in post: Post
  ) throws(ThreadMarkdownError) {
    show(address, medium.facts(.image))
    var pictures = [picture(address, alt: medium.label(in: wording), full: page)]
    try images(&pictures, of: post)
    let words = wording.text(
      medium.kind == .gif ? .watchGif : .watchVideo, ["network": post.id.platform.displayName])
    try append(.attachment, ["link": MarkdownPieces.link(words, safe: page)])
  }
}
