import Basics
import TestSupport
import ThreadModel

/// A conversation in which a payload fills every text that a network controls.
enum HostileConversation {
  static func make(number: Int, payload: String) -> Conversation {
    let id = PostID("\(10_000 + number)", on: .x)
    let author = author(AuthorID(idText("a\(number)", payload), on: .x), payload)
    let other = self.author(AuthorID(idText("b\(number)", payload), on: .x), payload)
    var conversation = Conversation(id: id, authorID: author.id)
    conversation.authors = [author, other]
    conversation.coverage = Coverage(
      expectedPosts: 40, limits: [CoverageLimit(CoverageLimit.Kind(rawValue: payload))])
    conversation.provenance = [Provenance(source: SourceKind(rawValue: payload.isEmpty ? "x" : payload))]

    var first = post(id, by: author.id, payload, number: number)
    first.quotes = PostID(idText("q\(number)", payload), on: .x)
    first.poll = poll(payload)
    var second = post(PostID("\(20_000 + number)", on: .x), by: author.id, payload, number: number)
    second.inReplyTo = id
    second.quotes = PostID(idText("gone\(number)", payload), on: .x)
    second.card = card(payload)
    second.media = media(
      payload, kinds: [.photo, .photo, .video, .gif, MediaKind(rawValue: payload.isEmpty ? "x" : payload)])
    // Its parent is missing: a gap with the network's reason.
    var third = post(PostID("\(40_000 + number)", on: .x), by: author.id, payload, number: number)
    third.inReplyTo = PostID("\(30_000 + number)", on: .x)
    third.isSensitive = true
    third.media = media(payload, kinds: [.photo])
    var branch = post(PostID("\(50_000 + number)", on: .x), by: author.id, payload, number: number)
    branch.inReplyTo = id
    var answer = post(PostID("\(60_000 + number)", on: .x), by: other.id, payload, number: number)
    answer.inReplyTo = id
    var reply = post(PostID("\(70_000 + number)", on: .x), by: author.id, payload, number: number)
    reply.inReplyTo = answer.id
    conversation.posts = [first, second, third, branch, answer, reply]

    var quoted = post(PostID(idText("q\(number)", payload), on: .x), by: other.id, payload, number: number)
    quoted.poll = poll(payload)
    quoted.card = card(payload)
    quoted.media = media(payload, kinds: [.photo, .video])
    conversation.related = [quoted]
    conversation.tombstones = [
      tombstone(PostID("\(30_000 + number)", on: .x), payload),
      tombstone(PostID(idText("gone\(number)", payload), on: .x), payload),
    ]
    return conversation
  }

  /// The profile of the first author, with the content of their page and some followers.
  static func profile(number: Int, payload: String) -> Profile {
    var profile = Profile(author: author(AuthorID(idText("a\(number)", payload), on: .x), payload))
    profile.followers = (0..<3).map { author(AuthorID(idText("f\($0)\(number)", payload), on: .x), payload) }
    profile.observedAt = Timestamp(seconds: 1_700_000_000)
    return profile
  }

  /// An ID with the part of the payload that an ID may contain: the store rejects slashes and control
  /// characters.
  private static func idText(_ start: String, _ payload: String) -> String {
    String(
      String.UnicodeScalarView(
        (start + payload).unicodeScalars.filter { $0 != "/" && $0.properties.generalCategory != .control }))
  }

  private static func author(_ id: AuthorID, _ payload: String) -> Author {
    var author = Author(id: id, handle: payload, name: payload)
    author.url = payload
    author.avatarURL = payload
    author.avatarFile = "../\(payload)"
    author.bio = text(payload)
    author.location = payload
    author.website = payload
    author.followers = .max
    author.following = -1
    author.extra = [payload.isEmpty ? "x" : payload: .string(payload)]
    return author
  }

  /// The payload as text, then as every kind of text entity.
  private static func text(_ payload: String) -> InlineText {
    let kinds: [TextEntity.Kind] = [
      .link(url: payload, short: payload), .mention(handle: payload, url: payload),
      .hashtag(tag: payload, url: payload),
      .cashtag(symbol: payload, url: payload), .emoji(shortcode: payload, url: payload),
    ]
    var text = payload + "\n\n" + payload + " "
    var entities: [TextEntity] = []
    for kind in kinds {
      let start = text.unicodeScalars.count
      text += payload
      entities.append(TextEntity(start..<text.unicodeScalars.count, kind))
      text += " | "
    }
    return InlineText(text, entities: entities)
  }

  private static func post(_ id: PostID, by author: AuthorID, _ payload: String, number: Int) -> Post {
    var post = Post(id: id, authorID: author, text: text(payload))
    post.conversationID = PostID(idText("c", payload), on: .x)
    post.createdAt = Timestamp(seconds: 1_600_000_000 + Int64(number) * 3600)
    post.title = payload
    post.language = payload
    post.url = payload
    post.contentWarning = number % 2 == 0 ? payload : nil
    post.withheld = Withholding(countries: [payload], notice: payload)
    post.earlierVersions = [PostID(idText("v", payload), on: .x)]
    post.metrics = Metrics(likes: .max, replies: -1, reposts: .min)
    if number % 3 == 0 {
      post.removal = Removal(reason: TombstoneReason(rawValue: payload.isEmpty ? "deleted" : payload))
    }
    post.extra = [payload.isEmpty ? "x" : payload: .string(payload)]
    return post
  }

  private static func poll(_ payload: String) -> Poll {
    var poll = Poll(
      options: [
        PollOption(payload, votes: 1), PollOption(payload, votes: -1), PollOption(payload, votes: .max),
      ],
      status: PollStatus(rawValue: payload.isEmpty ? "open" : payload))
    poll.id = payload.isEmpty ? nil : payload
    poll.voters = -5
    return poll
  }

  private static func card(_ payload: String) -> LinkCard {
    var card = LinkCard(url: payload, title: payload, summary: payload, imageURL: payload)
    card.imageFile = "../" + payload
    card.imageWidth = -1
    card.imageHeight = .max
    return card
  }

  private static func media(_ payload: String, kinds: [MediaKind]) -> [Media] {
    kinds.enumerated().map { number, kind in
      var media = Media(
        id: "\(number)\(payload)", kind: kind, url: number == 0 ? "https://media.example/" + payload : payload
      )
      media.posterURL = payload
      media.posterFile = "../" + payload
      media.altText = payload
      media.width = number == 1 ? 0 : .max
      media.height = -3
      media.durationMilliseconds = .min
      media.variants = [
        MediaVariant(url: payload, contentType: payload),
        MediaVariant(url: payload, contentType: "video/mp4"),
      ]
      return media
    }
  }

  private static func tombstone(_ id: PostID, _ payload: String) -> Tombstone {
    var tombstone = Tombstone(
      id: id, reason: TombstoneReason(rawValue: payload.isEmpty ? "unknown" : payload), detail: payload)
    tombstone.handle = payload
    tombstone.authorID = AuthorID(idText("t", payload), on: .x)
    return tombstone
  }
}
