import JSONText
import ThreadModel

/// All that the answers hold, joined by id, with each post's author and conversation settled where they can be.
struct XAssembly {
  /// Why a post is in no conversation.
  enum Omission: Hashable {
    case isRepost
    case hasNoAuthor
  }

  /// Ids of posts that were asked for, in the order of the answers, and what stood where one should be.
  private(set) var asked: (posts: [String], badIDs: [String]) = ([], [])
  /// Every post that can be told whose it is, translated, reposts left out.
  var posts: [String: Post] = [:]
  /// Which conversation each of them is in.
  var conversationIDs = XConversationIDs()
  /// Ids of posts that were asked for.
  var primary: Set<String> = []
  var omitted: [String: Omission] = [:]
  /// Posts that came along because they were repeated, and were not asked for.
  private(set) var repeated: Set<String> = []
  /// Ids of posts that version 1.1 gave, which cannot be asked for more.
  var version1: Set<String> = []
  var context = XContext()
  /// What could not be had, by the id of the post or user, and when X said so.
  var missingPosts: [String: (problem: XProblem, at: Timestamp?)] = [:]
  var missingUsers: [String: (problem: XProblem, at: Timestamp?)] = [:]
  /// When a post was fetched: all times.
  var times: [String: [Timestamp?]] = [:]
  /// Each sighting of posts that were seen more than once.
  private var sightings: [String: [XPost]] = [:]
  private var versions = PostVersions<String>(XID.precedes)

  init(_ responses: [XResponse]) {
    let raw = collect(responses)
    findVersions(raw)
    settle(raw)
  }

  /// The id under which a post is known: that of its newest version.
  func current(_ id: String) -> String { versions.latest(id) }

  // MARK: Joining

  private mutating func collect(_ responses: [XResponse]) -> [String: XPost] {
    var seen = (posts: XSightings(), users: XSightings(), media: XSightings(), polls: XSightings())
    for response in responses {
      for post in response.posts {
        if let id = post.id("id") {
          asked.posts.append(id)
          if response.isVersion1 { version1.insert(id) }
          primary.insert(id)
          seen.posts.add(post, key: id, fetchedAt: response.fetchedAt)
        } else {
          asked.badIDs.append(Self.describe(post["id"]))
        }
      }
      for post in response.includedPosts {
        if let id = post.id("id") { seen.posts.add(post, key: id, fetchedAt: response.fetchedAt) }
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
      raw[id] = XPost(id: id, fields: fields, observedAt: at)
      times[id] = seen.posts.times(id)
      let all = seen.posts.all(id)
      if all.count > 1 {
        sightings[id] = all.map { XPost(id: id, fields: $0.fields, observedAt: $0.fetchedAt) }
      }
    }
    return raw
  }

  /// A value that is no id, short enough to show.
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

  /// Keeps the latest word, whatever the order in which the words came.
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

  // MARK: Settling

  /// Nobody's post replaces another's, and none is replaced by one that is not here.
  private mutating func findVersions(_ raw: [String: XPost]) {
    for (id, post) in raw {
      for replacing in (post.versions + [id]).compactMap({ raw[$0] }) {
        versions.add(replacing.id == id ? post.versions : [id], replacedBy: replacing.id) { earlier in
          raw[earlier].map { $0.authorID == replacing.authorID } ?? true
        }
      }
    }
    versions.settle()
    for id in primary { primary.insert(current(id)) }
  }

  private mutating func settle(_ raw: [String: XPost]) {
    var parents: [String: String] = [:]
    for (id, post) in raw where !versions.isSuperseded(id) {
      parents[id] = post.inReplyTo.map(current)
      if let said = post.conversationID {
        conversationIDs.said[id] = current(said)
      } else if !post.isReply {
        conversationIDs.said[id] = id
      }
    }
    conversationIDs.settle(parents)
    var earlierVersions: [String: Set<PostID>] = [:]
    for (earlier, last) in versions.replaced {
      earlierVersions[last, default: []].insert(PostID(earlier, on: .x))
    }
    for (id, post) in raw where !versions.isSuperseded(id) {
      if let original = post.reposted {
        omitted[id] = .isRepost
        if raw[original] != nil, !primary.contains(current(original)) { repeated.insert(current(original)) }
      } else if let author = post.authorID {
        // Sightings are joined when they are understood: what stands deep in them, such as the card of a link, is joined then, too.
        let seen = (sightings[id] ?? [post]).map {
          Post(x: $0, author: author, conversation: conversationIDs.known(id), in: context)
        }
        guard var translated = seen.first else { continue }
        for other in seen.dropFirst() { translated = translated.merged(with: other) }
        translated.inReplyTo = translated.inReplyTo.map { PostID(current($0.value), on: .x) }
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
}
