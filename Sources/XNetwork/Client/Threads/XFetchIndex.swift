import ThreadModel

/// All that X has said in one run, and what was known before, by id: what decides which request comes next.
struct XFetchIndex: Sendable {
  /// Every answer, to make conversations of them in the end.
  private(set) var answers = XAnswers()
  /// Posts by the id under which they were seen.
  private(set) var facts: [String: XPostFacts] = [:]
  /// Ids that lookups have asked for.
  private(set) var asked: Set<String> = []
  /// Ids that lookups have asked for and got an answer to, whatever it was.
  private(set) var answered: Set<String> = []
  /// Posts that X said are missing, and why.
  private(set) var missing: [String: XProblem] = [:]
  private(set) var missingUsers: [String: XProblem] = [:]
  /// Handles by the ids of the users that are known.
  private(set) var handles: [String: String] = [:]
  /// Posts that X showed in this run.
  private(set) var seen: Set<String> = []

  /// Users whose posts only approved followers may read.
  private(set) var protectedUsers: Set<String> = []

  private var users: Set<String> = []
  private var media: Set<String> = []
  private var polls: Set<String> = []
  /// Posts known before that have all their parts and can change no more.
  private var settled: Set<String> = []
  /// Posts known to be missing, so that asking again is of no use.
  private var gone: Set<String> = []
  /// Missing posts that were known once; what others answered to them goes with them.
  private(set) var removed: Set<String> = []
  private var members: [String: Set<String>] = [:]
  private var versions = PostVersions<String>(XID.precedes)

  // MARK: Taking

  mutating func add(_ response: XResponse, at now: Timestamp) {
    var response = response
    response.fetchedAt = response.fetchedAt ?? now
    answers.add(response)
    for fields in response.posts + response.includedPosts {
      guard let post = XPost(fields, observedAt: nil) else { continue }
      seen.insert(post.id)
      add(XPostFacts(post))
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

  /// Takes what was known before.
  mutating func add(_ known: Conversation, now: Timestamp) {
    for author in known.authors {
      guard let handle = author.handle, handles[author.id.value] == nil else { continue }
      handles[author.id.value] = handle
    }
    for post in known.posts { add(XPostFacts(post, in: known.id.value)) }
    for post in known.related { add(XPostFacts(post, in: nil)) }
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
  /// Takes back that posts were asked for, as they were not.
  mutating func forget(asked ids: [String]) { asked.subtract(ids) }
  mutating func answer(_ ids: [String]) { answered.formUnion(ids) }

  private mutating func add(_ post: XPostFacts) {
    let merged = facts[post.id]?.merged(with: post) ?? post
    facts[post.id] = merged
    if let conversation = merged.conversation { members[conversation, default: []].insert(post.id) }
    versions.add(merged.versions, replacedBy: post.id)
  }

  // MARK: Asking

  /// The id under which a post is known: that of its newest version seen.
  func current(_ id: String) -> String { versions.latest(id) }

  subscript(id: String) -> XPostFacts? { facts[current(id)] }

  /// The ids by which a post was ever known, oldest first.
  func versions(_ id: String) -> [String] {
    let versions = self[id]?.versions ?? []
    return versions.isEmpty ? [id] : versions
  }

  /// The posts of a conversation, in their newest versions and in no order, reposts left out.
  func posts(ofConversation id: String) -> [XPostFacts] {
    var ids = Set(versions(id) + [current(id)])
    for version in ids { ids.formUnion(members[version] ?? []) }
    return Set(ids.map(current)).compactMap { facts[$0] }
      .filter { !$0.isRepost }
  }

  /// Whether there is nothing more to learn of a post, which may be that it is missing.
  func isSettled(_ id: String) -> Bool {
    let id = current(id)
    if asked.contains(id) || missing[id] != nil || gone.contains(id) || settled.contains(id) { return true }
    guard seen.contains(id), let post = facts[id], let author = post.author else { return false }
    return users.contains(author) && post.mediaKeys.isSubset(of: media) && post.pollIDs.isSubset(of: polls)
  }
}
