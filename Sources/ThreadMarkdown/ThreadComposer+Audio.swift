import Templates
import ThreadModel

extension ThreadComposer {
  /// A sound: its words linked to it, with its picture where it has one.
  mutating func audio(
    _ medium: Media, _ address: MediaAddress, poster: MediaAddress?, of post: Post
  ) throws(ThreadMarkdownError) {
    var facts = MediaFacts(kind: .audio)
    facts.contentType = Media.soundType(address)
    facts.poster = poster?.url
    facts.durationMilliseconds = medium.durationMilliseconds
    if let poster { show(poster, medium.facts(.image)) }
    if media[address.url]?.kind != .audio { sounds.append(address.url) }
    show(address, facts)
    var values = TemplateObject()
    values["url"] = MarkdownPieces.destination(address.url)
    values["alt"] = .text(medium.describedAs ?? "")
    values["label"] = .text(medium.label(in: wording))
    values["lang"] = languageOfWords(on: medium, of: post)
    values["name"] = .text(medium.name(in: wording))
    if let poster { values["poster"] = MarkdownPieces.destination(poster.url) }
    try append(.audio, values)
  }
}
