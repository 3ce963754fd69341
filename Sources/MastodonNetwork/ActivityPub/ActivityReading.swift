import Basics
import NetworkSources
import SiteConfig
import ThreadModel

/// Reads a thread by ActivityPub, the protocol between servers. This is for servers such as snac, whose API is open only to their own users
/// but whose posts anybody can request at their URLs.
///
/// Every post costs a request. From the given post, the reading climbs to the first post of the thread, along the posts that each post
/// answers. Then it descends by posts' lists of replies (`replies`, in which Mastodon puts the author's own first), by the list of a
/// conversation (`context`, Mastodon 4.5), and, if the server has neither, by the account's outbox, of which snac shows the latest 20
/// entries.
///
/// Sources: ActivityPub 3.2, 5, 7; Mastodon's `app/serializers/activitypub/note_serializer.rb`,
/// `app/controllers/activitypub/replies_controller.rb` and `contexts_controller.rb`; snac's `activitypub.c`.
struct ActivityReading: ThreadReading {
  /// The members of a post from which the reading continues.
  private struct Place: Sendable {
    /// The URL of its author's account.
    var author: String
    var replies: JSONValue?
    /// The name of the conversation, the same in all of its posts.
    var context: String?
  }

  private let api: MastodonAPI
  private let server: MastodonServer
  private let wantsReplies: Bool
  /// The ids of accounts whose URLs do not contain the id, by provisional id.
  private let knownAccounts: [String: String]
  private(set) var search: MastodonThreads.Search
  private var places: [String: Place] = [:]
  /// The URLs of the posts that the posts read so far answer, by the id of the answered post.
  private var addresses: [String: String] = [:]
  /// Accounts by their URLs.
  private var actors: [String: ActivityActor] = [:]
  /// The URLs of posts that were requested.
  private var asked: Set<String> = []
  /// The ids of posts whose lists of replies were read.
  private var described: Set<String> = []
  /// The ids of the author's posts whose replies the server did not list.
  private var unlisted: Set<String> = []
  /// The number of requests to other servers that are left.
  private var foreignQuestions = 200
  /// The hosts of other servers that could not be reached. They are not asked again.
  private var unreachable: Set<String> = []

  /// The maximum number of requests for one thread. A post needs at most two.
  private static let mostQuestions = 1000
  private static let mostPages = 10
  private static let mostOutboxPages = 20
  /// The number of unreachable other servers after which no further ones are asked, because each costs the time of several attempts.
  private static let mostUnreachable = 5
  /// The maximum number of the author's replies that Mastodon includes in the post itself, before all other replies.
  private static let ownRepliesAtOnce = 5
  /// The number of pages without a reply by the author after which the reading of a list of replies stops.
  private static let mostForeignPages = 3

  /// - Parameter known: the thread in the store.
  init(_ api: MastodonAPI, on server: MastodonServer, wantsReplies: Bool, known: Conversation?) {
    self.api = api
    self.server = server
    self.wantsReplies = wantsReplies
    var accounts: [String: String] = [:]
    for author in known?.authors ?? [] where author.id.authority == server.name {
      guard ActivityNames.isOfAPI(author.id.value), let name = author.handle?.split(atBytes: "@").first else {
        continue
      }
      accounts[ActivityNames.provisional(String(name))] = author.id.value
    }
    knownAccounts = accounts
    search = MastodonThreads.Search(
      fetchIndex: MastodonFetchIndex(server), given: known?.id.value ?? "",
      account: known?.authorID.value ?? ""
    )
    search.source = .activityPub
    search.questions = Self.mostQuestions
  }

  // MARK: The first post

  /// Reads the post that leads to a thread.
  ///
  /// - Parameters:
  ///   - places: the URLs at which it may be. The first that returns a post is used.
  ///   - id: the id of the post in the API, as far as it is known.
  ///   - closure: the error thrown if no URL returns the post. The servers' responses are appended to its message.
  mutating func begin(at places: [String], id: String, closure: SourceError) async throws(SourceError) {
    var said: [String] = []
    for address in places where MastodonServer.host(of: address) == server.name {
      search.questions -= 1
      switch try await api.activity(at: address, "post") {
      case .object(let fields):
        let authors = Set(fields.addresses("attributedTo").compactMap(MastodonServer.host))
        guard authors.isEmpty || authors == [server.name] else {
          throw SourceError(
            .content,
            "rejected: \(server.name) returned a post by an account of \(authors.sorted().joined(separator: ", ").asName), "
              + "a different server.")
        }
        guard let name = try await take(fields, withQuote: true) else {
          said.append("something other than an original post")
          continue
        }
        guard name == id || !ActivityNames.isOfAPI(name) else {
          throw SourceError(
            .content,
            "rejected: \(server.name) returned the post \(name) instead of the post \(id).")
        }
        asked.insert(address)
        search.given = name
        search.account = search.fetchIndex.account(of: name) ?? ""
        return
      case .gone(.deleted):
        throw SourceError(.content, "\(server.name) reports that the post \(address.asName) was deleted.")
      case .gone: said.append("that no such post is public")
      case .closed: said.append("that only other servers may read it")
      case .other(let words): said.append(words)
      }
    }
    guard let last = said.last else { throw closure }
    var error = closure
    error.message += " ActivityPub does not help: the response was \(last)."
    throw error
  }

  /// Requests posts of the store again, and records which of them have changed or are gone.
  ///
  /// - Throws: an error of access if the server no longer shows its posts to clients.
  mutating func refresh(at posts: [Post]) async throws(SourceError) {
    for post in posts {
      guard let address = post.activityAddress, MastodonServer.host(of: address) == server.name else {
        continue
      }
      guard !Task.isCancelled else { throw SourceError.stopped }
      asked.insert(address)
      switch try await api.activity(at: address, "post") {
      case .object(let fields):
        guard fields.text("id").flatMap(ActivityNames.post)?.id == post.id.value else { continue }
        _ = try await take(fields, withQuote: true)
      case .gone(let reason): search.fetchIndex.missing[post.id.value] = reason
      case .closed:
        throw api.closure(of: server)
          ?? SourceError(.access, "\(server.name) now shows its posts only to other servers.")
      case .other: continue
      }
    }
  }

  /// Continues from a post that was read.
  mutating func goOn(from id: String) {
    search.given = id
    search.account = search.fetchIndex.account(of: id) ?? search.account
  }

  /// Returns the reason why an account is gone; `nil` if it still exists, or if the server does not state a reason.
  func removal(of author: Author) async throws(SourceError) -> TombstoneReason? {
    guard let address = author.url else { return nil }
    switch try await api.activity(at: address, "account") {
    case .object(let fields):
      return ActivityActor(.object(fields.members))?.isSuspended == true ? .suspended : nil
    case .gone: return .deleted
    case .closed, .other: return nil
    }
  }

  // MARK: Reading a thread

  /// Reads the missing posts of a partly known thread. An error ends the reading and is stored in `search.failure`.
  mutating func complete() async {
    do {
      try await climb()
      try await readContext()
      var isListed = try await descend()
      try await lookUpGaps()
      if !isListed {
        let isWhole = try await readOutbox()
        isListed = try await descend() || isWhole
        try await lookUpGaps()
      }
      if !isListed { search.note(.climbing) }
      if search.questions <= 0 { search.note(.timelineCut) }
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
      if !search.fetchIndex.isKnown(parent) {
        guard let address = addresses[parent] else { return }
        try await read(address)
      }
      guard search.fetchIndex.account(of: parent) == search.account else { return }
      id = parent
    }
  }

  /// Reads the list of the conversation, if the server has one.
  private mutating func readContext() async throws(SourceError) {
    let members = [search.top, search.given]
    guard let context = members.compactMap({ places[$0]?.context }).first,
      MastodonServer.host(of: context) == server.name,
      // snac's name of a conversation is the URL of its first post with a fragment. That post was already requested.
      !asked.contains(String(context.prefix(upToBytes: "#")))
    else { return }
    let found = try await readList(.string(context), atMost: Self.mostOutboxPages, ownFirst: false).found
    search.fetchIndex.noteSurroundings([search.given] + found)
  }

  /// Reads every branch of the author's own replies downwards and, if wanted, of other authors' replies.
  ///
  /// - Returns: whether the server listed the replies to every post of the author to which no reply by the author is known.
  private mutating func descend() async throws(SourceError) -> Bool {
    var open = search.fetchIndex.statuses.keys.filter { hasBranch($0) }.sorted()
    while let id = open.popLast() {
      guard search.questions > 0, described.insert(id).inserted else { continue }
      let (found, wasRead) = try await readList(places[id]?.replies, atMost: Self.mostPages, ownFirst: true)
      open += found.filter { hasBranch($0) }
      if isOwn(id), !wasRead { unlisted.insert(id) }
    }
    let answered = search.fetchIndex.statuses.values.filter { isOwn($0.id) }.compactMap(\.inReplyTo)
    return unlisted.subtracting(answered).isEmpty
  }

  private func isOwn(_ id: String) -> Bool { search.fetchIndex.account(of: id) == search.account }

  /// Whether replies to a post are read. Other servers are asked only for the post itself.
  private func hasBranch(_ id: String) -> Bool {
    isOwn(id) || wantsReplies && search.elsewhere.posts[id] == nil
  }

  /// Requests missing posts that posts of the chain answer.
  private mutating func lookUpGaps() async throws(SourceError) {
    for id in search.fetchIndex.unseenParents(of: search.chain) {
      if let address = addresses[id] { try await read(address) }
    }
  }

  /// Reads a list of posts.
  ///
  /// - Parameter ownFirst: whether the author's own posts come before those of others.
  /// - Returns: the ids of the posts, and whether the list could be read to its end, to the maximum number of pages, or to the end of the author's posts.
  private mutating func readList(
    _ list: JSONValue?, atMost most: Int, ownFirst: Bool
  ) async throws(SourceError) -> (found: [String], wasRead: Bool) {
    guard let list else { return ([], false) }
    var pages = ActivityPages(list, atMost: most)
    var found: [String] = []
    var foreignPages = 0
    while !pages.isAtEnd {
      if let address = pages.takeAddress() {
        guard MastodonServer.host(of: address) == server.name, try search.spend(),
          case .object(let page) = try await api.activity(at: address, "list")
        else { return (found, false) }
        pages.put(page)
      }
      let entries = pages.takeEntries()
      var own = 0
      for entry in entries {
        guard let id = try await read(entry: entry) else { continue }
        found.append(id)
        if isOwn(id) { own += 1 }
      }
      guard ownFirst, !wantsReplies, !entries.isEmpty else { continue }
      if own > 0, own < Self.ownRepliesAtOnce { return (found, true) }
      if own == 0 { foreignPages += 1 }
      if foreignPages == Self.mostForeignPages { return (found, true) }
    }
    if pages.isCut { search.note(.timelineCut) }
    return (found, true)
  }

  /// Reads an entry of a list of posts: a URL, or a post. Returns the post's id; `nil` if the post is not wanted or cannot be read.
  private mutating func read(entry: JSONValue) async throws(SourceError) -> String? {
    guard let address = entry.string ?? entry["id"]?.string, let place = ActivityNames.post(address) else {
      return nil
    }
    guard isWanted(address, on: place.server) else { return nil }
    if let known = name(of: address), search.fetchIndex.isKnown(known) { return known }
    if let object = entry.object, place.server == server, entry["content"] != nil {
      return try await take(MastodonFields(object), withQuote: true)
    }
    return try await read(address)
  }

  /// Whether a reply may be needed, judging by its URL.
  private func isWanted(_ address: String, on host: MastodonServer) -> Bool {
    guard !wantsReplies else { return true }
    guard host == server else { return false }
    // If posts' URLs begin with the account's URL, they identify the author.
    guard let actor = ownActor, let given = search.fetchIndex.statuses[search.given]?.uri, actor.owns(given)
    else {
      return true
    }
    return actor.owns(address)
  }

  /// The author of the thread.
  private var ownActor: ActivityActor? { places[search.given].flatMap { actors[$0.author] } }

  // MARK: The outbox

  /// Reads the account's outbox, newest entries first, back to the latest known post of the thread. Then reads the posts between these
  /// entries and the thread.
  ///
  /// - Returns: whether all entries since the latest known post of the thread were read.
  private mutating func readOutbox() async throws(SourceError) -> Bool {
    guard let outbox = ownActor?.outbox, MastodonServer.host(of: outbox) == server.name else { return false }
    let chain = search.chain
    let end = chain.compactMap { search.fetchIndex.statuses[$0]?.createdAt }.max()
    let context = places[search.top]?.context ?? places[search.given]?.context
    var pages = ActivityPages(.string(outbox), atMost: Self.mostOutboxPages)
    var isWhole = false
    var oldest: Timestamp?
    reading: while !pages.isAtEnd {
      if let address = pages.takeAddress() {
        guard MastodonServer.host(of: address) == server.name, try search.spend(),
          case .object(let page) = try await api.activity(at: address, "list")
        else { break reading }
        pages.put(page)
      }
      for entry in pages.takeEntries() {
        let note = entry["object"]?.object.map(MastodonFields.init)
        let time = note?.time("published") ?? entry["published"]?.string.flatMap { Timestamp(iso8601: $0) }
        if let time { oldest = oldest.map { min($0, time) } ?? time }
        guard let note, note.has("inReplyTo"), note["inReplyTo"] != nil else { continue }
        // An outbox has authority over its account's posts only.
        guard note.addresses("attributedTo").first == ownActor?.address,
          note.text("id").flatMap(MastodonServer.host) == server.name
        else { continue }
        let other = Self.context(of: note)
        if let context, let other, other != context { continue }
        let id = try await take(note, activity: entry.object, withQuote: true)
        // A post of the same conversation belongs to the thread even if the post that it answers is gone.
        if let id, context != nil, other == context {
          search.fetchIndex.noteSurroundings([search.given, id])
        }
      }
      if let oldest, let end, oldest < end {
        isWhole = true
        break
      }
    }
    try await join()
    // Complete only if the entries that were read reach back to the thread.
    let last = search.chain.compactMap { search.fetchIndex.statuses[$0]?.createdAt }.max()
    guard let oldest, let last, !pages.isCut || isWhole else { return isWhole }
    return isWhole || oldest <= last
  }

  /// Climbs from the author's posts that were read towards the thread, because an outbox may begin in the middle of the thread.
  private mutating func join() async throws(SourceError) {
    let own = search.fetchIndex.statuses.keys.filter { isOwn($0) }
    for start in search.fetchIndex.unseenParents(of: Set(own)) {
      var next: String? = start
      while let id = next, !search.fetchIndex.isKnown(id), let address = addresses[id],
        !asked.contains(address)
      {
        guard try await read(address) != nil, isOwn(id) else { break }
        next = search.fetchIndex.parent(of: id)
      }
    }
  }

  // MARK: Posts

  /// Reads a post by its URL.
  ///
  /// - Returns: its id; `nil` if it was requested before or cannot be read. If the server was asked, the reason is recorded.
  @discardableResult
  private mutating func read(_ address: String) async throws(SourceError) -> String? {
    guard let name = name(of: address), asked.insert(address).inserted else { return nil }
    guard !search.fetchIndex.isKnown(name) else { return name }
    let host = MastodonServer.host(of: address) ?? ""
    let isForeign = host != server.name
    guard try search.spend() else { return nil }
    if isForeign {
      foreignQuestions -= 1
      guard foreignQuestions >= 0, unreachable.count < Self.mostUnreachable, !unreachable.contains(host)
      else {
        return nil
      }
    }
    let answer: ActivityAnswer
    do {
      answer = try await api.activity(at: address, "post", isPatient: !isForeign)
    } catch {
      // An unreachable other server, or an invalid post, only leaves a gap in the thread. Any other failure of the thread's own server ends the reading.
      guard isForeign || error.kind == .content, !error.endsRun else { throw error }
      if error.kind != .content { unreachable.insert(host) }
      search.fetchIndex.missing[name] = .unknown
      return nil
    }
    switch answer {
    case .object(let fields):
      guard fields.text("id") == address else { break }
      return try await take(fields, withQuote: !isForeign)
    case .gone(let reason):
      search.fetchIndex.missing[name] = reason
      return nil
    case .closed, .other: break
    }
    search.fetchIndex.missing[name] = .unknown
    return nil
  }

  /// Adds a post that its server returned.
  ///
  /// - Parameters:
  ///   - activity: the entry of an outbox that contains it.
  ///   - withQuote: whether the quoted post is also requested.
  /// - Returns: its id; `nil` if the object is not a post, or is a post of another server.
  private mutating func take(
    _ note: MastodonFields, activity: JSONObject? = nil, withQuote: Bool
  ) async throws(SourceError) -> String? {
    guard var status = try await status(of: note, activity: activity), let id = status["id"]?.string else {
      return nil
    }
    if withQuote { try await addQuote(to: &status) }
    // The status created above is always valid.
    guard let status = try? MastodonStatus(.object(status)) else { return nil }
    search.fetchIndex.add(status, at: api.now)
    api.web.count(posts: 1)
    places[id] = Place(
      author: note.addresses("attributedTo").first ?? "", replies: note["replies"],
      context: Self.context(of: note))
    if let parent = status.inReplyTo, let address = note.addresses("inReplyTo").first {
      addresses[parent] = address
    }
    return id
  }

  /// Returns a post in the format of the API, with its account.
  private mutating func status(
    of note: MastodonFields, activity: JSONObject? = nil
  ) async throws(SourceError) -> JSONObject? {
    guard let address = note.text("id"), let host = MastodonServer.host(of: address),
      let author = note.addresses("attributedTo").first, MastodonServer.host(of: author) == host,
      let actor = try await actor(at: author)
    else { return nil }
    var entry: JSONObject = activity ?? ["type": "Create"]
    entry["object"] = .object(note.members)
    guard
      case .post(_, var status) = ActivityNote(
        .object(entry), by: actor, readOn: server, elsewhere: &search.elsewhere.posts),
      (status["content"]?.string?.utf8.count ?? 0) <= HTMLDocument.maximumBytes
    else { return nil }
    let isOfSnac = ActivityNames.isOfSnac(address) && actor.owns(address)
    let account = account(of: actor, isOfSnac: isOfSnac)
    var description = actor.account(id: account)
    if actor.server == server {
      api.remember(server.author(account), at: actor.address)
    } else {
      search.elsewhere.authors[account] = actor.server.author(
        ActivityNames.account(actor.address, name: actor.name, isOfSnac: isOfSnac))
      description["acct"] = .string("\(actor.name)@\(actor.server.name)")
    }
    status["account"] = .object(description)
    if status.removeValue(forKey: ActivityNote.ownParent) != nil {
      status["in_reply_to_account_id"] = .string(account)
    }
    return status
  }

  /// Requests the quoted post from its server and adds it; quotes in the quoted post are not followed.
  private mutating func addQuote(to status: inout JSONObject) async throws(SourceError) {
    guard let id = status["quote_id"]?.string, let address = status["quote_url"]?.string,
      MastodonServer.host(of: address) != nil, try search.spend()
    else { return }
    let answer: ActivityAnswer
    do {
      let isPatient = MastodonServer.host(of: address) == server.name
      answer = try await api.activity(at: address, "post", isPatient: isPatient)
    } catch {
      // The post is complete without its quote.
      guard !error.endsRun else { throw error }
      return
    }
    switch answer {
    case .object(let fields):
      guard fields.text("id") == address, let quoted = try await self.status(of: fields) else { return }
      status["quote"] = ["state": "accepted", "quoted_status": .object(quoted)]
    case .gone: status["quote"] = ["state": "deleted", "quoted_status_id": .string(id)]
    case .closed, .other: return
    }
  }

  /// Returns the id that represents a post in this reading.
  private mutating func name(of address: String) -> String? {
    ActivityNames.post(address, readOn: server, &search.elsewhere.posts)
  }

  /// Returns the name that all posts of a conversation share: `context` on snac and Mastodon, `conversation` on older versions of Mastodon.
  private static func context(of note: MastodonFields) -> String? {
    note.text("context") ?? note.text("conversation")
  }

  // MARK: Accounts

  /// Returns an account, which is requested once. If the server does not return it, only the URL of the account is known.
  private mutating func actor(at address: String) async throws(SourceError) -> ActivityActor? {
    if let known = actors[address] { return known }
    var found = ActivityActor(address: address)
    do {
      let isPatient = MastodonServer.host(of: address) == server.name
      if try search.spend(),
        case .object(let fields) = try await api.activity(at: address, "account", isPatient: isPatient),
        fields.text("id") == address, let actor = ActivityActor(.object(fields.members))
      {
        found = actor
        api.web.count(users: 1)
      }
    } catch {
      guard !error.endsRun else { throw error }
    }
    actors[address] = found
    return found
  }

  /// Returns the id that represents a post's account in this reading.
  private func account(of actor: ActivityActor, isOfSnac: Bool) -> String {
    guard actor.server == server else { return "elsewhere-" + ContentHash.of(actor.address.utf8) }
    let id = ActivityNames.account(actor.address, name: actor.name, isOfSnac: isOfSnac)
    return knownAccounts[id] ?? id
  }
}

extension Post {
  /// The post's URL in ActivityPub. It is stored separately only if it differs from the URL of the post's page.
  var activityAddress: String? { extra["uri"]?.string ?? url }
}
