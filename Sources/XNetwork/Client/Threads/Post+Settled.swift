import JSONText
import ThreadModel

extension Post {
  /// Whether everything that the post shows came with it: its author, what its media are, its poll.
  func isWhole(in conversation: Conversation) -> Bool {
    guard conversation.authors.contains(where: { $0.id == authorID && $0.handle != nil }) else {
      return false
    }
    return !lacksPoll
      && media.allSatisfy { $0.url != nil || $0.posterURL != nil || $0.file != nil || !$0.variants.isEmpty }
  }

  /// Whether its text or its poll may be another than when it was seen.
  ///
  /// Posts can be edited until `edit_controls.editable_until` (30 minutes), polls get votes until they end. Counts of likes
  /// change all the time; they are no reason to ask.
  func mayHaveChanged(by now: Timestamp) -> Bool {
    guard let seen = observedAt else { return false }
    if let until = editableUntil, seen < until { return true }
    guard let poll, poll.status != .closed else { return false }
    return poll.endsAt.map { seen < $0 } ?? true
  }

  private var editableUntil: Timestamp? {
    extra["edit_controls"]?["editable_until"]?.string.flatMap { Timestamp(iso8601: $0) }
  }
}
