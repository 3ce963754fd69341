import Basics
import TestSupport
import Testing
import ThreadModel

/// Merging is associative, commutative and idempotent: the same facts give the same value in any order and
/// grouping.
@Suite("Merging is independent of the order") struct MergingLawsTests {
  /// A random generator with a seed, so that runs can be repeated.
  private struct Dice: RandomNumberGenerator {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func next() -> UInt64 { random.next() }

    mutating func maybe<Value>(_ value: Value) -> Value? {
      Bool.random(using: &self) ? value : nil
    }
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
    /// One of a few times, so that times are often equal and often unknown.
    mutating func time() -> Timestamp? {
      let seconds: [Int64?] = [nil, 1, 1, 2, 3]
      return seconds[below(seconds.count)].map { Timestamp(seconds: $0) }
    }
    mutating func word() -> String { ["a", "b", "ç", "…x", "y…"].randomElement(using: &self) ?? "" }
    mutating func extra() -> JSONObject {
      var result: JSONObject = [:]
      for key in ["k", "l"] { result[key] = maybe(.string(word())) }
      return result
    }
    mutating func text() -> InlineText {
      let word = word()
      guard Bool.random(using: &self) else { return InlineText(word) }
      return InlineText(word, entities: [TextEntity(0..<1, .hashtag(tag: word, url: maybe("u")))])
    }
  }

  private static func observation(_ dice: inout Dice) -> (ArchiveObservation?, Timestamp?) {
    dice.below(4) == 0 ? (ArchiveObservation(date: dice.time()), nil) : (nil, dice.time())
  }

  private static func media(_ id: String, _ dice: inout Dice) -> Media {
    var media = Media(id: id, kind: ["photo", "video", "unknown"].randomElement(using: &dice) ?? .photo)
    media.url = dice.maybe(dice.word())
    media.altText = dice.maybe(dice.word())
    (media.width, media.height) = (dice.maybe(3), dice.maybe(4))
    media.variants = dice.maybe([MediaVariant(url: dice.word(), bitrate: dice.below(2))]) ?? []
    media.captions = dice.maybe([MediaCaptions(language: dice.word(), url: dice.word())]) ?? []
    media.extra = dice.extra()
    return media
  }

  private static func emoji(_ dice: inout Dice) -> [CustomEmoji] {
    ["a", "b"].compactMap { code in dice.maybe(CustomEmoji(shortcode: code, url: dice.word())) }
  }

  private static func post(_ dice: inout Dice, id: Int = 1) -> Post {
    var post = Post.Facts(id: PostID("\(id)", on: .x), authorID: AuthorID("7", on: .x))
    (post.archive, post.observedAt) = observation(&dice)
    post.text = dice.maybe(dice.text()) ?? InlineText("")
    if !post.text.isEmpty { post.editedAt = dice.time() }
    post.createdAt = dice.time()
    post.emoji = emoji(&dice)
    post.title = dice.maybe(dice.word())
    post.language = dice.maybe(dice.word())
    post.url = dice.maybe(dice.word())
    post.conversationID = dice.maybe(PostID(dice.word(), on: .x))
    post.quotes = dice.maybe(PostID(dice.word(), on: .x))
    for id in ["m", "n", "o"].shuffled(using: &dice) where Bool.random(using: &dice) {
      post.media.append(media(id, &dice))
    }
    if Bool.random(using: &dice) {
      var poll = Poll(
        options: [PollOption("yes", votes: dice.maybe(dice.below(3)))], status: dice.maybe(.open) ?? .unknown)
      if Bool.random(using: &dice) { poll.options.append(PollOption(dice.word(), votes: dice.maybe(1))) }
      poll.voters = dice.maybe(dice.below(3))
      poll.extra = dice.extra()
      post.poll = poll
    }
    if Bool.random(using: &dice) {
      var card = LinkCard(url: ["u", "v"].randomElement(using: &dice) ?? "u")
      card.title = dice.maybe(dice.word())
      card.summary = dice.maybe(dice.word())
      if let image = dice.maybe(dice.below(2)) {
        card.imageURL = "i\(image)"
        (card.imageWidth, card.imageHeight) = (image, image)
      }
      post.card = card
    }
    post.metrics = Metrics(likes: dice.maybe(dice.below(4)), replies: dice.maybe(dice.below(4)))
    post.isSensitive = dice.below(3) == 0
    post.earlierVersions = dice.maybe([PostID("\(dice.below(3))", on: .x)]) ?? []
    if Bool.random(using: &dice) {
      post.withheld = Withholding(
        countries: dice.maybe([dice.word()]) ?? [], isForCopyright: dice.below(3) == 0,
        notice: dice.maybe(dice.word()))
    }
    if let time = post.observedAt, dice.below(4) == 0 {
      post.removal = Removal(reason: dice.maybe(.deleted) ?? .protected, observedAt: time)
    }
    post.extra = dice.extra()
    return Post(post)
  }

  private static func author(_ dice: inout Dice, id: Int = 7) -> Author {
    var author = Author(
      id: AuthorID("\(id)", on: .x), handle: dice.maybe(dice.word()), name: dice.maybe(dice.word()))
    (author.archive, author.observedAt) = observation(&dice)
    author.bio = dice.maybe(dice.text())
    author.followers = dice.maybe(dice.below(3))
    author.isVerified = dice.maybe(Bool.random(using: &dice))
    author.extra = dice.extra()
    return author
  }

  private static func tombstone(_ dice: inout Dice, id: Int = 3) -> Tombstone {
    var stone = Tombstone(
      id: PostID("\(id)", on: .x),
      reason: [.unknown, .notInArchive, .deleted, .suspended].randomElement(using: &dice) ?? .unknown)
    stone.authorID = dice.maybe(AuthorID("\(dice.below(2))", on: .x))
    stone.handle = dice.maybe(dice.word())
    stone.detail = dice.maybe(dice.word())
    stone.observedAt = dice.time()
    return stone
  }

  private static func conversation(_ dice: inout Dice) -> Conversation {
    var result = Conversation(id: PostID("1", on: .x), authorID: AuthorID("7", on: .x))
    for id in 1...4 where Bool.random(using: &dice) { result.posts.append(post(&dice, id: id)) }
    for id in 3...6 where Bool.random(using: &dice) { result.related.append(post(&dice, id: id)) }
    for id in 7...8 where Bool.random(using: &dice) { result.authors.append(author(&dice, id: id)) }
    for id in 2...6 where Bool.random(using: &dice) { result.tombstones.append(tombstone(&dice, id: id)) }
    result.provenance = [Provenance(source: .xAPI, fetchedAt: dice.time())]
    result.coverage = Coverage(
      expectedPosts: dice.maybe(dice.below(3)), limits: dice.maybe([CoverageLimit(.recentSearch)]) ?? [])
    result.coverage.foundBy = dice.maybe(.timeline)
    result.coverage.checkedAt = dice.time()
    return result
  }

  /// The content of a value, byte for byte: equal strings may differ in their bytes.
  private static func bytes(_ value: Any) -> String {
    if let post = value as? Post { return bytes(post.facts) }
    if let text = value as? String { return text.unicodeScalars.map { "\($0.value)," }.joined() }
    let mirror = Mirror(reflecting: value)
    if mirror.children.isEmpty { return "\(value)" }
    var parts = mirror.children.map { "\($0.label ?? ""):\(bytes($0.value))" }
    if mirror.displayStyle == .dictionary { parts.sort() }
    return "(" + parts.joined(separator: ";") + ")"
  }

  private static func check<Value>(
    _ what: String, rounds: Int, _ make: (inout Dice) -> Value, _ merge: (Value, Value) -> Value
  ) {
    let seed = SeededRandom.seedOfRun
    var dice = Dice(seed: seed)
    for round in 0..<TestDepth.cases(fast: max(rounds / 6, 1), deep: rounds * 4) {
      let (a, b, c) = (make(&dice), make(&dice), make(&dice))
      let ab = merge(a, b)
      #expect(bytes(ab) == bytes(merge(b, a)), "\(what) \(seed)/\(round): commutative")
      #expect(bytes(merge(ab, c)) == bytes(merge(a, merge(b, c))), "\(what) \(seed)/\(round): associative")
      #expect(bytes(merge(ab, a)) == bytes(ab), "\(what) \(seed)/\(round): absorbing")
      #expect(bytes(merge(ab, ab)) == bytes(ab), "\(what) \(seed)/\(round): idempotent")
    }
  }

  @Test func posts() { Self.check("posts", rounds: 400, { Self.post(&$0) }) { $0.merged(with: $1) } }

  @Test func authors() { Self.check("authors", rounds: 400, { Self.author(&$0) }) { $0.merged(with: $1) } }

  @Test func tombstones() {
    Self.check("tombstones", rounds: 400, { Self.tombstone(&$0) }) { $0.merged(with: $1) }
  }

  @Test func conversations() {
    Self.check("conversations", rounds: 150, { Self.conversation(&$0) }) { $0.merged(with: $1) }
  }

  /// Equal for Swift, but with different bytes.
  @Test func textsThatLookTheSameHaveAnOrder() {
    func post(_ title: String) -> Post {
      var post = Post(id: PostID("1", on: .x), authorID: AuthorID("7", on: .x))
      post.title = title
      return post
    }
    let (one, other) = (post("ç"), post("c\u{327}"))
    #expect(Self.bytes(one.merged(with: other)) == Self.bytes(other.merged(with: one)))
  }

  @Test func fieldOfAnEarlierObservationKeepsItsTime() {
    func post(_ seconds: Int64, title: String?) -> Post {
      var post = Post(id: PostID("1", on: .x), authorID: AuthorID("7", on: .x))
      post.observedAt = Timestamp(seconds: seconds)
      post.title = title
      return post
    }
    let merged = post(1, title: "first").merged(with: post(3, title: nil))
    #expect(merged.older["title"] == ObservationTime(time: Timestamp(seconds: 1)))
    #expect(merged.merged(with: post(2, title: "second")).title == "second")
  }
}
