import ThreadModel

extension XAssembly {
  /// The reports on the files, with what became of the posts asked for in each.
  func report(on files: [ImportReport.File]) -> [ImportReport.File] {
    files.indices.map { index in
      var file = files[index]
      guard let asked = asked[index] else { return file }
      var left: [Omission: [String]] = [:]
      for id in asked.posts {
        switch omitted[current(id)] {
        case nil: file.posts += 1
        case .isRepost?: file.reposts += 1
        case let reason?: left[reason, default: []].append(id)
        }
      }
      if let ids = left[.hasNoAuthor] {
        file.problems.append(
          "\(Self.count(ids)) without author_id: fetch again with \(Self.asking("author_id"))")
      }
      let guessed = asked.posts.filter { id in
        !version1.contains(id) && omitted[current(id)] == nil && conversationIDs.known(current(id)) == nil
      }
      if !guessed.isEmpty {
        file.problems.append(
          "\(Self.count(guessed)) that answer others, without conversation_id: imported with what is known of the posts that "
            + "they answer; to join them to their conversations, fetch again with \(Self.asking("conversation_id"))"
        )
      }
      if !asked.badIDs.isEmpty {
        file.problems.append(
          "\(Self.count(asked.badIDs, "ids")) that are no strings of 1 to 19 digits, as X's ids are")
      }
      if file.posts == 0, file.reposts > 0 {
        file.problems.append("holds only reposts of others' posts (\(file.reposts)), which are no threads")
      }
      return file
    }
  }

  /// `2 posts (1, 2)`, the first few named.
  private static func count(_ ids: [String], _ what: String = "posts") -> String {
    let shown = ids.prefix(3).joined(separator: ", ") + (ids.count > 3 ? ", …" : "")
    return "\(ids.count) \(ids.count == 1 ? String(what.dropLast()) : what) (\(shown))"
  }

  private static func asking(_ field: String) -> String {
    "\(XDialect.tweets.postFields)=\(field) (in newer deployments \(XDialect.posts.postFields)=\(field))"
  }
}
