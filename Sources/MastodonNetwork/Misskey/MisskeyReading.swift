import Basics
import NetworkSources
import ThreadModel

/// Reads a thread from the API of Misskey and related servers, without a token.
///
/// From the given note, it climbs to the first post of the thread (`notes/conversation`). Then it requests the replies to each of the
/// author's posts (`notes/children`). These lack replies that are not public, below which the thread may continue. In that case, it also reads
/// the account's list of notes (`users/notes`). So the result is the same from any post of the thread. If a note is deleted, the server also
/// deletes the replies to it, so that there are no other gaps.
///
/// Sources: Misskey's `server/api/endpoints/notes/show.ts`, `conversation.ts`, `children.ts`, `users/notes.ts`, and `emoji.ts`.
struct MisskeyReading: ThreadReading {
  /// The result of requesting the post that leads to a thread.
  enum Beginning {
    case original
    /// The post is a copy of a post on another server.
    case copy(MastodonStatus)
    case missing
    /// The server does not have Misskey's API.
    case unsupported
  }

  private let api: MastodonAPI
  private let server: MastodonServer
  private let wantsReplies: Bool
  private(set) var search: MastodonThreads.Search
  /// The ids of posts whose replies were requested.
  private var described: Set<String> = []
  /// The ids of the known replies to each post.
  private var replies: [String: Set<String>] = [:]
  /// The ids of posts after which the account's list was read.
  private var listedFrom: Set<String> = []
  /// The number of posts that may still be read.
  private var postsLeft = mostPosts

  /// The maximum number of requests for one thread. A post with replies needs one.
  private static let mostQuestions = 1000
  private static let mostPosts = 20_000
  /// The maximum size of a page (`conversation.ts`, `children.ts`).
  private static let pageSize = 100
  /// The maximum number of pages of replies to one post.
  private static let mostPages = 20
  /// The maximum number of pages of the account's list after a post with a hidden reply.
  private static let mostListPages = 3
  /// The maximum number of notes of the list whose conversations are requested.
  private static let mostParts = 20
  /// The maximum number of distinct emoji that are looked up for one thread.
  private static let mostEmoji = 50
  /// The number of failed requests for emoji after which no further ones are looked up.
  private static let mostFailures = 10

  init(_ api: MastodonAPI, on server: MastodonServer, wantsReplies: Bool) {
    self.api = api
    self.server = server
    self.wantsReplies = wantsReplies
    search = MastodonThreads.Search(fetchIndex: MastodonFetchIndex(server), given: "", account: "")
    search.source = .misskeyAPI
    search.questions = Self.mostQuestions
  }

  /// Reads the post that leads to a thread.
  ///
  /// - Throws: an error of content if the post is a boost or not visible to everybody.
  mutating func begin(_ id: String) async throws(SourceError) -> Beginning {
    let status: MastodonStatus
    switch try await api.note(id, on: server) {
    case .note(let found): status = found
    case .hidden:
      throw SourceError(.content, "\(server.name) shows this post only to its users, so it is not stored.")
    case .missing: return .missing
    case .unsupported: return .unsupported
    }
    guard status.account.isLocal(on: server) else { return .copy(status) }
    guard !status.isBoost else { throw SourceError(boost: status) }
    add([status])
    goOn(from: id)
    return .original
  }

  mutating func goOn(from id: String) {
    search.given = id
    search.account = search.fetchIndex.account(of: id) ?? search.account
  }

  /// Requests posts of the store again, and records which of them have changed or are gone.
  ///
  /// - Returns: `false` if the server does not have Misskey's API.
  mutating func refresh(_ ids: [String]) async throws(SourceError) -> Bool {
    for id in ids { guard try await look(up: id) else { return false } }
    return true
  }

  func removal(of author: Author) async throws(SourceError) -> TombstoneReason? {
    let name = author.handle?.split(atBytes: "@").first.map(String.init)
    guard ActivityNames.isOfAPI(author.id.value) || name != nil else { return nil }
    let parameters: JSONObject =
      ActivityNames.isOfAPI(author.id.value)
      ? ["userId": .string(author.id.value)] : ["username": .string(name ?? "")]
    switch try await api.misskey("users/show", parameters, on: server) {
    case .value(let user): return user["isSuspended"]?.bool == true ? .suspended : nil
    case .refused("NO_SUCH_USER"): return .deleted
    case .refused, .unsupported: return nil
    }
  }

  // MARK: Reading a thread

  mutating func complete() async {
    do {
      try await climb()
      repeat {
        try await descend()
        // A post below a hidden one may have branches, and may be the last one above another hidden one.
      } while try await readList()
      if search.questions <= 0 || postsLeft <= 0 { search.note(.timelineCut) }
      try await addEmoji()
    } catch {
      search.failure = error
      search.note(.fetchEnded)
    }
  }

  /// Climbs to the first post of the thread, and to another account's post that the first post answers.
  private mutating func climb() async throws(SourceError) {
    var id = search.given
    var visited: Set<String> = [id]
    while let parent = search.fetchIndex.parent(of: id) {
      guard visited.insert(parent).inserted else {
        search.fetchIndex.breakCircle(of: visited)
        return
      }
      if !search.fetchIndex.isKnown(parent), try spend() { add(try await ancestors(of: id)) }
      if !search.fetchIndex.isKnown(parent), try spend() { _ = try await look(up: parent) }
      guard search.fetchIndex.account(of: parent) == search.account else { return }
      id = parent
    }
  }

  /// Reads every branch of the author's own replies downwards and, if wanted, of other authors' replies.
  private mutating func descend() async throws(SourceError) {
    let known = Array(search.fetchIndex.statuses.keys) + Array(search.fetchIndex.withheld.keys)
    var open = known.filter { hasBranch($0) }.sorted()
    while let id = open.popLast() {
      guard described.insert(id).inserted,
        // The number of replies includes those that are not public.
        search.fetchIndex.statuses[id]?.fields.count("replies_count") != 0
      else { continue }
      if !isOwn(id) {
        guard search.questionsForReplies > 0 else {
          search.note(.repliesCut)
          continue
        }
        search.questionsForReplies -= 1
      }
      open += try await readReplies(to: id).filter { hasBranch($0) }
    }
  }

  private func isOwn(_ id: String) -> Bool { search.fetchIndex.account(of: id) == search.account }
  private func hasBranch(_ id: String) -> Bool { isOwn(id) || wantsReplies }

  /// Reads the replies to a post, newest first. Some servers also return the replies to these replies.
  ///
  /// - Returns: the ids of all replies that were read.
  private mutating func readReplies(to id: String) async throws(SourceError) -> [String] {
    var found: [String] = []
    var before: String?
    var visited: Set<String> = []
    for _ in 0..<Self.mostPages {
      guard try spend() else { return found }
      var parameters: JSONObject = ["noteId": .string(id), "limit": .integer(Int64(Self.pageSize))]
      parameters["untilId"] = before.map { .string($0) }
      let page = try await api.notes("notes/children", parameters, on: server)
      // The list also has the quotes of the post.
      let replies = page.statuses.filter { $0.inReplyTo != nil }
      add(replies)
      found += replies.map(\.id)
      guard page.count >= Self.pageSize, let last = page.last, visited.insert(last).inserted else {
        return found
      }
      before = last
    }
    search.note(.timelineCut)
    return found
  }

  /// Reads the account's list after the earliest post with a hidden reply, and adds the posts that continue the thread below hidden ones.
  ///
  /// - Returns: whether there are any.
  private mutating func readList() async throws(SourceError) -> Bool {
    guard
      let cut = search.fetchIndex.earliest(
        of: search.chain.filter { !listedFrom.contains($0) && hasHiddenReply($0) }),
      listedFrom.insert(cut).inserted
    else { return false }
    var parts: [MastodonStatus] = []
    var after = cut
    for _ in 0..<Self.mostListPages {
      guard try spend() else { break }
      let page = try await api.notes(
        "users/notes",
        [
          "userId": .string(search.account), "sinceId": .string(after),
          "limit": .integer(Int64(Self.pageSize)),
          "withReplies": true, "includeReplies": true, "withRenotes": false,
        ], on: server)
      parts += page.statuses.filter { status in
        // A post that answers another account does not continue the thread.
        status.account.id == search.account && status.inReplyToAccount ?? search.account == search.account
          && !search.fetchIndex.isKnown(status.id)
          && (status.inReplyTo.map { !search.fetchIndex.isKnown($0) } ?? false)
      }
      guard page.count >= Self.pageSize, let last = page.last, last != after else { break }
      after = last
    }
    var isAnyFound = false
    var partsLeft = Self.mostParts
    for part in parts where !search.fetchIndex.isKnown(part.id) {
      if part.inReplyTo.map({ search.fetchIndex.isKnown($0) }) == true {
        add([part])
        continue
      }
      partsLeft -= 1
      guard partsLeft >= 0, try spend() else { break }
      let above = try await ancestors(of: part.id)
      guard !Set(above.map(\.id)).isDisjoint(with: search.chain) else { continue }
      add(above + [part])
      isAnyFound = true
    }
    return isAnyFound
  }

  /// Whether the server counts more replies to a post than are known.
  private func hasHiddenReply(_ id: String) -> Bool {
    guard let count = search.fetchIndex.statuses[id]?.fields.count("replies_count") else { return false }
    return count > (replies[id]?.count ?? 0)
  }

  /// Returns up to 100 posts above a post.
  private func ancestors(of id: String) async throws(SourceError) -> [MastodonStatus] {
    try await api.notes(
      "notes/conversation", ["noteId": .string(id), "limit": .integer(Int64(Self.pageSize))], on: server
    ).statuses
  }

  /// Requests one post, and records the reason if it is not shown.
  ///
  /// - Returns: `false` if the server does not have Misskey's API.
  private mutating func look(up id: String) async throws(SourceError) -> Bool {
    guard !Task.isCancelled else { throw SourceError.stopped }
    switch try await api.note(id, on: server) {
    case .note(let status): add([status])
    case .hidden: search.fetchIndex.missing[id] = .protected
    case .missing: search.fetchIndex.missing[id] = .notFound
    case .unsupported: return false
    }
    return true
  }

  private mutating func add(_ statuses: [MastodonStatus]) {
    for status in statuses.prefix(max(0, postsLeft)) {
      search.fetchIndex.add(status, at: api.now)
      if let parent = status.inReplyTo { replies[parent, default: []].insert(status.id) }
      postsLeft -= 1
    }
  }

  // MARK: Emoji

  /// Looks up the pictures of the server's own emoji in the author's posts. Newer servers state them only for copies of other servers' posts.
  private mutating func addEmoji() async throws(SourceError) {
    let own = search.chain.sorted().compactMap { search.fetchIndex.statuses[$0] }.map { status in
      (status, status.misskeyShortcodes.subtracting(status.fields.emoji().keys))
    }
    var pictures: [String: String] = [:]
    var failures = 0
    for code in Set(own.flatMap(\.1)).sorted().prefix(Self.mostEmoji) {
      guard failures < Self.mostFailures, try spend() else { break }
      do {
        pictures[code] = try await api.misskeyEmoji(code, on: server)
      } catch {
        // The texts are complete without pictures.
        guard !error.endsRun else { throw error }
        failures += 1
      }
    }
    for (status, codes) in own where !codes.isDisjoint(with: pictures.keys) {
      let found = codes.sorted().compactMap { code -> JSONValue? in
        pictures[code].map { ["shortcode": .string(code), "url": .string($0)] }
      }
      func adding(to members: JSONObject) -> JSONObject {
        var result = members
        result["emojis"] = .array((members["emojis"]?.array ?? []) + found)
        return result
      }
      var members = adding(to: status.fields.members)
      members["account"] = .object(adding(to: status.account.fields.members))
      guard let status = try? MastodonStatus(.object(members)) else { continue }  // it was one
      search.fetchIndex.add(status, at: api.now)
    }
  }

  // MARK: Limits

  /// Counts a request and returns whether it may be sent. Throws an error if the run was stopped.
  private mutating func spend() throws(SourceError) -> Bool {
    guard postsLeft > 0 else {
      guard !Task.isCancelled else { throw SourceError.stopped }
      return false
    }
    return try search.spend()
  }
}

extension MastodonStatus {
  /// The short codes in the text, the content warning, the poll and the author's name. Numbers between colons are times.
  fileprivate var misskeyShortcodes: Set<String> {
    var texts = [
      fields.string("content"), fields.string("spoiler_text"), account.fields.string("display_name"),
    ]
    texts += fields.fields("poll")?.list("options").map { $0.string("title") } ?? []
    var codes: Set<String> = []
    for text in texts.compactMap(\.self) where text.utf8.contains(UInt8(ascii: ":")) {
      for part in text.split(separator: ":", omittingEmptySubsequences: false).dropFirst().dropLast()
      where CustomEmoji.isShortcode(part) && !part.allSatisfy(\.isNumber) {
        codes.insert(String(part))
      }
    }
    return codes
  }
}
