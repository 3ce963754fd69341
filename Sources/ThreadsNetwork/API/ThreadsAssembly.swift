import NetworkSources
import ThreadModel

/// The posts of one file, joined by id.
struct ThreadsAssembly {
  private var posts: [PostID: Post] = [:]
  private var authors: [AuthorID: Author] = [:]
  private var hidden: [PostID: ThreadsObject.HiddenReply] = [:]
  /// The posts that were requested. The others are only embedded in these, and begin no conversation.
  private var requested: Set<PostID> = []
  private var times: [PostID: Set<Timestamp?>] = [:]

  mutating func add(_ object: ThreadsObject, isRequested: Bool, at time: Timestamp?) {
    switch object {
    case .post(let post, let author):
      posts[post.id] = posts[post.id]?.merged(with: post) ?? post
      authors[author.id] = authors[author.id]?.merged(with: author) ?? author
      if isRequested { requested.insert(post.id) }
      times[post.id, default: []].insert(time)
    case .hidden(var reply):
      let id = reply.tombstone.id
      if isRequested { requested.insert(id) }
      if let known = hidden[id] {
        reply.tombstone = reply.tombstone.merged(with: known.tombstone)
        reply.inReplyTo = [reply.inReplyTo, known.inReplyTo].compactMap(\.self).max()
        reply.conversationID = [reply.conversationID, known.conversationID].compactMap(\.self).min()
      }
      hidden[id] = reply
      times[id, default: []].insert(time)
    case .repost, .withoutName, .badID, .other: break
    }
  }

  /// Returns the conversation of the author of the first post, with all posts, if one of that author's posts was requested, or otherwise one
  /// conversation for each author of a requested post, with the author's posts and the posts above that these answer. A conversation in which all
  /// requested posts are hidden consists of their tombstones.
  func conversations() -> [Conversation] {
    var ids = ConversationIDs<PostID>(<)
    var parents: [PostID: PostID] = [:]
    for (id, reply) in hidden {
      parents[id] = reply.inReplyTo
      ids.said[id] = reply.conversationID
    }
    for (id, post) in posts {
      parents[id] = post.inReplyTo
      ids.said[id] = post.conversationID
    }
    ids.resolve(parents)
    let groups = Dictionary(grouping: Set(posts.keys).union(hidden.keys), by: ids.conversation)
    var result: [Conversation] = []
    for (id, members) in groups {
      var part = Conversation(id: id, authorID: ThreadsID.author(""))
      part.posts = members.compactMap { posts[$0] }
      part.related = ConversationReferences.quoted(by: part.posts) { posts[$0] }
      part.tombstones = members.compactMap { hidden[$0]?.tombstone }
      part.provenance = Set(members.flatMap { times[$0] ?? [] }).map {
        Provenance(source: .threadsAPI, fetchedAt: $0)
      }
      part.authors = ConversationReferences.people(in: part.posts + part.related, by: part.authorID)
        .compactMap {
          authors[$0]
        }
      let asked = members.filter(requested.contains)
      let owners = Set(asked.compactMap { posts[$0]?.authorID ?? hidden[$0]?.tombstone.authorID })
      result += ConversationPlacement.threads.resolve([part], as: id, by: owners)
    }
    return result
  }
}
