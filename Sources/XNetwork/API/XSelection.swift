package import ThreadModel

/// Which of the posts that answers hold make up a conversation, and whose it is: for who knows better than an import can guess.
package struct XSelection: Hashable, Sendable {
  /// The id of the conversation's first post.
  package var conversation: String
  /// The id of the author whose thread it is.
  package var author: String
  /// Ids of the conversation's posts; those that no answer held are passed over.
  package var posts: Set<String>
  /// Ids of posts beside it, more than the quoted ones, which come without being named.
  package var related: Set<String>

  package init(conversation: String, author: String, posts: Set<String>, related: Set<String> = []) {
    self.conversation = conversation
    self.author = author
    self.posts = posts
    self.related = related
  }
}

/// Answers that were asked for to make threads of, all of which share users, media and what is missing.
package struct XAnswers: Sendable {
  private var responses: [XResponse] = []

  package init() {}

  package mutating func add(_ response: XResponse) { responses.append(response) }

  /// Conversations with exactly the posts that somebody chose, one for each choice and in that order.
  package func conversations(_ selections: [XSelection]) -> [Conversation] {
    let assembly = XAssembly(responses)
    return selections.map { assembly.conversation($0) }
  }
}

extension XAssembly {
  /// The conversation with the posts chosen, and those that they quote.
  func conversation(_ selection: XSelection) -> Conversation {
    let members = Set(selection.posts.map(current))
    let beside = Set(selection.related.map(current)).subtracting(members)
    return conversation(
      current(selection.conversation), by: AuthorID(selection.author, on: .x),
      members.compactMap { posts[$0] }, beside: beside.compactMap { posts[$0] })
  }
}
