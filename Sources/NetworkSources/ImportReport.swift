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
