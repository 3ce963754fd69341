import Basics

extension Payload {
  /// The text of a post with its entities, and the range that X shows: offsets in Unicode scalars, the end exclusive.
  struct ShownText {
    var rendered: RenderedText
    var start: Int
    var end: Int
  }

  func text(of post: StubPost) -> ShownText {
    if let withheld = post.withheld { return withheldText(of: post, withheld) }
    let rendering = TextRendering(world: world, baseURL: baseURL)
    var result = RenderedText()
    rendering.render(post.note.map { $0.cut(to: 250) } ?? post.text, escaping: true, into: &result)
    let start = leadingMentions(of: post, result)
    if post.note != nil { appendLinkToWhole(post, to: &result) }
    let end = result.length
    if let quoted = post.quotes, let link = post.quoteLink { append(link, to: quoted, &result) }
    if let link = post.mediaLink { appendMedia(of: post, link, to: &result) }
    return ShownText(rendered: result, start: start, end: end)
  }

  /// Returns the offset of a reply's text after the handle that X put before it, in Unicode scalars.
  private func leadingMentions(of post: StubPost, _ rendered: RenderedText) -> Int {
    guard post.isReply, case .mention(let name)? = post.text.pieces.first else { return 0 }
    return min(name.unicodeScalars.count + 2, rendered.length)
  }

  private func append(
    _ link: String, expanded: String, display: String, mediaKey: String? = nil,
    to result: inout RenderedText, repeatingLast: Bool = false
  ) {
    var entity: [String: JSONValue]
    if repeatingLast, let last = result.urls.last?.object {
      entity = last
    } else {
      if result.length > 0 { result.text += " " }
      entity = result.append(link)
    }
    entity["url"] = .string(link)
    entity["expanded_url"] = .string(expanded)
    entity["display_url"] = .string(display)
    if let mediaKey { entity["media_key"] = .string(mediaKey) }
    result.urls.append(.object(entity))
  }

  private func appendLinkToWhole(_ post: StubPost, to result: inout RenderedText) {
    let expanded = "https://x.com/i/web/status/\(post.id)"
    let link = "https://t.co/" + String(String(post.id.value, radix: 36).suffix(10))
    append(link, expanded: expanded, display: "x.com/i/web/status/1…", to: &result)
  }

  private func append(_ link: String, to quoted: StubID, _ result: inout RenderedText) {
    let expanded = world.url(of: quoted)
    append(link, expanded: expanded, display: StubLink.display(of: expanded), to: &result)
  }

  /// Appends the link that all media of a post share, with an entity for each medium.
  private func appendMedia(of post: StubPost, _ link: String, to result: inout RenderedText) {
    for (index, media) in post.media.enumerated() {
      let kind = media.kind == .photo ? "photo" : "video"
      append(
        link, expanded: "\(world.url(of: post.id))/\(kind)/1",
        display: "pic.x.com/" + String(link.suffix(10)), mediaKey: media.key, to: &result,
        repeatingLast: index > 0)
    }
  }

  /// Returns the replacement of a withheld text. Its link covers words instead of a URL.
  private func withheldText(of post: StubPost, _ withheld: StubWithheld) -> ShownText {
    let name = world.users[post.author]?.username ?? "x"
    let what = withheld.wholeUser ? "account" : "Post"
    var result = RenderedText()
    result.text =
      "@\(name)'s \(what) has been withheld in \(withheld.countries.joined(separator: ", ")) in response to a legal demand. "
    let words = "Learn more."
    var entity = result.append(words)
    entity["url"] = "https://t.co/withheld01"
    entity["expanded_url"] = "https://help.x.com/rules-and-policies/post-withheld-by-country"
    entity["display_url"] = .string(words)
    result.urls.append(.object(entity))
    return ShownText(rendered: result, start: 0, end: result.length)
  }
}
