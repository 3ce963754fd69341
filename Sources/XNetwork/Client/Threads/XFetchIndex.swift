import Basics
import ThreadModel

/// All responses of X in one run and the stored posts, by id. They determine the next request.
struct XFetchIndex: Sendable {
  /// All responses, from which conversations are assembled at the end.
  private(set) var responses: [XResponse] = []
  /// The posts by the ids under which they were seen.
  private(set) var facts: [String: XPost] = [:]
  /// The ids that were looked up.
  private(set) var asked: Set<String> = []
  /// The ids that were looked up and for which there was any response.
  private(set) var answered: Set<String> = []
  /// The posts that X reported as missing, with the reasons.
  private(set) var missing: [String: XProblem] = [:]
  private(set) var missingUsers: [String: XProblem] = [:]
  /// The handles of the known users, by id.
  private(set) var handles: [String: String] = [:]
  /// The posts that X showed in this run.
  private(set) var seen: Set<String> = []

  /// The users whose posts only approved followers may read.
  private(set) var protectedUsers: Set<String> = []

  private var users: Set<String> = []
  private var media: Set<String> = []
  private var polls: Set<String> = []
  /// The stored posts that are complete and cannot change anymore.
  private var settled: Set<String> = []
  /// The posts that are known to be missing and are not requested again.
  private var gone: Set<String> = []
  /// Removed posts that were stored before. Replies to them by other authors are also removed.
  private(set) var removed: Set<String> = []
  private var members: [String: Set<String>] = [:]
  private var versions = PostVersions<String>(XID.precedes)

  // MARK: Adding

  mutating func add(_ response: XResponse, at now: Timestamp) {
    var response = response
    response.fetchedAt = response.fetchedAt ?? now
    responses.append(response)
    for post in response.posts + response.includedPosts {
      seen.insert(post.id)
      add(post)
    }
    versions.resolve()
    for user in response.users {
      guard let id = user.id("id") else { continue }
      users.insert(id)
      handles[id] = user.text("username") ?? handles[id]
      if user.bool("protected") == true { protectedUsers.insert(id) }
    }
    media.formUnion(response.media.compactMap { $0.text("media_key") })
    polls.formUnion(response.polls.compactMap { $0.text("id") })
    for problem in response.problems {
      if let id = problem.missingPost { missing[id] = problem }
      if let id = problem.missingUser { missingUsers[id] = problem }
    }
  }

  /// Adds a stored conversation.
  mutating func add(_ known: Conversation, now: Timestamp) {
    for author in known.authors {
      guard let handle = author.handle, handles[author.id.value] == nil else { continue }
      handles[author.id.value] = handle
    }
    for post in known.posts { add(XPost(post, in: known.id.value)) }
    for post in known.related { add(XPost(post, in: nil)) }
    versions.resolve()
    for post in known.posts + known.related where post.isWhole(in: known) && !post.mayHaveChanged(by: now) {
      settled.insert(post.id.value)
    }
    for stone in known.tombstones {
      if stone.removedAt != nil { removed.insert(stone.id.value) }
      if ![.unknown, .notInArchive].contains(stone.reason) { gone.insert(stone.id.value) }
    }
  }

  mutating func ask(for ids: [String]) { asked.formUnion(ids) }
  /// Removes the record that posts were looked up, because the request was not sent.
  mutating func forget(asked ids: [String]) { asked.subtract(ids) }
  mutating func answer(_ ids: [String]) { answered.formUnion(ids) }

  private mutating func add(_ post: XPost) {
    let merged = facts[post.id]?.merged(with: post) ?? post
    facts[post.id] = merged
    if let conversation = merged.conversationID { members[conversation, default: []].insert(post.id) }
    versions.add(merged.versions, replacedBy: post.id)
  }

  /// Returns the conversations with the selected posts from all responses.
  func conversations(_ selections: [XSelection]) -> [Conversation] {
    let assembly = XAssembly(responses)
    return selections.map(assembly.conversation)
  }

  // MARK: Queries

  /// Returns the id of the newest version of a post that was seen.
  func current(_ id: String) -> String { versions.latest(id) }

  subscript(id: String) -> XPost? { facts[current(id)] }

  /// Returns the ids of all known versions of a post, oldest first.
  func versions(_ id: String) -> [String] {
    let versions = self[id]?.versions ?? []
    return versions.isEmpty ? [id] : versions
  }

  /// Returns the posts of a conversation in their newest versions, unordered and without reposts.
  func posts(ofConversation id: String) -> [XPost] {
    var ids = Set(versions(id) + [current(id)])
    for version in ids { ids.formUnion(members[version] ?? []) }
    return Set(ids.map(current)).compactMap { facts[$0] }
      .filter { !$0.isRepost }
  }

  /// Whether a post needs no further lookup, because it is complete or missing.
  func isSettled(_ id: String) -> Bool {
    let id = current(id)
    if asked.contains(id) || missing[id] != nil || gone.contains(id) || settled.contains(id) { return true }
    guard seen.contains(id), let post = facts[id], let author = post.authorID else { return false }
    return users.contains(author) && media.isSuperset(of: post.mediaKeys)
      && polls.isSuperset(of: post.pollIDs)
  }
}

extension Post {
  /// Whether the response contained everything that the post shows: its author, its media, its poll.
  func isWhole(in conversation: Conversation) -> Bool {
    guard conversation.authors.contains(where: { $0.id == authorID && $0.handle != nil }) else {
      return false
    }
    return !lacksPoll
      && media.allSatisfy { $0.url != nil || $0.posterURL != nil || $0.file != nil || !$0.variants.isEmpty }
  }

  /// Whether its text or its poll may have changed since the post was seen.
  ///
  /// Posts can be edited until `edit_controls.editable_until` (30 minutes), and polls get votes until they end. Like counts change all the
  /// time and are not a reason for a request.
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
