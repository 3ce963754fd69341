import JSONText
import NetworkSources
import SiteConfig
import ThreadModel

extension BlueskySession {
  func recheck(
    _ conversations: [Conversation], onDeleted: SiteConfig.Fetch.Deletion
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    var reading = BlueskyReading(api, now: now)
    var known: Set<RecordAddress> = []
    let addresses = conversations.flatMap { $0.posts + $0.related }
      .filter { $0.id.platform == .bluesky }.map { RecordAddress($0) }.filter { known.insert($0).inserted }
    var departures = Departures(now: now)
    var unclear: [RecordAddress] = []
    do throws(SourceError) {
      try await reading.lookUp(addresses)
      let missing = addresses.filter { reading.sightings.posts[$0] == nil }
      unclear = try await findCauses(of: missing, reading, &departures)
    } catch {
      result.failure = error
      // What was not answered is as it was.
      result.conversations = conversations
      return result
    }
    let unsure = Set(unclear.map(\.postID))
    result.conversations = conversations.map { old in
      let fresh = reading.sightings.fresh(of: old)
      let posts = old.posts + old.related
      let isWhole = !posts.contains { unsure.contains($0.id) }
      return departures.apply(to: old, fresh: fresh, onDeleted, isWhole: isWhole)
    }
    if let first = unclear.first {
      let count = unclear.count == 1 ? "1 post" : "\(unclear.count) posts"
      result.notes.append(
        "Bluesky did not show \(count) (\(first.text)\(unclear.count > 1 ? ", …" : "")), though the account still has it. Left as before; "
          + "the next check asks again.")
    }
    return result
  }

  /// Why posts are not shown: their accounts say it, or they are gone one by one.
  ///
  /// The AppView is silent on what it does not show, which may be a fault. So of each account one post is asked for by itself.
  ///
  /// - Returns: posts of which nobody knows.
  private func findCauses(
    of missing: [RecordAddress], _ reading: BlueskyReading, _ departures: inout Departures
  ) async throws(SourceError) -> [RecordAddress] {
    var unclear: [RecordAddress] = []
    for (did, posts) in Dictionary(grouping: missing, by: \.did).sorted(by: { $0.key < $1.key }) {
      var open: [RecordAddress] = []
      for post in posts {
        let reason = reading.sightings.missing[post]?.reason ?? .notFound
        if reason == .notFound {
          open.append(post)
        } else {
          departures.causes[post.postID] = .init(reason)
        }
      }
      guard let first = open.first else { continue }
      if let reason = try await reasonOfAccount(did) {
        for post in open { departures.causes[post.postID] = .init(reason) }
        // Who shows posts only to those who are signed in has an account all the same.
        if reason == .suspended || reason == .deleted {
          departures.closedAccounts[AuthorID(did, on: .bluesky)] = reason
        }
        continue
      }
      if case .value(let record) = try await api.record(first), record["value"] != nil {
        unclear += open
      } else {
        for post in open { departures.causes[post.postID] = .init(.notFound) }
      }
    }
    return unclear
  }

  /// Why none of an account's posts is shown; `nil` for an account that is as others are.
  func reasonOfAccount(_ did: String) async throws(SourceError) -> TombstoneReason? {
    switch try await api.profile(did) {
    case .value(let view): return isSignedInOnly(view) ? .signedInOnly : nil
    case .refused(let name, let message):
      guard let reason = BlueskyAccountState.reason(ofError: name, message) else {
        throw api.refusal(name, message, "app.bsky.actor.getProfile")
      }
      return reason
    }
  }
}

extension BlueskySightings {
  /// What was seen of a conversation's posts.
  fileprivate func fresh(of old: Conversation) -> Conversation {
    var fresh = Conversation(id: old.id, authorID: old.authorID)
    fresh.posts = old.posts.compactMap { posts[RecordAddress($0)] }
    fresh.related = old.related.compactMap { posts[RecordAddress($0)] }
    let people = Set((fresh.posts + fresh.related).map(\.authorID))
    fresh.authors = people.compactMap { authors[$0] }
    if !fresh.posts.isEmpty { fresh.provenance = [Provenance(source: .blueskyAPI, fetchedAt: now)] }
    return fresh
  }
}
