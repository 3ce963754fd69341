import Basics
import NetworkSources
import SiteConfig
import ThreadModel

/// Reads a thread as servers give posts to each other: for servers that keep their API to their own people and show each post to anybody who asks for
/// it by its address, as snac does.
///
/// Every post costs a question. From the post given the thread is climbed by what each post answers, and then read downwards: by the lists of
/// answers that posts have (`replies`, in which Mastodon names the author's own first), by the list of a conversation (`context`, Mastodon 4.5),
/// and where a server has neither by the account's outbox, of which snac shows the latest twenty entries.
///
/// Facts: ActivityPub 3.2, 5, 7; Mastodon's `app/serializers/activitypub/note_serializer.rb`, `app/controllers/activitypub/replies_controller.rb` and
/// `contexts_controller.rb`; snac's `activitypub.c`.
struct ActivityReading: Sendable {
  /// What is known of a post that is needed to go on from it.
  private struct Place: Sendable {
    /// Where its author's account is.
    var author: String
    var replies: JSONValue?
    /// What a conversation is called by all of its posts.
    var context: String?
  }

  private let api: MastodonAPI
  private let server: MastodonServer
  private let wantsReplies: Bool
  /// Ids of accounts that their addresses do not tell, by what they are called instead.
  private let knownAccounts: [String: String]
  private(set) var search: MastodonThreads.Search
  private var places: [String: Place] = [:]
  /// Where posts are that some of those that were read answer, by their names.
  private var addresses: [String: String] = [:]
  private var actors: [String: ActivityActor] = [:]
  private var asked: Set<String> = []
  /// Posts whose lists of answers were read.
  private var described: Set<String> = []
  /// The author's own of which the server did not list the answers.
  private var unlisted: Set<String> = []
  private var foreignQuestions = 200
  /// Other servers that could not be asked, and are not asked again.
  private var unreachable: Set<String> = []

  /// Questions asked for one thread: a post needs two at most.
  private static let mostQuestions = 1000
  private static let mostPages = 10
  private static let mostOutboxPages = 20
  /// Other servers that do not answer, each of which takes its time: behind so many, no other server is asked any more.
  private static let mostUnreachable = 5
  /// Mastodon names so many answers of the author's with the post itself, before all others.
  private static let ownRepliesAtOnce = 5
  /// Pages of answers, none of them the author's, behind which none of these is looked for.
  private static let mostForeignPages = 3

  /// - Parameter known: what the store has of the thread.
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

  // MARK: Beginning

  /// Reads the post that leads to a thread.
  ///
  /// - Parameters:
  ///   - places: where it may be; the first that shows a post is taken.
  ///   - id: what the post is called by the API, as far as that is known.
  ///   - closure: what is thrown where the server shows it in no way.
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
            "\(server.name) answered with a post by an account of \(authors.sorted().joined(separator: ", ").asName), for which it "
              + "cannot speak: it is not taken.")
        }
        guard let name = try await take(fields, withQuote: true) else {
          said.append("what is no post of its own")
          continue
        }
        guard name == id || !ActivityNames.isOfAPI(name) else {
          throw SourceError(
            .content,
            "\(server.name) was asked for the post \(id) and answered with \(name): it is not taken.")
        }
        asked.insert(address)
        search.given = name
        search.account = search.fetchIndex.account(of: name) ?? ""
        return
      case .gone(.deleted):
        throw SourceError(.content, "\(server.name) says that the post \(address.asName) was deleted.")
      case .gone: said.append("that there is no such post for everybody")
      case .closed: said.append("that it tells servers alone")
      case .other(let words): said.append(words)
      }
    }
    guard let last = said.last else { throw closure }
    var error = closure
    error.message += " Other servers are told no more: asked by ActivityPub, it answers with \(last)."
    error.description = "error: \(error.message)"
    throw error
  }

  /// Asks for posts of the store once more, and notes what became of each.
  mutating func refresh(at posts: [Post]) async throws(SourceError) {
    for post in posts {
      guard let address = post.activityAddress, MastodonServer.host(of: address) == server.name else {
        continue
      }
      try checkStopped()
      asked.insert(address)
      switch try await api.activity(at: address, "post") {
      case .object(let fields):
        guard fields.text("id").flatMap(ActivityNames.post)?.id == post.id.value else { continue }
        _ = try await take(fields, withQuote: true)
      case .gone(let reason): search.fetchIndex.missing[post.id.value] = reason
      case .closed:
        throw api.closure(of: server)
          ?? SourceError(.access, "\(server.name) shows its posts to other servers alone by now.")
      case .other: continue
      }
    }
  }

  /// Goes on from a post that was read.
  mutating func goOn(from id: String) {
    search.given = id
    search.account = search.fetchIndex.account(of: id) ?? search.account
  }

  /// What became of an account: `nil` where it is there.
  func departure(of author: Author) async throws(SourceError) -> TombstoneReason? {
    guard let address = author.url else { return nil }
    switch try await api.activity(at: address, "account") {
    case .object(let fields):
      return ActivityActor(.object(fields.members))?.isSuspended == true ? .suspended : nil
    case .gone: return .deleted
    case .closed, .other: return nil
    }
  }

  // MARK: Reading a thread

  /// Reads what is missing from the thread that is known in part.
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
      if !isListed { note(.climbing) }
      if search.questions <= 0 { note(.timelineCut) }
    } catch {
      search.failure = error
      note(.fetchEnded)
    }
  }

  /// Up to the first post, and to what that answers.
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

  /// Reads the list of the conversation, where the server has one.
  private mutating func readContext() async throws(SourceError) {
    let members = [search.top, search.given]
    guard let context = members.compactMap({ places[$0]?.context }).first,
      MastodonServer.host(of: context) == server.name,
      // snac's name of a conversation is its first post's, with a word behind it.
      !asked.contains(String(context.prefix(upToBytes: "#")))
    else { return }
    let found = try await readList(.string(context), atMost: Self.mostOutboxPages, ownFirst: false).found
    search.fetchIndex.noteSurroundings(found)
  }

  /// Down every branch of the author's own answers, and of others' where these are wanted.
  ///
  /// - Returns: whether the server listed the answers to all posts that have none of the author's.
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

  /// Whether answers to a post are looked for: others' servers are not asked for more than the post.
  private func hasBranch(_ id: String) -> Bool {
    isOwn(id) || wantsReplies && search.elsewhere.posts[id] == nil
  }

  /// Asks for posts of the chain that others of it answer.
  private mutating func lookUpGaps() async throws(SourceError) {
    for id in search.fetchIndex.unseenParents(of: search.chain) {
      if let address = addresses[id] { try await read(address) }
    }
  }

  /// Reads a list of posts.
  ///
  /// - Parameter ownFirst: whether the author's own stand before those of others.
  /// - Returns: what the posts are called, and whether the list could be read to its end, or as far as the author's own go.
  private mutating func readList(
    _ list: JSONValue?, atMost most: Int, ownFirst: Bool
  ) async throws(SourceError) -> (found: [String], wasRead: Bool) {
    guard let list else { return ([], false) }
    var pages = ActivityPages(list, atMost: most)
    var found: [String] = []
    var foreignPages = 0
    while !pages.isAtEnd {
      if let address = pages.takeAddress() {
        guard MastodonServer.host(of: address) == server.name, try spend(),
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
    if pages.isCut { note(.timelineCut) }
    return (found, true)
  }

  /// Reads an entry of a list of posts: an address, or a post.
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

  /// Whether an answer can be of use, as far as its address tells.
  private func isWanted(_ address: String, on host: MastodonServer) -> Bool {
    guard !wantsReplies else { return true }
    guard host == server else { return false }
    // Where posts lie below their accounts, an address says whose they are.
    guard let actor = ownActor, let given = search.fetchIndex.statuses[search.given]?.uri, actor.owns(given)
    else {
      return true
    }
    return actor.owns(address)
  }

  /// The account whose thread it is.
  private var ownActor: ActivityActor? { places[search.given].flatMap { actors[$0.author] } }

  // MARK: The outbox

  /// Reads the account's own list, from its latest entries on, as far back as the thread's first post, and then what lies between these entries
  /// and the thread.
  ///
  /// - Returns: whether all that was written since the last known post of the thread was seen.
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
        guard MastodonServer.host(of: address) == server.name, try spend(),
          case .object(let page) = try await api.activity(at: address, "list")
        else { break reading }
        pages.put(page)
      }
      for entry in pages.takeEntries() {
        let note = entry["object"]?.object.map(MastodonFields.init)
        let time = note?.time("published") ?? entry["published"]?.string.flatMap { Timestamp(iso8601: $0) }
        if let time { oldest = oldest.map { min($0, time) } ?? time }
        guard let note, note.has("inReplyTo"), note["inReplyTo"] != nil else { continue }
        // The list is the account's word on its own posts, and on nobody else's.
        guard note.addresses("attributedTo").first == ownActor?.address,
          note.text("id").flatMap(MastodonServer.host) == server.name
        else { continue }
        let other = Self.context(of: note)
        if let context, let other, other != context { continue }
        let id = try await take(note, activity: entry.object, withQuote: true)
        // What is of the same conversation continues it behind a post that is gone.
        if let id, context != nil, other == context { search.fetchIndex.noteSurroundings([id]) }
      }
      if let oldest, let end, oldest < end {
        isWhole = true
        break
      }
    }
    try await join()
    // What was read has to meet the thread.
    let last = search.chain.compactMap { search.fetchIndex.statuses[$0]?.createdAt }.max()
    guard let oldest, let last, !pages.isCut || isWhole else { return isWhole }
    return isWhole || oldest <= last
  }

  /// Climbs from the author's posts that were seen towards the thread, as an outbox may begin in the middle of it.
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

  /// Reads a post by its address.
  ///
  /// - Returns: what it is called; `nil` where it cannot be had, and why is noted.
  @discardableResult
  private mutating func read(_ address: String) async throws(SourceError) -> String? {
    guard let name = name(of: address), asked.insert(address).inserted else { return nil }
    guard !search.fetchIndex.isKnown(name) else { return name }
    let host = MastodonServer.host(of: address) ?? ""
    let isForeign = host != server.name
    guard try spend() else { return nil }
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
      // Another server that cannot be reached, or lies, takes nothing from the thread; its own has to be asked again.
      guard isForeign || error.kind == .content, !error.endsTheRun else { throw error }
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

  /// Takes a post that its server gave.
  ///
  /// - Parameters:
  ///   - activity: the entry of an outbox that holds it.
  ///   - withQuote: whether what it quotes is read, too.
  /// - Returns: what it is called; `nil` for what is no post, or none of its server's.
  private mutating func take(
    _ note: MastodonFields, activity: JSONObject? = nil, withQuote: Bool
  ) async throws(SourceError) -> String? {
    guard var status = try await status(of: note, activity: activity), let id = status["id"]?.string else {
      return nil
    }
    if withQuote { try await addQuote(to: &status) }
    // What is made here is always one.
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

  /// A post in the API's words, with its account.
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
    let account = account(of: actor, address)
    var description = actor.account(id: account)
    if actor.server == server {
      api.remember(server.author(account), at: actor.address)
    } else {
      search.elsewhere.authors[account] = actor.server.author(
        ActivityNames.account(
          actor.address, name: actor.name, isOfSnac: ActivityNames.isOfSnac(address) && actor.owns(address)))
      description["acct"] = .string("\(actor.name)@\(actor.server.name)")
    }
    status["account"] = .object(description)
    if status.removeValue(forKey: ActivityNote.ownParent) != nil {
      status["in_reply_to_account_id"] = .string(account)
    }
    return status
  }

  /// Reads what a post quotes, as its own server gives it; one quote deep.
  private mutating func addQuote(to status: inout JSONObject) async throws(SourceError) {
    guard let id = status["quote_id"]?.string, let address = status["quote_url"]?.string,
      MastodonServer.host(of: address) != nil, try spend()
    else { return }
    let answer: ActivityAnswer
    do {
      let isPatient = MastodonServer.host(of: address) == server.name
      answer = try await api.activity(at: address, "post", isPatient: isPatient)
    } catch {
      // The post is there without it.
      guard !error.endsTheRun else { throw error }
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

  /// What a post is called here.
  private mutating func name(of address: String) -> String? {
    ActivityNames.post(address, readOn: server, &search.elsewhere.posts)
  }

  /// What all posts of a conversation name: snac and Mastodon have a `context`, older Mastodons a `conversation`.
  private static func context(of note: MastodonFields) -> String? {
    note.text("context") ?? note.text("conversation")
  }

  // MARK: Accounts

  /// An account, asked for once; one that is not told is known by its address.
  private mutating func actor(at address: String) async throws(SourceError) -> ActivityActor? {
    if let known = actors[address] { return known }
    var found = ActivityActor(address: address)
    do {
      let isPatient = MastodonServer.host(of: address) == server.name
      if try spend(),
        case .object(let fields) = try await api.activity(at: address, "account", isPatient: isPatient),
        fields.text("id") == address, let actor = ActivityActor(.object(fields.members))
      {
        found = actor
        api.web.count(users: 1)
      }
    } catch {
      guard !error.endsTheRun else { throw error }
    }
    actors[address] = found
    return found
  }

  /// What the account of a post is called here.
  private func account(of actor: ActivityActor, _ post: String) -> String {
    name(of: actor, isOfSnac: ActivityNames.isOfSnac(post) && actor.owns(post))
  }

  private func name(of actor: ActivityActor, isOfSnac: Bool) -> String {
    guard actor.server == server else { return "elsewhere-" + ContentHash.of(actor.address.utf8) }
    let id = ActivityNames.account(actor.address, name: actor.name, isOfSnac: isOfSnac)
    return knownAccounts[id] ?? id
  }

  // MARK: Bounds

  /// Notes once what could not be seen.
  private mutating func note(_ kind: CoverageLimit.Kind) {
    let limit = CoverageLimit(kind)
    if !search.limits.contains(limit) { search.limits.append(limit) }
  }

  private mutating func spend() throws(SourceError) -> Bool {
    try checkStopped()
    search.questions -= 1
    return search.questions >= 0
  }

  private func checkStopped() throws(SourceError) {
    guard !Task.isCancelled else { throw SourceError(.interrupted, "It was stopped.", endsTheRun: true) }
  }
}

extension Post {
  /// Where its server gives it to other servers: its name in ActivityPub, which is kept where it is not its page's address.
  var activityAddress: String? { extra["uri"]?.string ?? url }
}
