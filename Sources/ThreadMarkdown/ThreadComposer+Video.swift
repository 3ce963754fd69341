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
    values["label"] = .text(medium.label)
    if let poster { values["poster"] = MarkdownPieces.destination(poster.url) }
    try append(.video, values)
  }
}
