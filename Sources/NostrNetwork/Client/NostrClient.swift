import Basics
import HTTPTransport
import NetworkSources
import SiteConfig
import ThreadModel

/// The client for Nostr in one run. It reads from the relays of site.yml, and from a few relays that references name. It does not store events for
/// interrupted runs, because requests are free, so all sessions are the same.
struct NostrClient: SourceClient, SourceSession {
  let relays: NostrRelays
  let names: NostrNames
  /// The time at which the run began.
  let now: Timestamp

  init(_ run: SourceRun, limits: RelayLimits = RelayLimits(), timing: RetryTiming = .live) {
    relays = NostrRelays(run, limits: limits, timing: timing)
    names = NostrNames(relays.web)
    now = run.now()
  }

  func session(named name: String) -> any SourceSession { self }

  var usage: SourceUsage { relays.web.usage }

  private func reading() -> NostrReading { NostrReading(relays: relays, names: names, now: now) }

  func threads(
    of requests: [ThreadRequest], stored: @escaping @Sendable (PostID, AuthorID) -> Conversation?
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    var done: Set<PostID> = []
    for (position, request) in requests.enumerated() {
      guard !Task.isCancelled, result.failure?.endsRun != true else { break }
      do throws(SourceError) {
        let starts = try self.starts(of: request)
        // The post belongs to a thread that an earlier request has fetched.
        if request.known == nil, starts.contains(where: done.contains) { continue }
        let (conversation, failure) = try await read(request, from: starts, stored)
        result.failure = result.failure ?? failure
        if failure?.kind != .interrupted {
          done.formUnion(conversation.posts.filter { $0.authorID == conversation.authorID }.map(\.id))
        }
        result.conversations.removeAll { $0.id == conversation.id && $0.authorID == conversation.authorID }
        result.conversations.append(conversation)
      } catch {
        if error.kind == .interrupted || error.endsRun {
          result.failure = error
        } else {
          result.refused[position] = error
        }
      }
    }
    result.notes += relays.takeNotes()
    return result
  }

  private func read(
    _ request: ThreadRequest, from starts: [PostID], _ stored: (PostID, AuthorID) -> Conversation?
  ) async throws(SourceError) -> (Conversation, SourceError?) {
    var reading = reading()
    let found = try await reading.readThread(
      of: starts, named: request.reference.map(Self.relays) ?? [], by: request.known?.authorID.value,
      wantsReplies: request.wantsReplies)
    var conversation = try reading.conversation(of: found, wantsReplies: request.wantsReplies)
    let known = request.known ?? stored(conversation.id, conversation.authorID)
    if let known {
      conversation.authors = reading.keepingHandles(of: known.authors, in: conversation.authors)
      conversation = conversation.joined(to: known)
    }
    return (conversation, found.failure)
  }

  /// Returns the posts to request one after the other until one is found. For a known thread, these are its first post and the author's
  /// oldest and newest post; otherwise, the post in the request.
  private func starts(of request: ThreadRequest) throws(SourceError) -> [PostID] {
    if let known = request.known {
      let own = PostOrder.sorted(known.posts.filter { $0.authorID == known.authorID && $0.removal == nil })
      let chosen = [own.first { $0.id == known.id }, own.first, own.last].compactMap { $0?.id }
        .filter { NostrID.reference($0) != nil }
      if !chosen.isEmpty { return chosen }
    }
    guard let post = request.reference?.postID ?? request.postID, NostrID.reference(post) != nil else {
      throw SourceError(.content, "No post of this thread is known, so it cannot be fetched.")
    }
    return [post]
  }

  /// Returns the URLs of relays that a reference names.
  private static func relays(of reference: PostReference) -> [String] {
    switch NostrAddresses.reference(to: reference) {
    case .event(_, let relays, _, _), .replaceable(_, let relays): relays
    case .profile, nil: []
    }
  }

  // MARK: Accounts

  func threads(
    by request: AccountRequest, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    do throws(SourceError) {
      let key = try await key(of: request.account)
      var list = NostrList(reading(), of: key, request)
      do throws(SourceError) {
        try await list.read()
      } catch {
        result.failure = error
      }
      let isWhole = await list.collect(into: &result, known: known)
      // If posts are missing because of an error, the progress is not saved, so that the next run reads them again.
      if isWhole { result.progress = list.progress }
    } catch {
      result.failure = error
    }
    result.notes += relays.takeNotes()
    return result
  }

  /// Returns the public key of an account: the one in its reference, or the one to which a domain assigns its name.
  private func key(of account: AccountReference) async throws(SourceError) -> String {
    if let id = account.authorID?.value, NostrHex.isKey(id) { return id }
    let text = account.instance.map { "\(account.handle)@\($0)" } ?? account.handle
    guard let name = NostrName(text) else {
      throw SourceError(.content, "\(account) is not an account of Nostr; use its npub1….")
    }
    guard let key = try await names.key(of: name) else {
      throw SourceError(
        .content,
        "\(name.domain) assigns the name \(name) to no account. Use the account's npub1…, which never changes."
      )
    }
    return key
  }

  /// Returns an author's newest profile. Relays do not know an account's followers.
  func profile(of author: AuthorID, followers: Int) async -> FetchedProfile {
    guard NostrHex.isKey(author.value) else { return FetchedProfile() }
    var reading = reading()
    do throws(SourceError) {
      try await reading.readProfiles(of: [author.value])
      await reading.confirmNames(of: [author.value])
      guard let person = reading.threads.author(author) else { return FetchedProfile() }
      return FetchedProfile(profile: Profile(author: person, observedAt: now))
    } catch {
      return FetchedProfile(failure: error)
    }
  }

  // MARK: Known posts

  func recheck(
    _ conversations: [Conversation], onDeleted: SiteConfig.Fetch.Deletion
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    var authors: [PostID: String] = [:]
    for post in conversations.flatMap({ $0.posts + $0.related }) where NostrID.reference(post.id) != nil {
      authors[post.id] = post.authorID.value
    }
    var reading = reading()
    do throws(SourceError) {
      try await reading.readAgain(authors)
    } catch {
      result.failure = error
      // Without a response, the conversations stay unchanged.
      result.conversations = conversations
      result.notes += relays.takeNotes()
      return result
    }
    let threads = reading.threads
    var removals = Removals(now: now)
    for post in conversations.flatMap({ $0.posts + $0.related })
    where threads.deletions.removal(of: post) != nil {
      removals.causes[post.id] = .init(.deleted)
    }
    result.conversations = conversations.map { old in
      removals.apply(
        to: old, fresh: fresh(old, threads, reading), onDeleted, isWhole: reading.failed.isEmpty)
    }
    let forgotten = authors.keys.filter { reading.isMissing($0) && removals.causes[$0] == nil }.sorted()
    if let first = forgotten.first, reading.failed.isEmpty {
      result.notes.append(
        "No relay has \(forgotten.count == 1 ? "1 post" : "\(forgotten.count) posts") (\(first.value)\(forgotten.count > 1 ? ", …" : "")) "
          + "any more, and no deletion was found. Relays forget posts, so nothing was changed.")
    }
    result.notes += relays.takeNotes()
    return result
  }

  /// Returns a conversation with those posts of `old` that were read again.
  private func fresh(_ old: Conversation, _ threads: NostrThreads, _ reading: NostrReading) -> Conversation {
    var fresh = Conversation(id: old.id, authorID: old.authorID)
    fresh.posts = old.posts.compactMap { threads.post($0.id) }
    fresh.related = old.related.compactMap { threads.post($0.id) }
    let authors = Set((fresh.posts + fresh.related).map(\.authorID)).compactMap { threads.author($0) }
    fresh.authors = reading.keepingHandles(of: old.authors, in: authors)
    if !fresh.posts.isEmpty { fresh.provenance = [Provenance(source: .nostrRelay, fetchedAt: now)] }
    return fresh
  }
}
