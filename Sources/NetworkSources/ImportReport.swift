package import ThreadModel

/// The results of an import for each of its files.
package struct ImportReport: Hashable, Sendable {
  /// The result for one file.
  package struct File: Hashable, Sendable {
    package var name: String
    /// The number of requested posts that are now in a conversation.
    package var posts: Int
    /// The number of reposts of other accounts' posts, which are left out.
    package var reposts: Int
    /// The reasons why the file contained no posts, each a clause without a full stop; empty if it contained posts.
    package var refusals: [String]
    /// The parts that were left out, with the reasons, each a clause without a full stop.
    package var problems: [String]
    /// The parts that could not be read, each a whole message with file and line.
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

  /// The files in the order in which they were given.
  package var files: [File]
  /// The number of posts that the files contain only as the originals of reposts, and that are in no conversation.
  package var originals = 0

  package init(files: [File] = []) { self.files = files }

  package var posts: Int { files.reduce(0) { $0 + $1.posts } }
  package var reposts: Int { files.reduce(0) { $0 + $1.reposts } }

  /// All problems, as `file: problem`.
  package var problems: [String] { files.flatMap { file in file.problems.map { "\(file.name): \($0)" } } }
}

/// The number of items of one kind that an import leaves out on purpose, with the words for its summary.
package struct Omission: Sendable, Hashable {
  package let count: Int
  private let one: String
  private let many: String

  /// - Parameters:
  ///   - count: the number of items.
  ///   - one: the words that follow the number 1, with the reason: "repost of another's post".
  ///   - many: the words that follow other numbers.
  package init(_ count: Int, _ one: String, _ many: String) {
    self.count = count
    self.one = one
    self.many = many
  }

  fileprivate var text: String { count == 1 ? one : many }

  /// Returns the omission of posts in threads that are too short, including single posts.
  package static func short(_ count: Int) -> Omission {
    Omission(
      count, "post in no thread or in a short thread",
      "posts in no thread or in short threads")
  }

  /// Returns the omission of posts in other accounts' threads.
  package static func replies(_ count: Int) -> Omission {
    Omission(
      count, "reply to others (--with-replies imports its thread)",
      "replies to others (--with-replies imports their threads)")
  }

  package static func outOfRange(_ count: Int) -> Omission {
    Omission(count, "thread outside the requested dates", "threads outside the requested dates")
  }

  package static func reposts(_ count: Int) -> Omission {
    Omission(count, "repost of another's post", "reposts of others' posts")
  }
}

extension [Omission] {
  /// The omissions with a count above 0, each as a clause: "643 reposts of others' posts".
  package var words: [String] {
    filter { $0.count > 0 }.map { "\($0.count) \($0.text)" }
  }
}

/// Reads saved responses of a network's API from files, and builds conversations from them.
///
/// Each response is parsed separately. All responses and the store together determine which of the resulting conversations are the same,
/// and who their authors are. The result does not depend on the order of the files.
package protocol SavedAnswers: Sendable {
  /// The facts about a conversation that determine which other conversations are the same.
  associatedtype Summary: Sendable

  static var platform: Platform { get }

  /// Returns whether the responses in a file have marks that the responses of no other network have.
  static func recognizes(_ bytes: [UInt8]) -> Bool

  init()

  /// Reads the responses in a file.
  ///
  /// - Throws: ``SourceError`` if no response in the file has posts.
  mutating func take(_ bytes: [UInt8], file: String) throws(SourceError)
  /// Adds the responses that `other` has read, as if its files had come after these.
  mutating func add(_ other: Self)
  /// Removes and returns the conversations from each response since the last call, in no particular order; several may be the same
  /// conversation. Their summaries are kept.
  mutating func removeParts() -> [Conversation]

  static func summary(of conversation: Conversation) -> Summary
  /// Returns whether the user chose this author's thread by fetching it or by importing the author's export. It then stays a thread, even
  /// if a different account began the conversation.
  static func isChosen(_ conversation: Conversation) -> Bool
  /// Groups the conversations that are the same. The members are indices into all parts, in the order in which they were read, followed by
  /// `stored`.
  func grouped(with stored: [Summary]) -> (groups: [ConversationGroup], report: ImportReport)
  /// Merges the parts of one conversation into one conversation per author, sorted by author.
  static func resolve(_ parts: [Conversation], as id: PostID) -> [Conversation]
}

extension SavedAnswers {
  package static func recognizes(_ bytes: [UInt8]) -> Bool { false }
}

/// A group of conversations that are the same.
package struct ConversationGroup: Sendable {
  package var id: PostID
  /// The indices of the conversations among those that were grouped.
  package var members: [Int]

  package init(id: PostID, members: [Int]) {
    self.id = id
    self.members = members
  }
}
