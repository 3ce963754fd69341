import Basics
import NetworkSources
import ThreadModel

/// The contents of several responses, joined by id, with each post's author and conversation resolved where possible.
struct XAssembly {
  /// Why a post belongs to no conversation.
  enum Omission: Hashable {
    case isRepost
    case hasNoAuthor
  }

  /// The ids of the requested posts, in the order of the responses, and the invalid values found in place of ids.
  private(set) var asked: (posts: [String], badIDs: [String]) = ([], [])
  /// Every post with a known author, converted to the model; reposts are excluded.
  var posts: [String: Post] = [:]
  /// Which conversation each post is in.
  var conversationIDs = ConversationIDs<String>(XID.precedes)
  /// Ids of the requested posts.
  private var primary: Set<String> = []
  var omitted: [String: Omission] = [:]
  /// Ids of posts that were included because they were reposted, not because they were requested.
  private(set) var repeated: Set<String> = []
  /// Ids of posts from version 1.1 of the API. No further fields can be requested for them.
  var version1: Set<String> = []
  var context = XContext()
  /// Problems with posts and users that X did not return, by id, and when X reported them.
  private var missingPosts: [String: (problem: XProblem, at: Timestamp?)] = [:]
  var missingUsers: [String: (problem: XProblem, at: Timestamp?)] = [:]
  /// All times at which each post was fetched.
  var times: [String: [Timestamp?]] = [:]
  /// The observations of each post that was seen more than once.
  private var observations: [String: [XPost]] = [:]
  private var versions = PostVersions<String>(XID.precedes)
  /// The posts that a post answers and quotes, by the ids that X states. In ``posts``, they are the ids of the newest versions.
  private var stated: [String: (answered: PostID?, quoted: PostID?)] = [:]

  init(_ responses: [XResponse]) {
    let raw = collect(responses)
    findVersions(raw)
    resolve(raw)
  }

  /// Returns the id of a post's newest version, under which the post is stored.
  func current(_ id: String) -> String { versions.latest(id) }

  // MARK: Joining

  private mutating func collect(_ responses: [XResponse]) -> [String: XPost] {
    var seen = (
      posts: XObservations(), users: XObservations(), media: XObservations(), polls: XObservations()
    )
    for response in responses {
      for post in response.posts {
        asked.posts.append(post.id)
        if response.isVersion1 { version1.insert(post.id) }
        primary.insert(post.id)
        seen.posts.add(post.fields, key: post.id, fetchedAt: response.fetchedAt)
      }
      asked.badIDs += response.badIDs.map(Self.describe)
      for post in response.includedPosts {
        seen.posts.add(post.fields, key: post.id, fetchedAt: response.fetchedAt)
      }
      for user in response.users {
        if let id = user.id("id") { seen.users.add(user, key: id, fetchedAt: response.fetchedAt) }
      }
      for media in response.media {
        if let key = media.text("media_key") {
          seen.media.add(media, key: key, fetchedAt: response.fetchedAt)
        }
      }
      for poll in response.polls {
        if let id = poll.text("id") { seen.polls.add(poll, key: id, fetchedAt: response.fetchedAt) }
      }
      note(response.problems, at: response.fetchedAt)
    }
    for id in seen.users.keys {
      let authors = seen.users.all(id).compactMap { Author(x: $0.fields, observedAt: $0.fetchedAt) }
      context.users[id] = authors.dropFirst().reduce(authors.first) { $0?.merged(with: $1) }
    }
    for key in seen.media.keys { context.media[key] = seen.media.joined(key)?.fields }
    for id in seen.polls.keys { context.polls[id] = seen.polls.joined(id)?.fields }
    var raw: [String: XPost] = [:]
    for id in seen.posts.keys {
      guard let (fields, at) = seen.posts.joined(id) else { continue }
      raw[id] = XPost(id: id, fields, observedAt: at)
      times[id] = seen.posts.times(id)
      let all = seen.posts.all(id)
      if all.count > 1 {
        observations[id] = all.map { XPost(id: id, $0.fields, observedAt: $0.fetchedAt) }
      }
    }
    return raw
  }

  /// Describes an invalid id, cut to a length that fits a message.
  private static func describe(_ value: JSONValue?) -> String {
    switch value {
    case .string(let text)?: "\"\(text.prefix(24))\""
    case .integer(let number)?: "\(number), a number"
    case .number(let source)?: "\(source.prefix(24)), a number"
    case nil: "none"
    default: "no string"
    }
  }

  private mutating func note(_ problems: [XProblem], at time: Timestamp?) {
    for problem in problems {
      if let id = problem.missingPost { Self.keep(problem, at: time, for: id, in: &missingPosts) }
      if let id = problem.missingUser { Self.keep(problem, at: time, for: id, in: &missingUsers) }
    }
  }

  /// Keeps the latest problem, whatever the order of the responses.
  private static func keep(
    _ problem: XProblem, at time: Timestamp?, for id: String,
    in known: inout [String: (problem: XProblem, at: Timestamp?)]
  ) {
    func key(_ at: Timestamp?, _ problem: XProblem) -> (Int64, String) {
      (at?.milliseconds ?? .min, problem.detail ?? "")
    }
    if let old = known[id], key(time, problem) <= key(old.at, old.problem) { return }
    known[id] = (problem, time)
  }

  // MARK: Versions and conversations

  /// Finds posts that are versions of each other. A post replaces only posts by the same author, and only if the newer post is present.
  private mutating func findVersions(_ raw: [String: XPost]) {
    for (id, post) in raw {
      for replacing in (post.versions + [id]).compactMap({ raw[$0] }) {
        versions.add(replacing.id == id ? post.versions : [id], replacedBy: replacing.id) { earlier in
          raw[earlier].map { $0.authorID == replacing.authorID } ?? true
        }
      }
    }
    versions.resolve()
    for id in primary { primary.insert(current(id)) }
  }

  private mutating func resolve(_ raw: [String: XPost]) {
    var parents: [String: String] = [:]
    // The newest version comes last. An earlier version may state what the newest does not.
    for id in versions.isEmpty ? Array(raw.keys) : raw.keys.sorted(by: XID.precedes) {
      guard let post = raw[id] else { continue }
      if let answered = post.inReplyTo {
        parents[current(id)] = current(answered)
        if !versions.isEmpty { stated[current(id), default: (nil, nil)].answered = PostID(answered, on: .x) }
      }
      if let said = post.conversationID { conversationIDs.said[current(id)] = current(said) }
    }
    conversationIDs.resolve(parents)
    var earlierVersions: [String: Set<PostID>] = [:]
    for (earlier, last) in versions.replaced {
      earlierVersions[last, default: []].insert(PostID(earlier, on: .x))
    }
    for (id, post) in raw where !versions.isSuperseded(id) {
      if let original = post.reposted {
        omitted[id] = .isRepost
        if raw[original] != nil, !primary.contains(current(original)) { repeated.insert(current(original)) }
      } else if let author = post.authorID {
        // Observations are merged after conversion to the model, so that nested values, such as the card of a link, are merged as well.
        let seen = (observations[id] ?? [post]).map {
          Post(x: $0, author: author, conversation: conversationIDs.known(id), in: context)
        }
        guard var translated = seen.first else { continue }
        for other in seen.dropFirst() { translated = translated.merged(with: other) }
        translated.inReplyTo = parents[id].map { PostID($0, on: .x) }
        if !versions.isEmpty { stated[id, default: (nil, nil)].quoted = translated.quotes }
        translated.quotes = translated.quotes.map { PostID(current($0.value), on: .x) }
        if let earlier = earlierVersions[id] {
          translated.take(versions: earlier.union(translated.earlierVersions))
        }
        posts[id] = translated
      } else {
        omitted[id] = .hasNoAuthor
      }
    }
  }

  // The conversations, and the posts in each.
  //
  // A `Conversation` stands for one author's thread. If any post by the author of a conversation's first post was requested, that author
  // gets a `Conversation` with all known posts of X's conversation, by any author. If only posts by other authors were requested (their
  // replies in someone else's thread), each of these authors gets a `Conversation` with their posts and the chains of posts that these
  // answer. Posts that were only included do not start a conversation. If no response states a post's conversation, `ConversationIDs`
  // derives it from the post that it answers.

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

  /// Returns one conversation per author for the X conversations of which no post was requested: their posts were included because other
  /// posts repost, quote or answer them. They do not start a conversation, but may complete one from another response.
  func companions() -> [Conversation] {
    let members = Dictionary(grouping: posts.values) { conversationIDs.conversation($0.id.value) }
    var result: [Conversation] = []
    for (id, posts) in members where !posts.contains(where: { primary.contains($0.id.value) }) {
      for (author, own) in Dictionary(grouping: posts, by: \.authorID) {
        result.append(conversation(id, by: author, own))
      }
    }
    return result.sorted { ($0.id, $0.authorID) < ($1.id, $1.authorID) }
  }

  /// Returns the author of the first post; if that post is missing, the author whom a direct reply to it names. If no post states the
  /// conversation, the missing post may not be its first.
  private func author(ofConversation id: String, _ posts: [Post]) -> AuthorID? {
    if let first = self.posts[id] { return first.authorID }
    guard posts.contains(where: { conversationIDs.known($0.id.value) != nil }) else { return nil }
    return ConversationReferences.author(of: PostID(id, on: .x), answeredBy: posts)
  }

  /// Returns an author's posts and the posts above them that they answer, within the limit of `ConversationReferences`.
  private func withAncestors(_ posts: [Post]) -> [Post] {
    ConversationReferences.above(posts.map(\.id)) { self.posts[$0.value]?.inReplyTo }.compactMap {
      self.posts[$0.value]
    }
  }

  func conversation(
    _ id: String, by author: AuthorID, _ members: [Post], beside: [Post] = []
  ) -> Conversation {
    var facts = Conversation(id: PostID(id, on: .x), authorID: author)
    facts.posts = members
    facts.related = ConversationReferences.quoted(by: members) { posts[$0.value] }
    let quoted = Set(facts.related.map(\.id))
    facts.related += beside.filter { !quoted.contains($0.id) }
    let shown = Set((facts.posts + facts.related).map(\.id))
    facts.posts = facts.posts.map { asStated($0, outside: shown) }
    facts.related = facts.related.map { asStated($0, outside: shown) }
    facts.tombstones = tombstones(id, facts.posts + facts.related)
    let times = facts.posts.flatMap { self.times[$0.id.value] ?? [] }
    facts.provenance = Set(times).map { Provenance(source: .xAPI, fetchedAt: $0) }
    facts.authors = ConversationReferences.people(in: facts.posts + facts.related, by: author).compactMap {
      context.users[$0.value]
    }
    // Merging with an empty conversation sorts every list.
    return Conversation(id: facts.id, authorID: author).merged(with: facts)
  }

  /// Returns a post with the ids that X states for the posts it answers and quotes, unless the conversation has their newest versions.
  ///
  /// Another response without the newer version leads to the same post, so the order of imports does not matter. ``XPlacement`` replaces the
  /// ids when a newer version joins the conversation.
  private func asStated(_ post: Post, outside shown: Set<PostID>) -> Post {
    guard let stated = stated[post.id.value] else { return post }
    var post = post
    if let answered = post.inReplyTo, !shown.contains(answered) { post.inReplyTo = stated.answered }
    if let quoted = post.quotes, !shown.contains(quoted) { post.quotes = stated.quoted }
    return post
  }

  // MARK: Missing posts

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

  /// Returns a tombstone with X's reason for a missing post, or for its missing author; `nil` if X gave no reason.
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

extension XAssembly {
  /// Returns the conversation with the selected posts and the posts that they quote.
  func conversation(_ selection: XSelection) -> Conversation {
    let members = Set(selection.posts.map(current))
    let beside = Set(selection.related.map(current)).subtracting(members)
    return conversation(
      current(selection.conversation), by: AuthorID(selection.author, on: .x),
      members.compactMap { posts[$0] }, beside: beside.compactMap { posts[$0] })
  }
}

/// A caller's choice of the posts of a conversation and of its author, in place of the ones that an import would infer.
package struct XSelection: Hashable, Sendable {
  /// The id of the conversation's first post.
  package var conversation: String
  /// The id of the author whose thread it is.
  package var author: String
  /// Ids of the conversation's posts. Ids that occur in no response are ignored.
  package var posts: Set<String>
  /// Ids of further related posts. Quoted posts are included without being listed here.
  package var related: Set<String>

  package init(conversation: String, author: String, posts: Set<String>, related: Set<String> = []) {
    self.conversation = conversation
    self.author = author
    self.posts = posts
    self.related = related
  }
}

/// Objects seen in several responses, joined by id, independent of the order of the responses.
struct XObservations {
  private struct Observation {
    var fields: XFields
    var fetchedAt: Timestamp?
  }

  private var observations: [String: [Observation]] = [:]

  mutating func add(_ fields: XFields, key: String, fetchedAt: Timestamp?) {
    observations[key, default: []].append(Observation(fields: fields, fetchedAt: fetchedAt))
  }

  var keys: [String] { observations.keys.sorted { $0.precedesInBytes($1) } }

  /// Returns the object, with each member from the latest response that has the member.
  func joined(_ key: String) -> (fields: XFields, fetchedAt: Timestamp?)? {
    guard let all = observations[key], let first = all.first else { return nil }
    guard all.count > 1 else { return (first.fields, first.fetchedAt) }
    let sorted = Self.sorted(all)
    let fields = sorted.dropFirst().reduce(sorted[0].fields) { $0.merged(with: $1.fields) }
    return (fields, sorted.last?.fetchedAt)
  }

  /// Returns the object as each response has it.
  func all(_ key: String) -> [(fields: XFields, fetchedAt: Timestamp?)] {
    (observations[key] ?? []).map { ($0.fields, $0.fetchedAt) }
  }

  /// Returns the times at which the object was fetched, one for each observation.
  func times(_ key: String) -> [Timestamp?] { (observations[key] ?? []).map(\.fetchedAt) }

  /// Sorts by time, unknown times first, and observations of the same time by their bytes, so that the order of files does not matter.
  private static func sorted(_ all: [Observation]) -> [Observation] {
    let unknown = Timestamp(milliseconds: .min)
    let keyed = all.map {
      (
        time: $0.fetchedAt ?? unknown, bytes: JSONWriter.text(of: .object($0.fields.members), .compact).bytes,
        $0
      )
    }
    return keyed.sorted {
      $0.time != $1.time ? $0.time < $1.time : $0.bytes.lexicographicallyPrecedes($1.bytes)
    }.map(\.2)
  }
}
