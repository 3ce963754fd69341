import JSONText
import NetworkSources
import SiteConfig
import ThreadModel

/// Bluesky for one run: an AppView that answers everybody, the directory of accounts, and their own servers.
struct BlueskySourceClient: SourceClient {
  let api: BlueskyAPI
  /// When the run began.
  let now: Timestamp

  /// What arrives costs nothing, so nothing is kept for a run that is stopped: what was saved is not asked for again.
  func session(named name: String) -> any SourceSession { BlueskySession(api: api, now: now) }

  var usage: SourceUsage { api.web.usage }
}

/// One thing that is asked of Bluesky.
struct BlueskySession: SourceSession {
  let api: BlueskyAPI
  let now: Timestamp

  func threads(
    of requests: [ThreadRequest], stored: @escaping @Sendable (PostID, AuthorID) -> Conversation?
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    var done: Set<PostID> = []
    for (position, request) in requests.enumerated() {
      guard !Task.isCancelled, result.failure?.endsTheRun != true else { break }
      do throws(SourceError) {
        let starts = try await self.starts(of: request)
        // Another post of a thread that came before.
        if request.known == nil, starts.contains(where: { done.contains($0.postID) }) { continue }
        var reading = BlueskyReading(api, now: now)
        let found = try await reading.readThread(
          of: starts, by: request.known?.authorID.value, wantsReplies: request.wantsReplies)
        if let note = renaming(request, found.did, reading) { result.notes.append(note) }
        var conversation = reading.conversation(found, wantsReplies: request.wantsReplies)
        let known = request.known ?? stored(conversation.id, conversation.authorID)
        if let known { conversation = conversation.joined(to: known) }
        if found.failure?.kind != .interrupted || known == nil {
          done.formUnion(conversation.posts.filter { $0.authorID == conversation.authorID }.map(\.id))
        }
        result.conversations.removeAll { $0.id == conversation.id && $0.authorID == conversation.authorID }
        result.conversations.append(conversation)
        result.failure = result.failure ?? found.failure
      } catch {
        if error.kind == .interrupted || error.endsTheRun {
          result.failure = error
        } else {
          result.refused[position] = error
        }
      }
    }
    return result
  }

  /// The posts that are asked for, one after the other until one is shown: the one that is named, or some of the author's of a thread
  /// that is known.
  private func starts(of request: ThreadRequest) async throws(SourceError) -> [RecordAddress] {
    if let known = request.known {
      let own = known.posts.filter { $0.authorID == known.authorID && $0.departure == nil }
        .sorted { ($0.createdAt?.milliseconds ?? 0, $0.id) < ($1.createdAt?.milliseconds ?? 0, $1.id) }
      let chosen = [own.first { $0.id == known.id }, own.first, own.last].compactMap {
        $0.map { RecordAddress($0) }
      }
      if !chosen.isEmpty { return chosen }
    }
    guard let reference = request.reference, let account = reference.handle else {
      throw SourceError(.content, "Of this thread no post is known that could be asked for.")
    }
    let did = account.hasPrefix("did:") ? account : try await api.resolve(handle: account)
    return [RecordAddress(did: did, key: reference.id)]
  }

  /// That somebody is called otherwise than the address says.
  private func renaming(_ request: ThreadRequest, _ did: String, _ reading: BlueskyReading) -> String? {
    guard let name = request.reference?.handle, !name.hasPrefix("did:"),
      let handle = reading.sightings.authors[AuthorID(did, on: .bluesky)]?.handle,
      handle.lowercased() != name.lowercased()
    else { return nil }
    return "@\(name) is called @\(handle) now"
  }

  func profile(of author: AuthorID, followers count: Int) async -> FetchedProfile {
    do throws(SourceError) {
      guard case .value(let view) = try await api.profile(author.value), !isSignedInOnly(view),
        let person = Author(bluesky: view, at: now)
      else { return FetchedProfile() }
      api.web.count(users: 1)
      var profile = Profile(author: person, followers: [], observedAt: now)
      do throws(SourceError) {
        profile.followers = try await followers(of: author.value, count)
      } catch {
        return FetchedProfile(profile: profile, failure: error)
      }
      return FetchedProfile(profile: profile)
    } catch {
      return FetchedProfile(failure: error)
    }
  }

  private func followers(of did: String, _ count: Int) async throws(SourceError) -> [Author] {
    var found: [Author] = []
    var cursor: String?
    var seen: Set<String> = []
    while found.count < count {
      guard case .value(let page) = try await api.followers(did, limit: count - found.count, cursor: cursor)
      else {
        break
      }
      let views = page["followers"]?.array ?? []
      api.web.count(users: views.count)
      // Who shows nothing to strangers is not shown to them.
      for view in views where found.count < count && !isSignedInOnly(view) {
        if let person = Author(bluesky: view, at: now) { found.append(person) }
      }
      guard let next = page["cursor"]?.string, seen.insert(next).inserted, seen.count <= 20 else { break }
      cursor = next
    }
    return found
  }

  func isSignedInOnly(_ view: JSONValue) -> Bool { BlueskyLabels(account: view, at: now).isForSignedIn }
}

extension RecordAddress {
  /// A post that is known.
  init(_ post: Post) { self.init(did: post.authorID.value, key: post.id.value) }
}

extension BlueskyReading {
  func conversation(_ found: Found, wantsReplies: Bool) -> Conversation {
    var result = sightings.conversation(root: found.root, by: found.did, withReplies: wantsReplies)
    result.coverage = found.coverage
    result.coverage.checkedAt = found.failure == nil ? sightings.now : nil
    return result
  }
}

extension Conversation {
  /// This one, which was read now, with what was known before. What was known was not asked about one by one: only a recheck does that.
  func joined(to known: Conversation) -> Conversation {
    var result = known.merged(with: self)
    result.coverage = coverage
    result.coverage.expectedPosts = coverage.expectedPosts ?? known.coverage.expectedPosts
    result.coverage.checkedAt = known.coverage.checkedAt
    return result
  }
}
