import ThreadModel

/// A generator whose numbers follow from its seed (SplitMix64), so that a failing case can be run again.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

extension Conversation {
  /// A conversation with everything that goes wrong: forks, gaps, answers, others' conversations, circles, edits,
  /// quotes of all kinds, posts beside the conversation, contradicting duplicates.
  static func random(using generator: inout SeededGenerator) -> Conversation {
    let size = Int.random(in: 0...30, using: &generator)
    let isSound = generator.chance(40)
    var conversation = Conversation(id: .sketch(1), authorID: .sketch("a"))
    var all: [Post] = []
    for number in 0..<size {
      all.append(.random(number, of: size, after: all, isSound: isSound, using: &generator))
    }
    for post in all {
      if generator.chance(15) {
        if generator.chance(50) {
          var tombstone = Tombstone(id: post.id, reason: generator.chance(50) ? .deleted : .unknown)
          if generator.chance(50) { tombstone.authorID = post.authorID }
          conversation.tombstones.append(tombstone)
        }
        continue
      }
      if generator.chance(10) { conversation.related.append(post) } else { conversation.posts.append(post) }
      guard generator.chance(15) else { continue }
      var again = post
      again.observedAt = generator.chance(50) ? Timestamp(seconds: 9) : nil
      if generator.chance(30) { again.text = InlineText("another text") }
      if !isSound, generator.chance(30) {
        again.inReplyTo = .sketch(Int.random(in: 0...size, using: &generator))
      }
      conversation.posts.append(again)
    }
    for letter in "abc" where generator.chance(70) {
      conversation.authors.append(Author(id: .sketch(letter), handle: "\(letter)\(letter)"))
    }
    return conversation
  }

  /// The same facts in another order, some of them repeated.
  func shuffled(using generator: inout SeededGenerator) -> Conversation {
    var result = self
    result.posts += posts.filter { _ in generator.chance(20) }
    result.posts.shuffle(using: &generator)
    result.related.shuffle(using: &generator)
    result.authors.shuffle(using: &generator)
    result.tombstones += tombstones.filter { _ in generator.chance(20) }
    result.tombstones.shuffle(using: &generator)
    result.provenance.shuffle(using: &generator)
    return result
  }
}

extension Post {
  fileprivate static func random(
    _ number: Int, of size: Int, after earlier: [Post], isSound: Bool, using generator: inout SeededGenerator
  ) -> Post {
    let author: Character = generator.chance(70) ? "a" : generator.chance(50) ? "b" : "c"
    var post = Post(
      id: .sketch(number + 1), authorID: .sketch(author), text: InlineText("post \(number + 1)"))
    let parent =
      isSound || generator.chance(80)
      ? (generator.chance(60) ? earlier.last : earlier.randomElement(using: &generator))
      : Post(id: .sketch(Int.random(in: 0...size + 2, using: &generator)), authorID: .sketch("a"))
    if isSound || generator.chance(90) { post.inReplyTo = parent?.id }
    if generator.chance(70) { post.inReplyToAuthor = parent?.authorID }
    if generator.chance(50) { post.conversationID = .sketch(generator.chance(90) ? 1 : 2) }
    if generator.chance(20) { post.quotes = .sketch(Int.random(in: 0...size + 2, using: &generator)) }
    if generator.chance(8) {
      post.earlierVersions = [.sketch(Int.random(in: 0...size, using: &generator)), post.id]
    }
    return post
  }
}
