import TestSupport
import ThreadModel
import Unroll

/// Conversations and threads in a notation for one line, so that whole examples are readable.
///
/// A conversation is a list of posts. `2<1` is post 2 in reply to post 1. A letter before the ID names the
/// author; without a letter it is `a`, the thread's author: `b4<1`. A letter after a parent that is not in
/// the list names the author whom the reply addresses: `5<4a`, `5<4b`; without a letter, the author is
/// unknown. `6q9` quotes post 9.
struct Sketch {
  var conversation: Conversation

  /// - Parameters:
  /// - root: The conversation's ID.
  /// - beside: Posts that are known but not part of the conversation.
  init(
    _ posts: String, beside: String = "", root: Int = 1, deleted: [Int] = [], tombstones: [Tombstone] = []
  ) {
    conversation = Conversation(id: .sketch(root), authorID: .sketch("a"))
    conversation.posts = Self.posts(posts)
    conversation.related = Self.posts(beside)
    conversation.tombstones =
      tombstones + deleted.map { Tombstone(id: .sketch($0), reason: .deleted) }
    let authors = Dictionary(
      (conversation.posts + conversation.related).map { ($0.id, $0.authorID) },
      uniquingKeysWith: { first, _ in first })
    for index in conversation.posts.indices {
      guard let parent = conversation.posts[index].inReplyTo, let author = authors[parent] else { continue }
      conversation.posts[index].inReplyToAuthor = author
    }
  }

  private static func posts(_ text: String) -> [Post] {
    text.split(separator: " ").map { token in
      var rest = token
      func number() -> Int? {
        let digits = rest.prefix { $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return Int(digits)
      }
      func letter(besides reserved: Character? = nil) -> Character? {
        guard let first = rest.first, first.isLetter, first != reserved else { return nil }
        rest = rest.dropFirst()
        return first
      }
      let author = letter() ?? "a"
      var post = Post(id: .sketch(number() ?? -1), authorID: .sketch(author))
      if rest.first == "<" {
        rest = rest.dropFirst()
        post.inReplyTo = number().map { .sketch($0) }
        post.inReplyToAuthor = letter(besides: "q").map { .sketch($0) }
      }
      if rest.first == "q" {
        rest = rest.dropFirst()
        post.quotes = number().map { .sketch($0) }
      }
      return post
    }
  }

  func unrolled(hiding hidden: [Int] = [], withReplies: Bool = false) -> UnrolledThread {
    UnrolledThread(
      unrolling: conversation, hidden: Set(hidden.map { .sketch($0) }), withReplies: withReplies)
  }
}

extension NetworkID {
  static func sketch(_ number: Int) -> NetworkID { NetworkID("\(number)", on: .x) }
  static func sketch(_ letter: Character) -> NetworkID { NetworkID(String(letter), on: .x) }
}

extension UnrolledThread {
  /// The whole thread on a line: `b1 > 2 3[1: 6 7] (4 deleted) 5 / b8: 9`.
  ///
  /// The context precedes `>`. Parentheses contain gaps, brackets side branches, and braces quotes. An answer
  /// follows each `/`, and replies follow `
  /// `, with replies to a reply in parentheses.
  var sketch: String {
    let before = context.map { $0.sketch + " > " } ?? ""
    let after = replies.isEmpty ? "" : " | " + replies.sketch
    return before + items.sketch + answers.map { " / \($0.inReplyTo.sketch): \($0.items.sketch)" }.joined()
      + after
  }
}

extension [ThreadItem] {
  var sketch: String {
    map { item in
      switch item {
      case .gap(let gap): "(\(gap.tombstone.sketch))"
      case .post(let post):
        post.post.sketch + (post.quote.map { "{\($0.sketch)}" } ?? "")
          + post.branches.map { "[\($0.label): \($0.items.sketch)]" }.joined()
      }
    }.joined(separator: " ")
  }
}

extension [Reply] {
  var sketch: String {
    map { $0.post.sketch + ($0.replies.isEmpty ? "" : "(\($0.replies.sketch))") }.joined(separator: " ")
  }
}

extension Quote {
  var sketch: String {
    switch self {
    case .post(let post, _, let quote): post.sketch + (quote.map { "{\($0.sketch)}" } ?? "")
    case .tombstone(let tombstone, _): tombstone.sketch
    }
  }
}

extension Post {
  var sketch: String { (authorID.value == "a" ? "" : authorID.value) + id.value }
}

extension Tombstone {
  var sketch: String { "\(id.value) \(reason)" }
}
