import TestSupport
import ThreadModel

/// A thread with one string in every place that a network controls.
enum HostileThread {
  static func make(_ payload: String) -> UnrolledThread {
    var other = Author(id: AuthorID(payload, on: .x), handle: payload, name: payload)
    other.url = payload
    other.emoji = emoji(payload)
    other.name = ":x: \(payload) :\(payload):"
    let quote = Quote.post(
      post(payload, id: "quoted"), author: other,
      quote: .tombstone(tombstone(payload, reason: TombstoneReason(rawValue: payload)), author: other))
    let branch = SideBranch(label: "1", items: [.post(ThreadPost(post(payload, id: "branch")))])
    var thread = UnrolledThread(id: PostID(payload, on: Platform(rawValue: payload)), author: other)
    thread.context = .tombstone(tombstone(payload, reason: .deleted), author: nil)
    thread.items = [
      .post(ThreadPost(post(payload, id: payload), quote: quote, branches: [branch])),
      .gap(Gap(tombstone(payload, reason: .unknown))),
    ]
    thread.answers = [Answer(inReplyTo: quote, items: [.post(ThreadPost(post(payload, id: "answer")))])]
    let kind = CoverageLimit.Kind(rawValue: payload)
    thread.completeness = Completeness(
      known: 1, expected: 2,
      reasons: [.limit(CoverageLimit(kind)), .limit(CoverageLimit(kind, day: payload))])
    return thread
  }

  private static func post(_ payload: String, id: String) -> Post {
    let text = "Text \(payload) end"
    let whole = 0..<text.unicodeScalars.count
    var post = Post(id: PostID(id, on: .x), authorID: AuthorID(payload, on: .x))
    // One entity of each kind, side by side over all of the text.
    let kinds: [TextEntity.Kind] = [
      .link(url: payload, short: payload), .mention(handle: payload, url: payload),
      .hashtag(tag: payload, url: payload),
      .cashtag(symbol: payload, url: payload), .emoji(shortcode: payload, url: payload),
    ]
    post.text = InlineText(
      text,
      entities: kinds.enumerated().compactMap { index, kind in
        let start = whole.count * index / kinds.count
        let end = whole.count * (index + 1) / kinds.count
        return start < end ? TextEntity(start..<end, kind) : nil
      })
    post.title = "Title \(payload)"
    post.language = payload
    post.url = payload
    post.contentWarning = "CW :x: \(payload)"
    post.emoji = emoji(payload)
    post.isSensitive = true
    post.withheld = Withholding(countries: [payload], notice: "Notice \(payload)")
    post.media = media(payload)
    post.poll = Poll(
      options: [PollOption(payload, votes: 1), PollOption(payload, votes: 2)], status: .closed)
    var card = LinkCard(url: payload, title: "Card \(payload)", summary: payload, imageURL: payload)
    card.imageFile = payload
    post.card = card
    return post
  }

  /// An invalid code with a valid image, and a valid code with an invalid image.
  private static func emoji(_ payload: String) -> [CustomEmoji] {
    [
      CustomEmoji(shortcode: "x", url: payload, file: payload),
      CustomEmoji(shortcode: payload, url: "https://files.example.com/x.png", file: "x.png"),
    ]
  }

  private static func media(_ payload: String) -> [Media] {
    [MediaKind.photo, .video, .gif, .audio, MediaKind(rawValue: payload)].map { kind in
      var media = Media(id: payload, kind: kind, url: payload)
      media.altText = "Alt \(payload)"
      media.posterURL = payload
      media.variants = [MediaVariant(url: payload, contentType: payload), MediaVariant(url: payload)]
      media.captions = [
        MediaCaptions(language: payload, url: payload, file: "x.vtt"),
        MediaCaptions(language: "en", url: payload, file: payload),
      ]
      media.width = -1
      media.height = Int.max
      media.file = payload
      media.posterFile = payload
      return media
    }
  }

  private static func tombstone(_ payload: String, reason: TombstoneReason) -> Tombstone {
    var tombstone = Tombstone(id: PostID(payload, on: .x), reason: reason, detail: payload)
    tombstone.handle = payload
    return tombstone
  }
}
