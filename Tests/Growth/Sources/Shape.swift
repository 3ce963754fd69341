import TestSupport
import ThreadModel

/// Invented shapes of growing conversations that would slow down a quadratic algorithm.
///
/// Posts have the length and the IDs of ordinary ones. Author `a` is the thread's.
enum Shape: String, CaseIterable {
  case chain = "a chain of the author's"
  case backwards = "a chain whose posts come last first"
  case twoAuthors = "a chain of two authors in turn"
  case quotesOfFirst = "posts that all quote the first"
  case quotesOfPrevious = "posts that quote the one before"
  case links = "posts that link to others of the thread"
  case star = "as many branches as posts"
  case comb = "branches within branches, as deep as can be, and many at the end"
  case gaps = "every other post deleted"
  case loose = "posts that answer nothing"
  case answers = "answers to as many people"
  case missingAnswers = "answers to posts that are gone"
  case edits = "versions of one post, each naming the one before, all answered"
  case circle = "replies in one circle"
  case observations = "the same post again and again"
  case others = "a chain of others' replies"
  case crowd = "replies of as many people to the first post"
  case beside = "each post beside the conversation, too"

  @Sendable func conversation(_ count: Int) -> Conversation {
    var conversation = Conversation(id: .post(1), authorID: .author(0))
    conversation.authors = [
      Author(id: .author(0), handle: "ada", name: "Ada"), Author(id: .author(1), handle: "bob"),
    ]
    conversation.posts = (1...count).map { post($0, of: count) }
    switch self {
    case .backwards: conversation.posts.reverse()
    case .gaps:
      conversation.posts.removeAll { $0.id.isEven }
      conversation.tombstones = stride(from: 2, through: count, by: 2).map {
        Tombstone(id: .post($0), reason: .deleted)
      }
    case .beside: conversation.related = conversation.posts
    case .answers, .crowd:
      conversation.authors += (2...count + 1).map { Author(id: .author($0), handle: "person\($0)") }
    default: break
    }
    return conversation
  }

  /// The post of a number, from 1.
  private func post(_ number: Int, of count: Int) -> Post {
    var facts = Post.Facts(id: .post(number), authorID: .author(0))
    facts.text = InlineText("This is post \(number) of many, and it says about as much as posts do.")
    facts.conversationID = .post(1)
    facts.createdAt = Timestamp(seconds: 1_600_000_000 + Int64(number) * 60)
    func answer(_ parent: Int, of author: Int = 0) {
      facts.inReplyTo = .post(parent)
      facts.inReplyToAuthor = .author(author)
    }
    if number > 1 { answer(number - 1) }
    switch self {
    case .chain, .backwards, .gaps, .beside: break
    case .twoAuthors:
      if number.isMultiple(of: 2) {
        facts.authorID = .author(1)
      } else if number > 1 {
        answer(number - 1, of: 1)
      }
    case .quotesOfFirst: if number > 1 { facts.quotes = .post(1) }
    case .quotesOfPrevious: if number > 1 { facts.quotes = .post(number - 1) }
    case .links:
      let url = "https://x.com/ada/status/\(PostID.post(number % 7 + 1).value)"
      facts.text = InlineText(url, entities: [TextEntity(0..<url.count, .link(url: url, short: nil))])
    case .star: if number > 1 { answer(1) }
    case .comb: if number > 1 { answer(Self.combParent(number, of: count)) }
    case .loose: facts.inReplyTo = nil
    case .answers:
      if number > 1 {
        if number.isMultiple(of: 2) {
          facts.authorID = .author(number); answer(1)
        } else {
          answer(number - 1, of: number - 1)
        }
      }
    case .missingAnswers: if number > 1 { answer(1_000_000 + number, of: 1) }
    case .edits:
      // The first half are versions of one post, the others answer the first version.
      if number > 1, number <= count / 2 {
        facts.inReplyTo = nil; facts.earlierVersions = [.post(number - 1)]
      }
      if number > count / 2, number > 1 { answer(1) }
    case .circle: answer(number == 1 ? count : number - 1)
    case .observations:
      facts.id = .post(1)
      facts.inReplyTo = nil
      facts.observedAt = Timestamp(seconds: Int64(number))
    case .others: if number > 1 { facts.authorID = .author(number % 3 + 1) }
    case .crowd: if number > 1 { facts.authorID = .author(number); answer(1) }
    }
    return Post(facts)
  }

  /// Half of the posts are teeth: a line of k posts, from each of which a line of k - 1 posts branches, and
  /// so on. The others all answer the last post of the deepest line.
  private static func combParent(_ number: Int, of count: Int) -> Int {
    let half = count / 2
    guard number <= half else { return max(1, half) }
    // Lines of 1, 2, 3, … posts, counted from the end.
    let depth = Int((Double(half) * 2).squareRoot())
    var first = 1
    var length = depth
    while number >= first + length, length > 1 {
      first += length
      length -= 1
    }
    if number > first { return number - 1 }
    // A line begins at the first post of the previous line, which is longer by one.
    return max(1, first - length - 1)
  }
}

extension NetworkID {
  static func post(_ number: Int) -> NetworkID { NetworkID("\(1_700_000_000_000_000_000 + number)", on: "x") }
  static func author(_ number: Int) -> NetworkID { NetworkID("\(1000 + number)", on: "x") }
  fileprivate var isEven: Bool { value.utf8.last.map { $0.isMultiple(of: 2) } ?? false }
}
