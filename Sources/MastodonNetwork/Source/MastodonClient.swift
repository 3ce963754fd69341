import Basics
import NetworkSources
import SiteConfig
import ThreadModel

/// The pipeline's client for servers of the Fediverse, for one run. Responses are not stored between runs, because requests are free, so all
/// sessions are the same.
struct MastodonClient: SourceClient, SourceSession {
  let api: MastodonAPI
  private var threads: MastodonThreads { MastodonThreads(api: api) }

  func session(named name: String) -> any SourceSession { self }

  var usage: SourceUsage { api.web.usage }

  func threads(
    of requests: [ThreadRequest], stored: @escaping @Sendable (PostID, AuthorID) -> Conversation?
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    var places: [PostID: Int] = [:]
    /// The conversations of the posts of their authors.
    var homes: [PostID: Int] = [:]
    for (position, request) in requests.enumerated() {
      if Task.isCancelled {
        result.failure = SourceError.stopped
        break
      }
      do {
        let start = try await find(request)
        let server = start.server
        // The post is in a thread that was already found.
        if let place = homes[server.post(start.id)], !request.wantsReplies {
          result.found.append(result.conversations[place].id)
          continue
        }
        let search = await threads.search(from: start, wantsReplies: request.wantsReplies)
        let known = request.known ?? stored(server.post(search.top), server.author(search.account))
        let (conversation, notes) = threads.conversation(
          search, withReplies: request.wantsReplies, known: known)
        for note in notes { api.say(note) }
        let place = places[conversation.id] ?? result.conversations.count
        if place < result.conversations.count {
          result.conversations[place] = result.conversations[place].merged(with: conversation)
        } else {
          places[conversation.id] = place
          result.conversations.append(conversation)
        }
        let author = result.conversations[place].authorID
        for post in conversation.posts where post.authorID == author {
          homes[post.id] = min(homes[post.id] ?? place, place)
        }
        result.found.append(conversation.id)
        if let failure = search.failure { result.failure = failure }
        if search.failure?.endsRun == true { break }
      } catch {
        if error.endsRun {
          result.failure = error
          break
        }
        result.refused[position] = error
      }
    }
    return result
  }

  /// Returns the post of a request, read from its author's server.
  ///
  /// - Throws: an error of content if the post is missing, a boost or not visible to everybody.
  private func find(_ request: ThreadRequest) async throws(SourceError) -> MastodonStart {
    let place = request.reference.flatMap(MastodonPlace.init) ?? request.postID.flatMap(MastodonPlace.init)
    guard let place else {
      throw SourceError(.content, "The URL does not identify a post on a server.")
    }
    let server = place.server
    let addresses =
      (request.known.map { $0.addresses(of: place.id) } ?? [])
      + [request.reference?.address].compactMap(\.self)
    let start = try await look(for: place, at: addresses, request)
    guard case .status(let status, _) = start else { return start }
    if !status.account.isLocal(on: server) { return try await home(of: status, seenOn: server, request) }
    try check(status, server)
    if status.isBoost { throw SourceError(boost: status) }
    guard status.audience.isOpen else {
      throw SourceError(
        .content,
        "This post is not public, so it is not stored, although the token of \(server.name) can read it.")
    }
    return start
  }

  /// Reads a post from its server's API, or by ActivityPub if the API is closed. The form of the URL decides which API is asked first: only
  /// servers of the Misskey family have posts at `/notes/`. Some of them have only Mastodon's API.
  ///
  /// - Parameter addresses: the URLs at which ActivityPub may find it.
  private func look(
    for place: MastodonPlace, at addresses: [String], _ request: ThreadRequest?
  ) async throws(SourceError) -> MastodonStart {
    if addresses.contains(where: MastodonAddresses.isOfMisskey) || request?.known?.isOfMisskey == true,
      let start = try await note(at: place, wantsReplies: request?.wantsReplies ?? false)
    {
      return start
    }
    do throws(SourceError) {
      if let status = try await api.status(place.id, on: place.server) {
        return .status(status, place.server)
      }
      // When its API is disabled, snac responds as if the post did not exist.
      guard addresses.contains(where: ActivityNames.isOfSnac) else { throw notFound(place) }
    } catch {
      guard let closure = api.closure(of: place.server), closure == error else { throw error }
    }
    var reading = ActivityReading(
      api, on: place.server, wantsReplies: request?.wantsReplies ?? false, known: request?.known)
    try await reading.begin(
      at: addresses, id: place.id, closure: api.closure(of: place.server) ?? notFound(place))
    guard reading.search.fetchIndex.statuses[reading.search.given] != nil else {
      throw SourceError(.content, "This post is not public, so it is not stored.")
    }
    return .reading(reading)
  }

  /// Reads a note from the API of Misskey and related servers; `nil` if the server does not have this API.
  private func note(at place: MastodonPlace, wantsReplies: Bool) async throws(SourceError) -> MastodonStart? {
    var reading = MisskeyReading(api, on: place.server, wantsReplies: wantsReplies)
    switch try await reading.begin(place.id) {
    case .unsupported: return nil
    case .missing: throw notFound(place)
    case .copy(let status): return .status(status, place.server)
    case .original:
      guard reading.search.fetchIndex.statuses[reading.search.given] != nil else {
        throw SourceError(.content, "This post is not public, so it is not stored.")
      }
      return .reading(reading)
    }
  }

  private func notFound(_ place: MastodonPlace) -> SourceError {
    SourceError(
      .content,
      "\(place.server.name) has no public post \(place.id): it was deleted, is not public, or the "
        + "URL is wrong.")
  }

  /// Reads a post from its author's server, by the URL in a copy of the post on another server.
  private func home(
    of copy: MastodonStatus, seenOn server: MastodonServer, _ request: ThreadRequest? = nil
  ) async throws(SourceError) -> MastodonStart {
    let addresses = [copy.url, copy.uri].compactMap(\.self)
    guard let place = addresses.lazy.compactMap({ MastodonPlace(address: $0) }).first, place.server != server
    else {
      throw SourceError(
        .content,
        "\(server.name) has a copy of a post whose own URL is \(addresses.first ?? "unknown"), which "
          + "this version cannot fetch.")
    }
    let start = try await look(for: place, at: addresses.reversed(), request)
    // A post that was not read from Mastodon's API was requested by its URL: no further check is needed.
    guard case .status(let home, _) = start else { return start }
    let names = Set(addresses)
    guard home.account.isLocal(on: place.server),
      [home.uri, home.url].contains(where: { $0.map(names.contains) ?? false })
    else {
      throw SourceError(
        .content,
        "rejected: \(server.name) names the original as \(place.id) on \(place.server.name), but that is another post."
      )
    }
    try check(home, place.server)
    guard home.audience.isOpen, !home.isBoost else { throw notFound(place) }
    return start
  }

  /// Rejects a post that belongs to a server other than the one that returned it.
  private func check(_ status: MastodonStatus, _ server: MastodonServer) throws(SourceError) {
    let hosts = [status.url, status.uri].compactMap { $0.flatMap(MastodonServer.host) }
    guard hosts.contains(server.name) else {
      throw SourceError(
        .content,
        "rejected: \(server.name) returned a post of \(hosts.first ?? "no server"), a different server."
      )
    }
  }

  func threads(
    by account: AccountRequest, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads {
    await threads.threads(by: account, known: known)
  }

  /// The maximum number of threads found by a hashtag, if the request has no limit.
  static let mostTagged = 100
  /// The maximum number of pages of a hashtag, of 40 posts each, that are read in one run.
  static let mostTagPages = 25

  /// Returns the threads of the public posts with a hashtag; single posts are left out.
  func threads(
    matching query: String, limit: Int?, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    guard let hashtag = MastodonHashtag(query: query) else {
      result.failure = SourceError(
        .content,
        "Only hashtags can be searched, with a URL such as https://social.example/tags/gardening."
      )
      return result
    }
    let most = limit ?? Self.mostTagged
    var found: Set<PostID> = []
    var seen: Set<PostID> = []
    var closed: [String: Int] = [:]
    var before: String?
    var asked: Set<String> = []
    pages: for _ in 0..<Self.mostTagPages {
      do throws(SourceError) {
        let page = try await api.statuses(with: hashtag, before: before)
        for copy in page.answer?.statuses ?? [] where copy.mayBeOfThread {
          guard !Task.isCancelled else {
            throw SourceError.stopped
          }
          guard found.count < most else { break pages }
          do throws(SourceError) {
            try await take(copy, from: hashtag.server, known, &found, &seen, &result)
          } catch {
            guard !error.endsRun else { throw error }
            closed[copy.url.flatMap(MastodonServer.host) ?? hashtag.server.name, default: 0] += 1
          }
        }
        guard let next = page.next, asked.insert(next).inserted, !page.isEmpty else { break }
        before = next
      } catch {
        result.failure = error
        break
      }
    }
    if !closed.isEmpty {
      let count = closed.values.reduce(0, +)
      let servers = closed.keys.sorted().prefix(10).map(\.asName).joined(separator: ", ")
      result.notes.append(
        "\(count == 1 ? "1 post" : "\(count) posts") with #\(hashtag.name.asName) could not be fetched from "
          + "\(closed.count == 1 ? "the author's server" : "their authors' servers") (\(servers)\(closed.count > 10 ? " and others" : ""))."
      )
    }
    return result
  }

  /// Adds the thread of a post with a hashtag to the result.
  private func take(
    _ copy: MastodonStatus, from server: MastodonServer, _ known: (PostID) -> Bool,
    _ found: inout Set<PostID>, _ seen: inout Set<PostID>, _ result: inout FetchedThreads
  ) async throws(SourceError) {
    // The first post of a stored thread is not requested again. Its URL contains its id on its own server.
    let place = copy.account.isLocal(on: server) ? nil : copy.url.flatMap { MastodonPlace(address: $0) }
    let first = (place?.server ?? server).post(place?.id ?? copy.id)
    if copy.inReplyTo == nil, known(first) {
      if found.insert(first).inserted { result.found.append(first) }
      return
    }
    let start =
      copy.account.isLocal(on: server) ? .status(copy, server) : try await self.home(of: copy, seenOn: server)
    let home = start.server
    if case .status(let status, _) = start {
      try check(status, home)
      guard status.audience == .everybody, !status.isBoost else { return }
    }
    // The post is in a thread that was already read.
    guard seen.insert(home.post(start.id)).inserted else { return }
    let search = await threads.search(from: start, wantsReplies: false)
    if search.failure?.endsRun == true, let failure = search.failure { throw failure }
    seen.formUnion(search.chain.map(home.post))
    let top = search.fetchIndex.statuses[search.top]
    // A thread has at least two posts by its author, and its first post is public and not a reply.
    guard top?.inReplyTo == nil, top?.audience ?? .everybody == .everybody, search.chain.count > 1 else {
      return
    }
    let (conversation, notes) = threads.conversation(
      search, withReplies: false, known: nil, foundBy: .conversation)
    result.notes += notes
    guard found.insert(conversation.id).inserted else { return }
    result.found.append(conversation.id)
    result.conversations.append(conversation)
  }

  func recheck(
    _ conversations: [Conversation], onDeleted: SiteConfig.Fetch.Deletion
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    for conversation in conversations {
      guard result.failure?.endsRun != true else {
        result.conversations.append(conversation)
        continue
      }
      do {
        let (checked, notes) = try await threads.recheck(conversation, onDeleted: onDeleted)
        result.conversations.append(checked)
        result.notes += notes
      } catch {
        result.conversations.append(conversation)
        result.failure = error
      }
    }
    return result
  }

  func profile(of author: AuthorID, followers: Int) async -> FetchedProfile {
    // An account without an API id has no profile until one of its threads has been fetched.
    guard let host = author.authority, ActivityNames.isOfAPI(author.value) else { return FetchedProfile() }
    let server = MastodonServer(host)
    do throws(SourceError) {
      guard let account = try await api.account(author.value, on: server) else {
        if let profile = try await misskeyProfile(of: author, on: server) {
          return FetchedProfile(profile: profile)
        }
        throw SourceError(.content, "\(server.name) no longer has the account \(author.value).")
      }
      var profile = Profile(author: account.author(on: server, seenAt: api.now), observedAt: api.now)
      var before: String?
      var asked: Set<String> = []
      while profile.followers.count < followers {
        guard let page = try await api.followers(of: account.id, before: before, on: server) else { break }
        profile.followers += page.accounts.map { account in
          var author = account.author(on: server, seenAt: api.now)
          // Followers' bios are not shown, so only the emoji of their names are kept.
          author.emoji = InlineText(author.name ?? "", marking: author.emoji).emoji
          return author
        }
        guard let next = page.next, asked.insert(next).inserted, !page.accounts.isEmpty else { break }
        before = next
      }
      profile.followers = Array(profile.followers.prefix(followers))
      return FetchedProfile(profile: profile)
    } catch {
      guard error.kind == .noCredential else { return FetchedProfile(failure: error) }
      if let profile = await profile(toldBy: author) { return profile }
      // Servers of the Misskey family may have Mastodon's API only for their own users.
      do throws(SourceError) {
        if let profile = try await misskeyProfile(of: author, on: server) {
          return FetchedProfile(profile: profile)
        }
      } catch { return FetchedProfile(failure: error) }
      return FetchedProfile(failure: error)
    }
  }

  /// Returns an author's profile read from Misskey's API, without followers; `nil` if the server does not have this API, or not the account.
  private func misskeyProfile(
    of author: AuthorID, on server: MastodonServer
  ) async throws(SourceError) -> Profile? {
    guard
      case .value(let value) = try await api.misskey(
        "users/show", ["userId": .string(author.value)], on: server),
      let user = value.object.flatMap({ MisskeyUser(MastodonFields($0), on: server) }),
      let account = try? MastodonAccount(MastodonFields(user.account)),  // it has an id and a name
      account.id == author.value, account.isLocal(on: server)
    else { return nil }
    api.web.count(users: 1)
    return Profile(author: account.author(on: server, seenAt: api.now), observedAt: api.now)
  }

  /// Returns an author's profile read by ActivityPub, without followers; `nil` unless a thread of the author was read by ActivityPub in this run.
  private func profile(toldBy author: AuthorID) async -> FetchedProfile? {
    guard let host = author.authority, let address = api.address(of: author) else { return nil }
    do throws(SourceError) {
      // The account created from an actor is always valid.
      guard case .object(let fields) = try await api.activity(at: address, "account"),
        let actor = ActivityActor(.object(fields.members)), actor.address == address,
        let account = try? MastodonAccount(MastodonFields(actor.account(id: author.value)))
      else { return nil }
      let described = account.author(on: MastodonServer(host), seenAt: api.now)
      return FetchedProfile(profile: Profile(author: described, observedAt: api.now))
    } catch {
      return FetchedProfile(failure: error)
    }
  }
}

/// A search for a thread that reads the posts in another way than by Mastodon's API.
protocol ThreadReading: Sendable {
  var search: MastodonThreads.Search { get }

  /// Continues from a post that was read.
  mutating func goOn(from id: String)
  /// Reads the missing posts of a partly known thread. An error ends the reading and is stored in `search.failure`.
  mutating func complete() async
  /// Returns the reason why an account is gone; `nil` if it still exists, or if the server does not state a reason.
  func removal(of author: Author) async throws(SourceError) -> TombstoneReason?
}

/// The post from which the search for a thread begins, by the protocol by which it was read.
enum MastodonStart: Sendable {
  /// Read from the server's API.
  case status(MastodonStatus, MastodonServer)
  /// Read by ActivityPub or from Misskey's API.
  case reading(any ThreadReading)

  var id: String {
    switch self {
    case .status(let status, _): status.id
    case .reading(let reading): reading.search.given
    }
  }

  var server: MastodonServer {
    switch self {
    case .status(_, let server): server
    case .reading(let reading): reading.search.fetchIndex.server
    }
  }
}

extension Conversation {
  /// Returns the URLs of a post in ActivityPub.
  fileprivate func addresses(of id: String) -> [String] {
    (posts + related).filter { $0.id.value == id }.compactMap(\.activityAddress)
  }
}

extension MastodonStatus {
  /// Whether a public post may be in a thread: it answers a post by its author, or is not a reply and may have replies.
  fileprivate var mayBeOfThread: Bool {
    guard audience == .everybody, !isBoost else { return false }
    if inReplyTo != nil { return inReplyToAccount == account.id }
    return fields.count("replies_count").map { $0 > 0 } ?? true
  }
}

/// The location of a post: its server, and its id there.
struct MastodonPlace: Hashable, Sendable {
  var server: MastodonServer
  var id: String

  init?(_ reference: PostReference) {
    guard MastodonServer.isID(reference.id), let host = MastodonServer.host(of: reference.address) else {
      return nil
    }
    (server, id) = (MastodonServer(host), reference.id)
  }

  init?(_ post: PostID) {
    guard let host = post.authority, post.platform == .mastodon, MastodonServer.isID(post.value) else {
      return nil
    }
    (server, id) = (MastodonServer(host), post.value)
  }

  init?(address: String) {
    guard let address = try? NetworkAddress(address), let post = try? MastodonAddresses().post(address)
    else { return nil }
    self.init(post)
  }
}

extension SourceError {
  /// The error for a boost in place of a post.
  init(boost status: MastodonStatus) {
    let original = status.fields.fields("reblog")?.text("url").flatMap(WebAddress.safe)
    self.init(
      .content,
      "This is a boost of another account's post\(original.map { "; use the original: \($0)" } ?? "").")
  }
}
