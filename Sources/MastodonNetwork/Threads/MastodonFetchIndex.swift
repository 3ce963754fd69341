import Basics
package import ThreadModel

/// What one server sent, and what it holds of a thread.
///
/// Statuses that not everybody may see are remembered only as far as their places in a thread go: nothing of what they say is kept.
package struct MastodonFetchIndex: Sendable {
  /// The place of a status that is not stored.
  package struct Withheld: Sendable, Hashable {
    package var account: String
    package var inReplyTo: String?
    package var word: String
  }

  package let server: MastodonServer
  package private(set) var statuses: [String: MastodonStatus] = [:]
  package private(set) var withheld: [String: Withheld] = [:]
  /// Statuses that the server says there are none of, and why.
  package var missing: [String: TombstoneReason] = [:]
  package private(set) var boosts = 0
  package private(set) var refusals: Set<MastodonRefusal> = []
  /// Statuses that came with what stands around the thread.
  private var surroundings: Set<String> = []
  /// When the server was asked last.
  package private(set) var seenAt: Timestamp?

  package init(_ server: MastodonServer) { self.server = server }

  /// - Returns: whether any of it was new.
  @discardableResult
  package mutating func add(_ answer: MastodonAnswer, at time: Timestamp) -> Bool {
    var isNew = false
    for status in answer.statuses { isNew = add(status, at: time) || isNew }
    refusals.formUnion(answer.refusals)
    return isNew
  }

  @discardableResult
  package mutating func add(_ status: MastodonStatus, at time: Timestamp) -> Bool {
    seenAt = Timestamp.later(seenAt, time)
    guard !status.isBoost else {
      boosts += 1
      return false
    }
    missing[status.id] = nil
    if case .limited(let word) = status.audience {
      statuses[status.id] = nil
      return withheld.updateValue(
        Withheld(account: status.account.id, inReplyTo: status.inReplyTo, word: word), forKey: status.id)
        == nil
    }
    return statuses.updateValue(status, forKey: status.id) == nil
  }

  /// Remembers which statuses stand around the thread.
  mutating func noteSurroundings(_ ids: some Sequence<String>) { surroundings.formUnion(ids) }

  /// Whether nothing was seen that everybody may see.
  var isEmpty: Bool { statuses.isEmpty }
  /// Whose a status is, by this server's id, whether or not it is stored.
  func account(of id: String) -> String? { place(id)?.account }
  /// What a status answers, by whomever.
  func parent(of id: String) -> String? { place(id)?.inReplyTo }

  /// Takes the earliest of some statuses that answer each other in a circle to answer nobody, as a circle has no first one.
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

  /// Who wrote a status and what it answers, whether or not it is stored.
  private func place(_ id: String) -> (account: String, inReplyTo: String?)? {
    if let status = statuses[id] { return (status.account.id, status.inReplyTo) }
    return withheld[id].map { ($0.account, $0.inReplyTo) }
  }

  /// The status of the same account that one answers; `nil` where it begins a chain.
  ///
  /// Of one that was not seen only the answer itself says whose it is: an account's own, below another's status, names that other
  /// account there.
  private func ownParent(of id: String) -> String? {
    guard let place = place(id), let parent = place.inReplyTo else { return nil }
    if let above = self.place(parent) { return above.account == place.account ? parent : nil }
    return statuses[id]?.inReplyToAccount == place.account ? parent : nil
  }

  /// The first status of the chain that one is in: replies are followed upwards while they are the account's own. It may be one that
  /// was not seen.
  package func top(of id: String) -> String {
    var id = id
    var visited: Set<String> = [id]
    while let parent = ownParent(of: id), visited.insert(parent).inserted { id = parent }
    return id
  }

  /// For each status of an account, the first one of its chain: all in one walk, as each is passed once.
  private func tops(by account: String) -> [String: String] {
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

  /// Statuses of the chain that begins with one, by the same account.
  package func chain(from top: String, by account: String) -> Set<String> {
    let tops = tops(by: account)
    return Set(
      statuses.values.filter { status in
        guard status.account.id == account, let own = tops[status.id] else { return false }
        // What stands below the thread and answers an own post that nobody saw continues it, with a gap.
        return own == top || place(own) == nil && surroundings.contains(status.id)
      }.map(\.id))
  }

  /// The chains of an account, each by itself: its first status, and all that is known of it.
  func chains(by account: String) -> [(top: String, part: MastodonFetchIndex)] {
    Dictionary(grouping: tops(by: account), by: \.value).map { top, members in
      var part = MastodonFetchIndex(server)
      part.seenAt = seenAt
      for (id, _) in members {
        part.statuses[id] = statuses[id]
        part.withheld[id] = withheld[id]
        // What is answered tells whether a chain is the account's own beginning.
        if let parent = place(id)?.inReplyTo, part.statuses[parent] == nil {
          part.statuses[parent] = statuses[parent]
        }
      }
      return (top, part)
    }
  }

  /// The own status that a chain's member answers and that nobody saw.
  package func unseenParents(of members: Set<String>) -> [String] {
    Set(members.compactMap { ownParent(of: $0) }.filter { place($0) == nil && missing[$0] == nil }).sorted()
  }

  /// All known statuses below some, by whomever.
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

  /// What was seen of a thread.
  ///
  /// - Parameters:
  ///   - top: its first status, by this server's id.
  ///   - account: whose it is, by this server's id.
  package func conversation(
    from top: String, by account: String, withReplies: Bool = false, source: SourceKind = .mastodonAPI
  ) -> (conversation: Conversation, notes: [String]) {
    var result = Conversation(id: server.post(top), authorID: server.author(account))
    var builder = Builder(server: server, seenAt: seenAt)
    let chain = chain(from: top, by: account)
    var members = chain
    if withReplies { members.formUnion(below(chain)) }
    for id in members.sorted() { if let status = statuses[id] { builder.add(status, isMember: true) } }
    // What the first post answers.
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
    let hidden = withheld.keys.filter { self.top(of: $0) == top && withheld[$0]?.account == account }
    if !hidden.isEmpty {
      notes.append(
        "\(hidden.count == 1 ? "1 post" : "\(hidden.count) posts") of the thread not everybody may see "
          + "(\(Set(hidden.compactMap { withheld[$0]?.word }).sorted().joined(separator: ", "))): left out.")
    }
    // A merge with nothing sorts every list.
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

  /// Posts and people of one conversation.
  private struct Builder {
    let server: MastodonServer
    let seenAt: Timestamp?
    var posts: [PostID: Post] = [:]
    var related: [PostID: Post] = [:]
    var authors: [AuthorID: Author] = [:]
    var tombstones: [Tombstone] = []
    var notes: [String] = []

    /// Quotes inside quotes are followed this far.
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
