import ThreadModel

/// Which conversations there are, and what is in each.
///
/// A conversation stands for one author's thread. In each conversation of X's there is one for the author of its first
/// post, if any post of theirs was asked for: it holds all posts known there, by whomever. If only others' posts were asked for
/// (somebody's answers in a thread that is not theirs), there is one for each of those authors: it holds their posts and the
/// chains of posts that these answer. Posts that merely came along start no conversation. Where nobody says which conversation a post is in,
/// `XConversationIDs` tells by what it answers.
extension XAssembly {
  /// Quotes inside quotes are followed this far.
  private static let quoteDepth = 2

  func conversations() -> [Conversation] {
    let members = Dictionary(grouping: posts.values) { conversationIDs.conversation($0.id.value) }
    var result: [Conversation] = []
    for (id, posts) in members {
      let authors = Set(posts.filter { primary.contains($0.id.value) }.map(\.authorID))
      guard !authors.isEmpty else { continue }
      let starter = author(ofConversation: id, posts)
      if let starter, authors.contains(starter) {
        result.append(conversation(id, by: starter, posts))
      } else {
        let own = Dictionary(grouping: posts, by: \.authorID)
        for author in authors {
          result.append(conversation(id, by: author, withAncestors(own[author] ?? [])))
        }
      }
    }
    return result.sorted { ($0.id, $0.authorID) < ($1.id, $1.authorID) }
  }

  /// Who wrote the first post; where it is missing, whom a direct answer to it says that it answers.
  private func author(ofConversation id: String, _ posts: [Post]) -> AuthorID? {
    if let first = self.posts[id] { return first.authorID }
    let answers = posts.filter { $0.inReplyTo?.value == id }
    return PostOrder.sorted(answers).lazy.compactMap(\.inReplyToAuthor).first
  }

  /// An author's posts and those that they answer, upwards as far as `XAncestors` says.
  private func withAncestors(_ posts: [Post]) -> [Post] {
    XAncestors.of(posts.map(\.id)) { self.posts[$0.value]?.inReplyTo }.compactMap { self.posts[$0.value] }
  }

  func conversation(
    _ id: String, by author: AuthorID, _ members: [Post], beside: [Post] = []
  ) -> Conversation {
    var facts = Conversation(id: PostID(id, on: .x), authorID: author)
    facts.posts = members
    facts.related = quoted(by: members)
    let quoted = Set(facts.related.map(\.id))
    facts.related += beside.filter { !quoted.contains($0.id) }
    facts.tombstones = tombstones(id, facts.posts + facts.related)
    let times = facts.posts.flatMap { self.times[$0.id.value] ?? [] }
    facts.provenance = Set(times).map { Provenance(source: .xAPI, fetchedAt: $0) }
    var people: Set<AuthorID> = [author]
    for post in facts.posts + facts.related {
      people.insert(post.authorID)
      if let answered = post.inReplyToAuthor { people.insert(answered) }
    }
    facts.authors = people.compactMap { context.users[$0.value] }
    // A merge with nothing sorts every list.
    return Conversation(id: facts.id, authorID: author).merged(with: facts)
  }

  private func quoted(by members: [Post]) -> [Post] {
    var known = Set(members.map(\.id))
    var related: [Post] = []
    var level = members
    for _ in 0..<Self.quoteDepth {
      level = level.compactMap { post in
        guard let id = post.quotes, let quoted = posts[id.value], known.insert(id).inserted else {
          return nil
        }
        return quoted
      }
      related += level
    }
    return related
  }

  // MARK: What is missing

  private func tombstones(_ conversation: String, _ referring: [Post]) -> [Tombstone] {
    let known = Set(referring.map(\.id.value))
    var tombstones: [String: Tombstone] = [:]
    for post in PostOrder.sorted(referring) {
      if let id = post.inReplyTo?.value, !known.contains(id), tombstones[id]?.authorID == nil {
        tombstones[id] = tombstone(id, by: post.inReplyToAuthor)
      }
    }
    for id in referring.compactMap(\.quotes?.value) + [conversation]
    where !known.contains(id) && tombstones[id] == nil {
      tombstones[id] = tombstone(id, by: nil)
    }
    return Array(tombstones.values)
  }

  /// What X said of a missing post, or of its author; `nil` where X said nothing.
  private func tombstone(_ id: String, by author: AuthorID?) -> Tombstone? {
    let ofPost = missingPosts[id]
    let ofAuthor = author.flatMap { missingUsers[$0.value] }
    let isVague = ofPost.map { [.notFound, .unknown].contains($0.problem.reason) } ?? true
    guard let said = (isVague ? ofAuthor : nil) ?? ofPost else { return nil }
    var tombstone = Tombstone(
      id: PostID(id, on: .x), reason: said.problem.reason, detail: said.problem.detail)
    tombstone.authorID = author
    tombstone.handle = author.flatMap { context.users[$0.value]?.handle }
    tombstone.observedAt = said.at
    return tombstone
  }
}
