package import ThreadModel

/// What became of the files given to an import.
package struct ImportReport: Hashable, Sendable {
  /// One file.
  package struct File: Hashable, Sendable {
    package var name: String
    /// Posts that were asked for and are now in some conversation.
    package var posts: Int
    /// Reposts of others' posts, which are no threads and were left out.
    package var reposts: Int
    /// Why it gave nothing, each a clause without a full stop; empty where it gave posts.
    package var refusals: [String]
    /// What was left out and why, each a clause without a full stop.
    package var problems: [String]
    /// What of the file could not be read, each a whole message with file and line.
    package var unread: [String]

    package init(
      name: String, posts: Int = 0, reposts: Int = 0, refusals: [String] = [], problems: [String] = [],
      unread: [String] = []
    ) {
      self.name = name
      self.posts = posts
      self.reposts = reposts
      self.refusals = refusals
      self.problems = problems
      self.unread = unread
    }
  }

  /// In the order in which they were given.
  package var files: [File]
  /// Posts that came along because they were repeated, and are in no conversation.
  package var originals = 0

  package init(files: [File] = []) { self.files = files }

  package var posts: Int { files.reduce(0) { $0 + $1.posts } }
  package var reposts: Int { files.reduce(0) { $0 + $1.reposts } }

  /// All problems, as `file: problem`.
  package var problems: [String] { files.flatMap { file in file.problems.map { "\(file.name): \($0)" } } }
}

/// So many of one kind that an import leaves out on purpose, in the words of its summary.
package struct Omission: Sendable, Hashable {
  package let count: Int
  private let one: String
  private let many: String

  /// - Parameters:
  ///   - one: a single one and why, behind its number: "repost of another's post".
  ///   - many: several of them.
  package init(_ count: Int, _ one: String, _ many: String) {
    self.count = count
    self.one = one
    self.many = many
  }

  fileprivate var text: String { count == 1 ? one : many }

  /// Posts in threads that are shorter than asked for, single posts among them.
  package static func short(_ count: Int) -> Omission {
    Omission(
      count, "post in no thread, or in one that is too short",
      "posts in no thread, or in one that is too short")
  }

  /// Posts in threads of others.
  package static func replies(_ count: Int) -> Omission {
    Omission(
      count, "answer to others (--with-replies takes its thread)",
      "answers to others (--with-replies takes their threads)")
  }

  package static func outOfRange(_ count: Int) -> Omission {
    Omission(count, "thread of another date than asked for", "threads of other dates than asked for")
  }

  package static func reposts(_ count: Int) -> Omission {
    Omission(count, "repost of another's post", "reposts of others' posts")
  }
}

extension [Omission] {
  /// Each of which there are some as a clause: "643 reposts of others' posts".
  package var words: [String] {
    filter { $0.count > 0 }.map { "\($0.count) \($0.text)" }
  }
}

/// Reads answers of a network's API that were saved as files, and makes conversations of them.
///
/// Each answer is understood by itself; which of the conversations are one, and whose they are, can only be told from all, those in
/// the store among them. What comes of it depends on the facts alone, and not on the order in which they came.
package protocol SavedAnswers: Sendable {
  /// What decides of a conversation which others it is one with.
  associatedtype Sketch: Sendable

  static var platform: Platform { get }

  init()

  /// Takes the answers in a file.
  ///
  /// - Throws: ``SourceError`` where no answer in it holds posts.
  mutating func take(_ bytes: [UInt8], file: String) throws(SourceError)
  /// Takes over what another took, as if its files had come after these.
  mutating func add(_ other: Self)
  /// What each answer gave, in no order: conversations that may be the same.
  var parts: [Conversation] { get }

  static func sketch(of conversation: Conversation) -> Sketch
  /// Whether somebody asked for this author's thread, by fetching it or by importing their export: then it stays a thread, whoever began
  /// the conversation.
  static func isChosen(_ conversation: Conversation) -> Bool
  /// Which conversations are one: of the parts, by their positions, and of the store, behind them.
  func grouped(with stored: [Sketch]) -> (groups: [ConversationGroup], report: ImportReport)
  /// The conversations that parts of one make, sorted by author.
  static func resolve(_ parts: [Conversation], as id: PostID) -> [Conversation]
}

/// Conversations that are one.
package struct ConversationGroup: Sendable {
  package var id: PostID
  /// Positions among those that were grouped.
  package var members: [Int]

  package init(id: PostID, members: [Int]) {
    self.id = id
    self.members = members
  }
}
