import Basics
package import ThreadModel

/// The statuses that one server returned, indexed by id, from which threads are assembled.
///
/// For statuses with a limited audience, only the place in the thread is stored, never the content.
package struct MastodonFetchIndex: Sendable {
  /// The place of a status that is not stored.
  package struct Withheld: Sendable, Hashable {
    package var account: String
    package var inReplyTo: String?
    /// The status's visibility, as the server names it.
    package var word: String
  }

  package let server: MastodonServer
  package private(set) var statuses: [String: MastodonStatus] = [:]
  package private(set) var withheld: [String: Withheld] = [:]
  /// The ids of statuses that could not be read, with the reason.
  package var missing: [String: TombstoneReason] = [:]
  /// The ids of statuses that the server returned as part of the thread's conversation.
  private var surroundings: Set<String> = []
  /// The ids of statuses far enough above the deepest level of a response that no depth limit has cut off their replies.
  private var described: Set<String> = []
  /// The time of the latest request whose response was added.
  package private(set) var seenAt: Timestamp?

  package init(_ server: MastodonServer) { self.server = server }

  /// - Returns: whether any status was new.
  @discardableResult
  package mutating func add(_ answer: MastodonAnswer, at time: Timestamp) -> Bool {
    var isNew = false
    for status in answer.statuses { isNew = add(status, at: time) || isNew }
    return isNew
  }

  /// - Returns: whether the status was new; `false` for boosts.
  @discardableResult
  package mutating func add(_ status: MastodonStatus, at time: Timestamp) -> Bool {
    seenAt = Timestamp.later(seenAt, time)
    guard !status.isBoost else { return false }
    missing[status.id] = nil
    if case .limited(let word) = status.audience {
      statuses[status.id] = nil
      return withheld.updateValue(
        Withheld(account: status.account.id, inReplyTo: status.inReplyTo, word: word), forKey: status.id)
        == nil
    }
    return statuses.updateValue(status, forKey: status.id) == nil
  }

  /// The number of levels from which on a depth limit may have truncated a response. Without a token, Mastodon shows 20 levels below a
  /// status (`contexts_controller.rb`), of which the deepest may be hidden.
  private static let deepResponse = 15
  /// The number of levels above the deepest one whose replies are requested again. A status there may have a hidden reply at the limit. The
  /// response lacks that reply's own replies, and no reply count includes them.
  private static let hiddenLevels = 3

  /// Records statuses that the server returned as part of the thread's conversation.
  mutating func noteSurroundings(_ ids: some Sequence<String>) { surroundings.formUnion(ids) }

  /// Records the statuses that the server returned around a status.
  mutating func noteContext(of id: String, _ answer: MastodonAnswer) {
    noteSurroundings([id])
    noteSurroundings(answer.statuses.lazy.map(\.id))
    var depths = [id: 0]
    for status in answer.statuses {
      var path: [String] = []
      var next: String? = status.id
      while let each = next, depths[each] == nil {
        // Set before the depth is known, so that the loop ends if the statuses form a circle.
        depths[each] = -1
        path.append(each)
        next = place(each)?.inReplyTo
      }
      guard var depth = next.flatMap({ depths[$0] }), depth >= 0 else { continue }
      for each in path.reversed() {
        depth += 1
        depths[each] = depth
      }
    }
    let deepest = depths.values.max() ?? 0
    let undescribed = deepest >= Self.deepResponse ? Self.hiddenLevels + 1 : 1
    described.formUnion(depths.filter { $0.value >= 0 && $0.value <= deepest - undescribed }.keys)
    described.insert(id)
  }

  /// Whether no status that everybody may see was added.
  var isEmpty: Bool { statuses.isEmpty }
  /// Returns the id of a status's author on this server, even if the status itself is withheld.
  func account(of id: String) -> String? { place(id)?.account }
  /// Returns the id of the status, by any author, that a status answers.
  func parent(of id: String) -> String? { place(id)?.inReplyTo }

  /// Breaks a circle of statuses that answer each other: the earliest of them no longer answers a status, so that the chain has a first
  /// status.
  mutating func breakCircle(of ids: Set<String>) {
    let members = ids.compactMap { statuses[$0] }
    guard
      let first = members.min(by: {
        ($0.createdAt?.milliseconds ?? .max, $0.id) < ($1.createdAt?.milliseconds ?? .max, $1.id)
      })
    else { return }
    let kept = first.fields.members.filter { !["in_reply_to_id", "in_reply_to_account_id"].contains($0.key) }
    statuses[first.id] = try? MastodonStatus(.object(kept))  // it was one
  }

  // MARK: Chains

  /// Returns the author of a status and the status that it answers, even if the status itself is withheld.
  private func place(_ id: String) -> (account: String, inReplyTo: String?)? {
    if let status = statuses[id] { return (status.account.id, status.inReplyTo) }
    return withheld[id].map { ($0.account, $0.inReplyTo) }
  }

  /// Returns the status by the same account that a status answers; `nil` if the status begins a chain.
  ///
  /// If the answered status is unknown, the author named in the reply (`in_reply_to_account_id`) is used.
  private func ownParent(of id: String) -> String? {
    guard let place = place(id), let parent = place.inReplyTo else { return nil }
    if let above = self.place(parent) { return above.account == place.account ? parent : nil }
    return statuses[id]?.inReplyToAccount == place.account ? parent : nil
  }

  /// Returns the first status of the thread that contains a status: answered statuses are followed upwards while they are by the same
  /// account. The first status may be unknown.
  package func top(of id: String) -> String {
    guard let account = place(id)?.account else { return id }
    return tops(by: account)[id] ?? id
  }

  /// Returns the first status of the thread for each status of an account.
  ///
  /// A chain that begins below an unknown status continues the account's thread in the same conversation, with a gap. An account's statuses
  /// in one conversation are one thread, whichever of them was requested.
  private func tops(by account: String) -> [String: String] {
    var tops = chainTops(by: account)
    let parts = tops.filter { surroundings.contains($0.key) }
    let fragments = Set(parts.values.filter { place($0) == nil })
    guard !fragments.isEmpty, let home = home(of: parts) else { return tops }
    for (id, top) in tops where fragments.contains(top) { tops[id] = home }
    return tops
  }

  /// Returns the first status of the thread to which the fragments of a conversation belong: the status with which the account began the conversation,
  /// or else the first status of the account's earliest chain.
  ///
  /// - Parameter parts: the first status of the chain for each of the account's statuses in the conversation.
  private func home(of parts: [String: String]) -> String? {
    func rank(_ id: String, _ top: String) -> (Int, Timestamp, String) {
      guard let place = place(top) else { return (2, time(of: id), top) }
      return (place.inReplyTo == nil ? 0 : 1, time(of: top), top)
    }
    return parts.map { rank($0.key, $0.value) }.min(by: <)?.2
  }

  private func time(of id: String) -> Timestamp { statuses[id]?.createdAt ?? .distant }

  /// Returns the earliest of some statuses.
  func earliest(of ids: some Sequence<String>) -> String? {
    ids.min { (time(of: $0), $0) < (time(of: $1), $1) }
  }

  /// Returns the first status of the chain for each status of an account. Every status is visited only once.
  private func chainTops(by account: String) -> [String: String] {
    var tops: [String: String] = [:]
    let own =
      statuses.values.filter { $0.account.id == account }.map(\.id)
      + withheld.filter { $0.value.account == account }.map(\.key)
    for id in own {
      var path: [String] = []
      var visited: Set<String> = []
      var next = id
      while tops[next] == nil, visited.insert(next).inserted {
        path.append(next)
        guard let parent = ownParent(of: next) else { break }
        next = parent
      }
      let top = tops[next] ?? next
      for id in path { tops[id] = top }
    }
    return tops
  }

  /// Returns the stored statuses of the thread that begins with `top`, all by the same account.
  package func chain(from top: String, by account: String) -> Set<String> {
    Set(tops(by: account).filter { $0.value == top && statuses[$0.key] != nil }.keys)
  }

  /// Returns the statuses of a thread that may have replies which the server has not returned yet, earliest first: those with a higher
  /// reply count than known replies, and those whose replies were not requested. For the account's own statuses the count alone is not
  /// enough: it excludes replies that not everybody may see, and others may have continued those.
  func open(from top: String, by account: String, withReplies: Bool) -> [String] {
    var children: [String: Int] = [:]
    for status in statuses.values { if let parent = status.inReplyTo { children[parent, default: 0] += 1 } }
    for status in withheld.values { if let parent = status.inReplyTo { children[parent, default: 0] += 1 } }
    let chain = chain(from: top, by: account)
    let members = withReplies ? chain.union(below(chain)) : chain
    return members.filter { id in
      guard let status = statuses[id] else { return false }
      let count = status.fields.count("replies_count")
      if let count, count > children[id] ?? 0 { return true }
      return !described.contains(id) && (count == nil || status.account.id == account)
    }.sorted { (time(of: $0), $0) < (time(of: $1), $1) }
  }

  /// Returns the earliest stored status of the gapless chain that contains a status.
  func earliestKnown(above id: String) -> String? {
    guard let account = place(id)?.account else { return nil }
    let tops = chainTops(by: account)
    return earliest(of: tops.filter { $0.value == tops[id] && statuses[$0.key] != nil }.keys)
  }

  /// Returns the chains of an account, each with its first status and a separate index of its statuses.
  func chains(by account: String) -> [(top: String, part: MastodonFetchIndex)] {
    Dictionary(grouping: tops(by: account), by: \.value).map { top, members in
      var part = MastodonFetchIndex(server)
      part.surroundings = surroundings.intersection(members.map(\.key))
      part.seenAt = seenAt
      for (id, _) in members {
        part.statuses[id] = statuses[id]
        part.withheld[id] = withheld[id]
        // The answered status shows whether the chain begins a thread or answers another account.
        if let parent = place(id)?.inReplyTo, part.statuses[parent] == nil {
          part.statuses[parent] = statuses[parent]
        }
      }
      return (top, part)
    }
  }

  /// Returns the first known status of each chain of an account that continues an unknown status and whose conversation is unknown;
  /// earliest first.
  func unplacedParts(by account: String) -> [String] {
    let parts = Dictionary(grouping: chainTops(by: account).filter { place($0.value) == nil }, by: \.value)
    return parts.values.compactMap { part in
      guard surroundings.isDisjoint(with: part.map(\.key)) else { return nil }
      return earliest(of: part.map(\.key).filter { statuses[$0] != nil })
    }.sorted { (time(of: $0), $0) < (time(of: $1), $1) }
  }

  /// Whether a response with the posts around a status contains a status of the conversation.
  func isInConversation(_ answer: MastodonAnswer) -> Bool {
    answer.statuses.contains { surroundings.contains($0.id) }
  }

  /// Returns, sorted, the statuses by the same account that members of a chain answer and that have not been requested yet.
  package func unseenParents(of members: Set<String>) -> [String] {
    Set(members.compactMap { ownParent(of: $0) }.filter { place($0) == nil && missing[$0] == nil }).sorted()
  }

  /// Returns all stored statuses below the given ones, by any author.
  private func below(_ members: Set<String>) -> Set<String> {
    let children = Dictionary(
      grouping: statuses.values.filter { $0.inReplyTo != nil }, by: { $0.inReplyTo ?? "" })
    var found: Set<String> = []
    var next = Array(members)
    while let id = next.popLast() {
      for child in children[id] ?? [] where found.insert(child.id).inserted { next.append(child.id) }
    }
    return found.subtracting(members)
  }

  // MARK: Conversations

  /// Assembles a thread from the statuses.
  ///
  /// - Parameters:
  ///   - top: the id of its first status on this server.
  ///   - account: the id of its author on this server.
  /// - Returns: the conversation, and messages about posts that were left out.
  package func conversation(
    from top: String, by account: String, withReplies: Bool = false, source: SourceKind = .mastodonAPI
  ) -> (conversation: Conversation, notes: [String]) {
    var result = Conversation(id: server.post(top), authorID: server.author(account))
    var builder = Builder(server: server, seenAt: seenAt)
    let chain = chain(from: top, by: account)
    var members = chain
    if withReplies { members.formUnion(below(chain)) }
    for id in members.sorted() { if let status = statuses[id] { builder.add(status, isMember: true) } }
    // The status that the first post answers.
    if let answered = place(top)?.inReplyTo, let status = statuses[answered], !members.contains(answered) {
      builder.add(status, isMember: false)
    }
    var known = Set(builder.posts.keys).union(builder.related.keys)
    for post in Array(builder.posts.values) + builder.related.values {
      guard let parent = post.inReplyTo, known.insert(parent).inserted else { continue }
      builder.tombstones.append(tombstone(parent, answeredBy: post))
    }
    if known.insert(result.id).inserted {
      var stone = Tombstone(id: result.id, reason: reason(of: top))
      stone.authorID = result.authorID
      stone.observedAt = seenAt
      builder.tombstones.append(stone)
    }
    result.posts = Array(builder.posts.values)
    result.related = builder.related.values.filter { builder.posts[$0.id] == nil }
    result.authors = Array(builder.authors.values)
    result.tombstones = builder.tombstones
    result.provenance = [Provenance(source: source, fetchedAt: seenAt)]
    var notes = builder.notes
    let hidden = tops(by: account).filter { $0.value == top && withheld[$0.key] != nil }.map(\.key)
    if !hidden.isEmpty {
      notes.append(
        "\(hidden.count == 1 ? "1 post" : "\(hidden.count) posts") of the thread left out because not public "
          + "(\(Set(hidden.compactMap { withheld[$0]?.word }).sorted().joined(separator: ", "))).")
    }
    // Merging with an empty conversation sorts every list.
    return (Conversation(id: result.id, authorID: result.authorID).merged(with: result), notes)
  }

  private func reason(of id: String) -> TombstoneReason {
    withheld[id] != nil ? .protected : missing[id] ?? .unknown
  }

  private func tombstone(_ id: PostID, answeredBy post: Post) -> Tombstone {
    var stone = Tombstone(id: id, reason: reason(of: id.value))
    stone.authorID = place(id.value).map { server.author($0.account) } ?? post.inReplyToAuthor
    stone.observedAt = seenAt
    return stone
  }

  /// Collects the posts and authors of one conversation.
  private struct Builder {
    let server: MastodonServer
    let seenAt: Timestamp?
    var posts: [PostID: Post] = [:]
    var related: [PostID: Post] = [:]
    var authors: [AuthorID: Author] = [:]
    var tombstones: [Tombstone] = []
    var notes: [String] = []

    /// The number of nested quotes that are followed.
    private static let quoteDepth = 2

    mutating func add(_ status: MastodonStatus, isMember: Bool, depth: Int = 0) {
      let post: Post
      do {
        post = try status.post(on: server, seenAt: seenAt)
      } catch {
        notes.append("\(error.description.prefix(1).uppercased())\(error.description.dropFirst()): left out.")
        return
      }
      if isMember { posts[post.id] = post } else { related[post.id] = post }
      let author = status.account.author(on: server, seenAt: seenAt)
      authors[author.id] = author
      guard let quote = MastodonQuote(status) else { return }
      let id = server.post(quote.id)
      if let reason = quote.refusal {
        tombstones.append(tombstone(id, reason))
      } else if depth < Self.quoteDepth, let value = quote.status, let quoted = try? MastodonStatus(value) {
        if quoted.audience.isOpen, !quoted.isBoost {
          add(quoted, isMember: false, depth: depth + 1)
        } else {
          tombstones.append(tombstone(id, .protected))
        }
      }
    }

    private func tombstone(_ id: PostID, _ reason: TombstoneReason) -> Tombstone {
      var stone = Tombstone(id: id, reason: reason)
      stone.observedAt = seenAt
      return stone
    }
  }
}

extension Timestamp {
  /// The time of statuses without a time, which come last.
  fileprivate static let distant = Timestamp(milliseconds: .max)
}
