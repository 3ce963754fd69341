/// What became of the files given to an import.
package struct ImportReport: Hashable, Sendable {
  /// One file.
  package struct File: Hashable, Sendable {
    package var name: String
    /// Posts that were asked for and are now in some conversation.
    package var posts: Int
    /// Reposts of others' posts, which are no threads and were left out.
    package var reposts: Int
    /// What was left out and why, each a clause without a full stop.
    package var problems: [String]

    package init(name: String, posts: Int = 0, reposts: Int = 0, problems: [String] = []) {
      self.name = name
      self.posts = posts
      self.reposts = reposts
      self.problems = problems
    }
  }

  /// In the order in which they were given.
  package var files: [File] = []

  package var posts: Int { files.reduce(0) { $0 + $1.posts } }
  package var reposts: Int { files.reduce(0) { $0 + $1.reposts } }

  /// All problems, as `file: problem`.
  package var problems: [String] { files.flatMap { file in file.problems.map { "\(file.name): \($0)" } } }
}
