import Basics
import Foundation

/// The objects that the expansions of a request add to its posts, each once, in the order of their first occurrence.
struct Includes {
  var payload: Payload
  var now: Date
  var users: [StubID] = []
  var posts: [StubID] = []
  var media: [StubMedia] = []
  var polls: [StubPoll] = []
  /// The errors of objects that could not be included.
  var errors: [JSONValue] = []

  private var expansions: Set<String> { payload.asked.expansions }
  private var world: StubWorld { payload.world }
  private func asks(_ expansion: String) -> Bool { expansions.contains(expansion) }

  init(payload: Payload, now: Date) {
    self.payload = payload
    self.now = now
  }

  mutating func expand(_ given: [StubPost]) {
    let known = Set(given.map(\.id))
    for post in given {
      if asks("author_id") { addUser(post.author, "author_id") }
      if asks("in_reply_to_user_id"), let user = post.replyToUser { addUser(user, "in_reply_to_user_id") }
      if asks("entities.mentions.username") { addMentions(of: post) }
      if asks("attachments.media_keys") { addMedia(of: post) }
      if asks("attachments.poll_ids"), let poll = post.poll { polls.append(poll) }
      if asks("article.cover_media"), let cover = post.article?.cover { media.append(cover) }
      expandReferences(of: post)
      if asks("edit_history_tweet_ids") {
        for version in post.history where !known.contains(version) { addPost(version) }
      }
    }
  }

  /// Adds posts that `post` answers, quotes or reposts, with their authors and media.
  private mutating func expandReferences(of post: StubPost) {
    let isAsked = expansions.contains { $0.hasPrefix("referenced_tweets.id") }
    guard isAsked else { return }
    for id in [post.reposts, post.replyTo, post.quotes].compactMap({ $0 }) {
      guard let original = readable(id, "referenced_tweets.id") else { continue }
      if asks("referenced_tweets.id") { addPost(id) }
      if asks("referenced_tweets.id.author_id") { addUser(original.author, "referenced_tweets.id.author_id") }
      if asks("referenced_tweets.id.attachments.media_keys") { addMedia(of: original) }
    }
  }

  private mutating func readable(_ id: StubID, _ expansion: String) -> StubPost? {
    let post = world.posts[id]
    let reason: StubHiding? = post.map { world.obstacle(to: $0) } ?? .notFound
    guard let reason else { return post }
    addError(
      StubProblems().partial(
        reason, resource: "tweet", id: id.description, parameter: expansion, isIncluded: true))
    return nil
  }

  private mutating func addError(_ error: JSONValue) {
    if !errors.contains(error) { errors.append(error) }
  }

  private mutating func addPost(_ id: StubID) {
    if !posts.contains(id), world.posts[id] != nil { posts.append(id) }
  }

  private mutating func addUser(_ id: StubID, _ expansion: String) {
    guard let user = world.users[id], !user.suspended, !user.deactivated else {
      let problems = StubProblems()
      return addError(
        problems.partial(
          .notFound, resource: "user", id: id.description, parameter: expansion,
          isIncluded: true, suspended: world.users[id]?.suspended ?? false))
    }
    if !users.contains(id) { users.append(id) }
  }

  private mutating func addMentions(of post: StubPost) {
    for name in (post.note ?? post.text).mentions + post.text.mentions {
      guard let user = world.user(named: name), !user.suspended, !user.deactivated else { continue }
      if !users.contains(user.id) { users.append(user.id) }
    }
  }

  private mutating func addMedia(of post: StubPost) {
    for file in post.media where !media.contains(where: { $0.key == file.key }) { media.append(file) }
  }

  /// The member `includes`; `nil` if there are no objects.
  var json: JSONValue? {
    var members: [String: JSONValue] = [:]
    func add(_ key: String, _ values: [JSONValue]) {
      if !values.isEmpty { members[key] = .array(values) }
    }
    add("users", users.compactMap { world.users[$0].map(payload.json) })
    add("tweets", posts.compactMap { world.posts[$0].map(payload.json) })
    add("media", media.map { payload.json($0) })
    add("polls", polls.map { payload.json($0, now: now) })
    return members.isEmpty ? nil : .object(members)
  }
}
