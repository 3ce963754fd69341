import Basics
import TestSupport
import ThreadModel

/// Invented conversations for the store.
enum SampleConversations {
  static let ada = AuthorID("11", on: .x)
  static let time = Timestamp(milliseconds: 1_609_958_440_000)

  /// A conversation with a value in every field of the model.
  static func full() -> Conversation {
    var conversation = Conversation(id: PostID("1001", on: .x), authorID: ada)
    conversation.posts = [fullPost(), Post(id: PostID("1002", on: .x), authorID: ada, text: InlineText(""))]
    var quoted = Post(id: PostID("3k43", on: .bluesky), authorID: AuthorID("did:plc:a", on: .bluesky))
    quoted.text = InlineText(
      "blobcat :blobcat: $ACME",
      entities: [
        TextEntity(8..<17, .emoji(shortcode: "blobcat", url: "https://social.example/blobcat.png")),
        TextEntity(18..<23, .cashtag(symbol: "ACME", url: nil)),
      ])
    quoted.emoji = [
      CustomEmoji(
        shortcode: "blobcat", url: "https://social.example/blobcat.png", file: "0f0f.png"),
      CustomEmoji(shortcode: "sad", url: "https://social.example/sad.png"),
    ]
    conversation.related = [quoted]
    conversation.authors = [fullAuthor()]
    var tombstone = Tombstone(
      id: PostID("900", on: .x), reason: .suspended, detail: "User has been suspended")
    tombstone.authorID = AuthorID("12", on: .x)
    tombstone.handle = "gone"
    tombstone.observedAt = time
    tombstone.removedAt = Timestamp(milliseconds: time.milliseconds + 1000)
    conversation.tombstones = [tombstone]
    conversation.provenance = [Provenance(source: .xAPI, fetchedAt: time), Provenance(source: "x-archive")]
    conversation.coverage = Coverage(
      expectedPosts: 3,
      limits: [
        CoverageLimit(.recentSearch), CoverageLimit(.timelineUntil, day: "2021-01-07"),
        CoverageLimit("nobody knows"),
      ])
    conversation.coverage.foundBy = .recentSearch
    conversation.coverage.checkedAt = time
    return conversation
  }

  static func fullAuthor() -> Author {
    var author = Author(id: ada, handle: "Ada", name: "Ada \"the\" Example 🦊")
    author.url = "https://x.com/Ada"
    author.avatarURL = "https://pbs.example/a.jpg"
    author.avatarFile = "avatar.jpg"
    author.bio = InlineText("I know @bob", entities: [TextEntity(7..<11, .mention(handle: "bob", url: nil))])
    author.location = "Nowhere"
    author.website = "https://ada.example/"
    author.joinedAt = time
    author.isProtected = false
    author.isVerified = true
    author.followers = 3
    author.following = 0
    author.posts = 12
    author.observedAt = time
    author.archive = ArchiveObservation(date: time)
    author.extra = ["profile_banner_url": "https://pbs.example/b.jpg"]
    return author
  }

  static func fullPost() -> Post {
    var post = Post(id: PostID("1001", on: .x), authorID: ada)
    post.conversationID = PostID("1001", on: .x)
    post.createdAt = Timestamp(milliseconds: time.milliseconds + 7)
    post.text = InlineText(
      "#tag 日本 example.org/a\n",
      entities: [
        TextEntity(0..<4, .hashtag(tag: "tag", url: "https://x.com/hashtag/tag")),
        TextEntity(8..<21, .link(url: "https://example.org/a", short: "https://t.co/a")),
      ])
    post.title = "A title"
    post.language = "ja"
    post.url = "https://x.com/Ada/status/1001"
    post.inReplyTo = PostID("900", on: .x)
    post.inReplyToAuthor = AuthorID("12", on: .x)
    post.quotes = PostID("3k43", on: .bluesky)
    var video = Media(id: "7_1", kind: .gif, url: "https://video.example/1.mp4")
    video.posterURL = "https://pbs.example/1.jpg"
    video.altText = "a loop"
    video.width = 640
    video.height = 480
    video.durationMilliseconds = 1500
    video.variants = [
      MediaVariant(url: "https://video.example/1.mp4", contentType: "video/mp4", bitrate: 0),
      MediaVariant(url: "https://video.example/1.m3u8"),
    ]
    video.captions = [
      MediaCaptions(language: "en", url: "https://video.example/en.vtt", file: "sha.vtt"),
      MediaCaptions(language: "de", url: "https://video.example/de.vtt"),
    ]
    video.file = "sha.mp4"
    video.sizes = [MediaSize(file: "small.jpg", width: 340, height: 240)]
    video.isFileFromArchive = true
    video.posterFile = "sha.jpg"
    video.extra = ["public_metrics": ["view_count": 5]]
    post.removal = Removal(reason: .protected, observedAt: time)
    post.media = [video, Media(id: "3_2", kind: "hologram")]
    var poll = Poll(options: [PollOption("Yes", votes: 2), PollOption("Yes")], status: .closed, endsAt: time)
    poll.id = "p1"
    poll.voters = 2
    poll.allowsMultiple = true
    poll.extra = ["duration_minutes": 60]
    post.poll = poll
    var card = LinkCard(
      url: "https://example.org/a", title: "A", summary: "B", imageURL: "https://pbs.example/c.jpg")
    card.imageWidth = 10
    card.imageHeight = 20
    card.imageFile = "sha2.jpg"
    post.card = card
    post.metrics = Metrics(likes: 1, replies: 2, reposts: 3, quotes: 4, bookmarks: 5, views: 6)
    post.isSensitive = true
    post.contentWarning = "spiders"
    post.warnings = [.moderation, "somebody-elses-word"]
    post.editedAt = time
    post.earlierVersions = [PostID("1000", on: .x)]
    post.withheld = Withholding(
      countries: ["DE"], isWorldwide: true, isForCopyright: true, notice: "Withheld.")
    post.observedAt = time
    post.archive = ArchiveObservation(date: time, isOnlySource: false)
    post.extra = ["reply_settings": "everyone", "odd": .number("1.50"), "n": nil]
    return post
  }

  static func small(id: String, author: String, handle: String?, text: String = "hello") -> Conversation {
    let authorID = AuthorID(author, on: .x)
    var conversation = Conversation(id: PostID(id, on: .x), authorID: authorID)
    conversation.posts = [Post(id: PostID(id, on: .x), authorID: authorID, text: InlineText(text))]
    conversation.authors = [Author(id: authorID, handle: handle)]
    return conversation
  }
}
