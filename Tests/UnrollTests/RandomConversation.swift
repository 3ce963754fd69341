import TestSupport
import ThreadModel

extension SeededRandom {
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

extension Conversation {
  /// A conversation with every difficulty: forks, gaps, replies, other conversations, circles, edits, quotes
  /// of all kinds, related posts, contradictory duplicates. Half of them are on a network whose IDs contain
  /// no time.
  static func random(using generator: inout SeededRandom) -> Conversation {
    let conversation = randomOnX(using: &generator)
    return generator.chance(50) ? Renaming(using: &generator).apply(to: conversation) : conversation
  }

  /// - Parameter isWhole: whether it contains every answered post, and no contradictory duplicates.
  static func randomOnX(isWhole: Bool = false, using generator: inout SeededRandom) -> Conversation {
    let size = Int.random(in: 0...30, using: &generator)
    let isSound = generator.chance(40)
    var conversation = Conversation(id: .sketch(1), authorID: .sketch("a"))
    var all: [Post] = []
    for number in 0..<size {
      all.append(.random(number, of: size, after: all, isSound: isSound, using: &generator))
    }
    for post in all {
      if !isWhole, generator.chance(15) {
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
      if !isSound, !isWhole, generator.chance(30) {
        again.inReplyTo = .sketch(Int.random(in: 0...size, using: &generator))
      }
      conversation.posts.append(again)
    }
    if isWhole {
      let known = Set(all.map(\.id))
      func whole(_ post: Post) -> Post {
        guard let parent = post.inReplyTo, !known.contains(parent) else { return post }
        var post = post
        post.inReplyTo = nil
        return post
      }
      conversation.posts = conversation.posts.map(whole)
      conversation.related = conversation.related.map(whole)
    }
    for letter in "abc" where generator.chance(70) {
      conversation.authors.append(Author(id: .sketch(letter), handle: "\(letter)\(letter)"))
    }
    return conversation
  }

  /// The same facts in another order, some of them repeated.
  func shuffled(using generator: inout SeededRandom) -> Conversation {
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

/// The same facts on a network with random IDs, where only times show when a post was written.
struct Renaming {
  private static let network = Platform.bluesky
  /// Indexed by the IDs on X. The names are capital letters, so that a sketch can be renamed as text.
  private var names: [String] = []

  init(using generator: inout SeededRandom) {
    for number in 0..<64 {
      let random = UInt64.random(in: 0..<1 << 40, using: &generator)
      names.append("K\(String(random, radix: 16).lowercased())\(number)K")
    }
  }

  private func number(_ id: PostID) -> Int { Int(id.value) ?? 0 }

  private func id(_ id: PostID) -> PostID {
    PostID(names[number(id)], by: "did:plc:\(number(id) % 3)", on: Self.network)
  }

  private func author(_ id: AuthorID) -> AuthorID { AuthorID(id.value, on: Self.network) }

  func apply(to conversation: Conversation) -> Conversation {
    var result = Conversation(id: id(conversation.id), authorID: author(conversation.authorID))
    result.posts = conversation.posts.map(apply)
    result.related = conversation.related.map(apply)
    result.authors = conversation.authors.map { Author(id: author($0.id), handle: $0.handle) }
    result.tombstones = conversation.tombstones.map { stone in
      var renamed = Tombstone(id: id(stone.id), reason: stone.reason)
      renamed.authorID = stone.authorID.map(author)
      return renamed
    }
    return result
  }

  private func apply(to post: Post) -> Post {
    var facts = post.facts
    // Several per second.
    facts.createdAt = Timestamp(milliseconds: 1_600_000_000_000 + Int64(number(post.id)) * 300)
    facts.id = id(facts.id)
    facts.authorID = author(facts.authorID)
    facts.conversationID = facts.conversationID.map(id)
    facts.inReplyTo = facts.inReplyTo.map(id)
    facts.inReplyToAuthor = facts.inReplyToAuthor.map(author)
    facts.quotes = facts.quotes.map(id)
    facts.earlierVersions = facts.earlierVersions.map(id)
    return Post(facts)
  }

  /// A thread's sketch with the posts' IDs on X.
  func undone(in sketch: String) -> String {
    names.enumerated().reduce(sketch) { $0.replacing($1.element, with: "\($1.offset)") }
  }
}

extension Post {
  fileprivate static func random(
    _ number: Int, of size: Int, after earlier: [Post], isSound: Bool, using generator: inout SeededRandom
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
