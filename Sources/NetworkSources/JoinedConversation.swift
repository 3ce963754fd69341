package import ThreadModel

extension Conversation {
  /// Returns this newly read conversation, merged with the known one. `checkedAt` stays that of the known one, because only a recheck looks
  /// up every known post.
  package func joined(to known: Conversation) -> Conversation {
    var result = known.merged(with: self)
    result.coverage = coverage
    result.coverage.expectedPosts = coverage.expectedPosts ?? known.coverage.expectedPosts
    result.coverage.checkedAt = known.coverage.checkedAt
    return result
  }
}
