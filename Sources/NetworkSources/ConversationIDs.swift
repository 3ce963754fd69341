/// The conversation of each post in saved responses.
///
/// Not every response states the conversation of a post: some state only the post that it answers. There, a conversation is a set of posts
/// connected by replies. Its id is the one that any of these posts states, or the id of the topmost post if that post is not a reply. If
/// the topmost post was not fetched, the id of the first missing post serves as the conversation's id, as for archives. The posts then name
/// no conversation, so that a later response can supply the right id.
///
/// The code is inlinable so that networks get it compiled for their type of ids. Otherwise, imports take a fifth longer.
package struct ConversationIDs<ID: Hashable & Sendable>: Sendable {
  /// The conversation ids that the posts themselves state, by post id.
  package var said: [ID: ID] = [:]
  /// The conversation id stated by the posts below each topmost ancestor; the lowest id if they disagree.
  @usableFromInline var saidBelow: [ID: ID] = [:]
  /// The topmost ancestor of each reply: a known post, or the first missing one.
  @usableFromInline var tops: [ID: ID] = [:]
  @usableFromInline let precedes: @Sendable (ID, ID) -> Bool

  /// - Parameter precedes: whether the first of two ids was assigned before the second.
  @inlinable package init(_ precedes: @escaping @Sendable (ID, ID) -> Bool) { self.precedes = precedes }

  /// Returns the conversation of a post; `nil` if no post states it. The statement of the topmost post takes precedence over those of
  /// the posts below it.
  @inlinable package func known(_ id: ID) -> ID? {
    if let said = said[id] { return said }
    let top = top(id)
    return said[top] ?? saidBelow[top]
  }

  /// Returns the conversation of a post, or the id that serves in its place.
  @inlinable package func conversation(_ id: ID) -> ID { known(id) ?? top(id) }

  @inlinable func top(_ id: ID) -> ID { tops[id] ?? id }

  /// Connects the posts by their replies.
  ///
  /// - Parameter parents: the id of the post, known or missing, that each post answers.
  @inlinable package mutating func resolve(_ parents: [ID: ID]) {
    for id in parents.keys where tops[id] == nil { findTop(of: id, parents) }
    for (id, conversation) in said {
      saidBelow[top(id)] = earlier(saidBelow[top(id)], conversation)
    }
    // The first post of a conversation has the conversation's id, fetched or not.
    for conversation in Set(said.values) where said[conversation] == nil {
      let top = top(conversation)
      saidBelow[top] = earlier(saidBelow[top], conversation)
    }
  }

  /// Sets the topmost ancestor of every post on the path in one pass, so that all calls together take linear time.
  @inlinable mutating func findTop(of id: ID, _ parents: [ID: ID]) {
    var path: [ID] = []
    var visited: Set<ID> = []
    var current = id
    while tops[current] == nil, let parent = parents[current], visited.insert(current).inserted {
      path.append(current)
      current = parent
    }
    var top = tops[current] ?? current
    // Posts that answer each other in a circle have no topmost post; the lowest id is used.
    if visited.contains(current), let start = path.firstIndex(of: current) {
      top = path[start...].min(by: precedes) ?? current
    }
    for step in path { tops[step] = top }
  }

  @inlinable func earlier(_ known: ID?, _ other: ID) -> ID {
    guard let known, !precedes(other, known) else { return other }
    return known
  }
}
