import Basics
import TestSupport
import Testing
import ThreadModel

@Suite("Merging observations of one post, author or tombstone")
struct PostMergingTests {
  /// A post with a value in every field, which contains `word`.
  private func full(_ word: String, at seconds: Int64?) -> Post {
    var post = Post(
      id: PostID("1", on: .x), authorID: AuthorID("7", on: .x), text: InlineText("text \(word)"))
    post.conversationID = PostID("c\(word)", on: .x)
    post.createdAt = Timestamp(seconds: 5)
    post.title = "title \(word)"
    post.language = word
    post.url = "https://x.com/\(word)"
    post.inReplyTo = PostID("r\(word)", on: .x)
    post.inReplyToAuthor = AuthorID("ra\(word)", on: .x)
    post.quotes = PostID("q\(word)", on: .x)
    var media = Media(id: "m", kind: .photo, url: word)
    media.altText = "alt \(word)"
    media.width = 3
    media.height = 4
    media.file = "\(word).jpg"
    post.media = [media]
    var poll = Poll(options: [PollOption("yes", votes: 1), PollOption("no", votes: 2)], status: .open)
    poll.endsAt = Timestamp(seconds: 9)
    poll.voters = 3
    post.poll = poll
    var card = LinkCard(url: "https://a.example", title: word, summary: word, imageURL: "https://a.example/i")
    card.imageWidth = 5
    card.imageHeight = 6
    card.imageFile = "i.png"
    post.card = card
    post.metrics = Metrics(likes: 1, replies: 2, reposts: 3, quotes: 4, bookmarks: 5, views: 6)
    post.isSensitive = true
    post.contentWarning = "warning \(word)"
    post.warnings = [PostWarning(rawValue: word)]
    post.editedAt = Timestamp(seconds: 6)
    post.earlierVersions = [PostID("0", on: .x)]
    post.withheld = Withholding(countries: ["DE"], isForCopyright: true)
    post.observedAt = seconds.map { Timestamp(seconds: $0) }
    post.extra = ["known": .string(word)]
    return post
  }

  private var bare: Post { Post(id: PostID("1", on: .x), authorID: AuthorID("7", on: .x)) }

  @Test func postMergedWithItselfIsTheSame() {
    #expect(full("a", at: 1).merged(with: full("a", at: 1)) == full("a", at: 1))
    #expect(bare.merged(with: bare) == bare)
  }

  @Test func emptyObservationRemovesNothing() {
    #expect(full("a", at: 1).merged(with: bare) == full("a", at: 1))
    #expect(bare.merged(with: full("a", at: 1)) == full("a", at: 1))
    var later = bare
    later.observedAt = Timestamp(seconds: 2)
    var expected = full("a", at: 2)
    expected.observedAt = Timestamp(seconds: 2)
    var merged = full("a", at: 1).merged(with: later)
    #expect(Set(merged.older.values) == [ObservationTime(time: Timestamp(seconds: 1))])
    #expect(merged.older["title"] != nil && merged.older["card.title"] != nil)
    merged.older = [:]
    #expect(merged == expected)
  }

  @Test func laterObservationWinsInEitherOrder() {
    let (old, new) = (full("old", at: 1), full("new", at: 2))
    #expect(old.merged(with: new) == new)
    #expect(new.merged(with: old) == new)
  }

  @Test func lastTextInTheSortOrderWinsWithoutTimes() {
    for time in [nil, 3] as [Int64?] {
      #expect(full("one", at: time).merged(with: full("two", at: time)) == full("two", at: time))
      #expect(full("two", at: time).merged(with: full("one", at: time)) == full("two", at: time))
    }
  }

  @Test func groupingDoesNotMatterInTheOrderOfTime() {
    var generator = SeededRandom()
    for _ in 0..<200 {
      let posts = ["a", "b", "c"].enumerated().map { index, word in
        thinned(full(word, at: Int64(index)), using: &generator)
      }
      let left = posts[0].merged(with: posts[1]).merged(with: posts[2])
      let right = posts[0].merged(with: posts[1].merged(with: posts[2]))
      #expect(left == right)
    }
  }

  @Test func losesNoFieldOfEitherPost() {
    var generator = SeededRandom()
    for _ in 0..<200 {
      let one = thinned(full("a", at: Bool.random(using: &generator) ? 1 : nil), using: &generator)
      let other = thinned(full("b", at: Bool.random(using: &generator) ? 0 : nil), using: &generator)
      let merged = one.merged(with: other)
      let known = filledFields(one).union(filledFields(other))
      #expect(known.subtracting(filledFields(merged)).isEmpty)
    }
  }

  /// The paths of all values that are neither nil nor empty.
  private func filledFields(_ value: Any, at path: String = "") -> Set<String> {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      return mirror.children.first.map { filledFields($0.value, at: path) } ?? []
    }
    if value is String || value is Int || value is Int64 { return [path] }
    if mirror.displayStyle == .collection || mirror.displayStyle == .dictionary {
      guard mirror.displayStyle == .collection, !(value is [PostID]), !(value is [String]) else {
        return mirror.children.isEmpty ? [] : [path]
      }
      return Set(
        mirror.children.enumerated().flatMap { filledFields($0.element.value, at: "\(path)[\($0.offset)]") })
    }
    return Set(mirror.children.flatMap { filledFields($0.value, at: "\(path).\($0.label ?? "")") })
  }

  /// The post from a source with fewer fields.
  private func thinned(_ post: Post, using generator: inout SeededRandom) -> Post {
    var post = post
    func chance() -> Bool { Bool.random(using: &generator) }
    if chance() { post.conversationID = nil }
    if chance() { post.title = nil }
    if chance() { post.language = nil }
    if chance() { post.inReplyTo = nil }
    if chance() { post.quotes = nil }
    if chance() { post.media = [] }
    for index in post.media.indices {
      if chance() { post.media[index].altText = nil }
      if chance() { post.media[index].file = nil }
      if chance() { post.media[index].width = nil }
    }
    if chance() { post.poll = nil }
    if chance() { post.poll?.options[0].votes = nil }
    if chance() { post.poll?.endsAt = nil }
    if chance() { post.poll?.status = .unknown }
    if chance() { post.card = nil }
    if chance() { post.card?.title = nil }
    if chance() { post.card?.imageWidth = nil }
    if chance() { post.card?.imageFile = nil }
    if chance() { post.metrics.likes = nil }
    if chance() { post.contentWarning = nil }
    if chance() { post.warnings = [] }
    if chance() { post.earlierVersions = [] }
    if chance() { post.withheld = nil }
    if chance() { post.extra = [:] }
    return post
  }

  @Test func postThatWasSeenAgainIsNotDeleted() {
    var gone = Post(id: PostID("1", on: .x), authorID: AuthorID("7", on: .x))
    gone.removal = Removal(reason: .deleted, observedAt: Timestamp(seconds: 50))
    gone.observedAt = Timestamp(seconds: 10)
    var seen = Post(id: gone.id, authorID: gone.authorID)
    seen.observedAt = Timestamp(seconds: 20)
    #expect(gone.merged(with: seen).removal == gone.removal)
    #expect(seen.merged(with: gone).removal == gone.removal)
    seen.observedAt = Timestamp(seconds: 60)
    #expect(gone.merged(with: seen).removal == nil)
    #expect(seen.merged(with: gone).removal == nil)
  }

  /// A copy stays as long as its URL, and is not used for another URL.
  @Test func copiesOfEmojiAndCaptionsFollowTheirURLs() {
    func post(_ address: String, file: String?, at seconds: Int64) -> Post {
      var post = Post(id: PostID("1", on: .x), authorID: AuthorID("7", on: .x))
      post.emoji = [CustomEmoji(shortcode: "cat", url: address, file: file)]
      var film = Media(id: "m", kind: .video)
      film.captions = [MediaCaptions(language: "en", url: address, file: file)]
      post.media = [film]
      post.observedAt = Timestamp(seconds: seconds)
      return post
    }
    func files(_ post: Post) -> [String?] { [post.emoji[0].file, post.media[0].captions[0].file] }
    let copied = post("a", file: "1.png", at: 1)
    for (one, other) in [
      (copied, post("a", file: nil, at: 2)), (post("a", file: nil, at: 0), copied),
    ] {
      #expect(files(one.merged(with: other)) == ["1.png", "1.png"])
      #expect(files(other.merged(with: one)) == ["1.png", "1.png"])
    }
    let moved = post("b", file: nil, at: 2)
    for merged in [copied.merged(with: moved), moved.merged(with: copied)] {
      #expect(merged.emoji == moved.emoji && merged.media[0].captions == moved.media[0].captions)
    }
  }
}
