import Templates
import ThreadModel

extension ThreadComposer {
  /// A video, or a GIF, which is a video that loops: its still picture linked to it, or its description.
  mutating func video(
    _ medium: Media, _ address: MediaAddress, poster: MediaAddress?
  ) throws(ThreadMarkdownError) {
    var facts = medium.facts(.video)
    facts.poster = poster?.url
    facts.contentType = medium.videoType
    facts.isLooping = medium.kind == .gif
    if let poster { show(poster, medium.facts(.image)) }
    show(address, facts)
    var values = TemplateObject()
    values["url"] = MarkdownPieces.destination(address.url)
    values["alt"] = .text(medium.describedAs ?? "")
    values["label"] = .text(medium.label(in: wording))
    if let poster { values["poster"] = MarkdownPieces.destination(poster.url) }
    try append(.video, values)
  }

  /// What stands for a film that this site has no copy of: its still picture and a link, both to where it plays.
  mutating func still(
    of medium: Media, _ address: MediaAddress, page: String, platform: Platform
  ) throws(ThreadMarkdownError) {
    show(address, medium.facts(.image))
    var pictures = [picture(address, alt: medium.label(in: wording), full: page)]
    try images(&pictures)
    let words = "Watch the \(medium.kind == .gif ? "GIF" : "video") on \(platform.displayName)"
    try append(.attachment, ["link": MarkdownPieces.link(words, safe: page)])
  }
}
