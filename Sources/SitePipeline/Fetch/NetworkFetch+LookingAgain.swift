import MediaMirror
import NetworkSources
import SiteConfig
import ThreadModel
import ThreadStore

extension NetworkFetch {
  /// Threads looked up in one go: their ids share batches of a hundred, and what came is saved before the next ones.
  private static let portion = 50

  /// Looks all posts of these threads up again: what is gone leaves the store or is marked, what is new joins it.
  func lookAgain(at files: [StoredFile]) async {
    let counter = ProgressCounter("Looking again", total: files.count, progress)
    var gone: [AuthorID: Departure] = [:]
    for start in stride(from: 0, to: files.count, by: Self.portion) {
      guard !tally.isStopped(platform), !Task.isCancelled else { return }
      let portion = files[start..<min(start + Self.portion, files.count)]
      // A damaged one was reported by the survey.
      gone.merge(await lookAgain(at: portion.compactMap { try? store.read($0) })) { $1 }
      for _ in portion { counter.advance() }
    }
    await forget(gone)
  }

  /// - Returns: the accounts that were found closed, and whose records went.
  private func lookAgain(at conversations: [Conversation]) async -> [AuthorID: Departure] {
    guard let first = conversations.first else { return [:] }
    let session = client.session(named: "again-\(first.id.value)")
    let checked = await session.recheck(conversations, onDeleted: site.config.fetch.onDeleted)
    for note in checked.notes { progress(.note(note)) }
    let before = Dictionary(conversations.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let beforeByID = Dictionary(conversations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for conversation in checked.conversations {
      // Its author may have gone by their name alone, and have an id now.
      let known = before[conversation.key] ?? beforeByID[conversation.id]
      await keep(conversation, before: known)
    }
    if let failure = checked.failure {
      tally.fail(PipelineError(failure), stops: failure.endsTheRun, only: failure.stopsAll ? nil : platform)
    } else {
      do { try session.finish() } catch { tally.fail(PipelineError(error), stops: false) }
    }
    let authors = checked.conversations.flatMap(\.authors).filter(\.isGone)
    return Dictionary(
      authors.compactMap { author in author.departure.map { (author.id, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Takes what is known of closed accounts out of all other conversations and profiles, too: they may have taken part in any.
  private func forget(_ gone: [AuthorID: Departure]) async {
    guard !gone.isEmpty else { return }
    var authors = Set(gone.keys)
    // What cannot be read was reported when the store was looked through.
    for file in (try? store.list()) ?? [] where file.platform == platform {
      guard let conversation = try? store.read(file) else { continue }
      authors.insert(conversation.authorID)
      let forgetting = conversation.forgetting(gone)
      if forgetting != conversation { await keep(forgetting, before: conversation) }
    }
    do {
      for author in authors.sorted() {
        guard let profile = try? store.profile(of: author) else { continue }
        var kept = profile
        kept.followers.removeAll { gone[$0.id] != nil }
        if gone[author] != nil {
          try await keeper.removeProfile(of: author)
          kept = Profile(author: Author(id: author))
        } else if kept != profile {
          try await keeper.save(kept)
        }
        tally.release(media: profile.mediaFiles.subtracting(kept.mediaFiles))
      }
    } catch {
      tally.fail(error, stops: error.kind == .io)
    }
  }

  private func keep(_ conversation: Conversation, before: Conversation?) async {
    do {
      let outcome = try await keeper.replace(conversation)
      tally.change { $0.count(outcome) }
      guard let before else { return }
      tally.release(media: before.mediaFiles.subtracting(conversation.mediaFiles))
      let gone = conversation.postsGone - before.postsGone
      tally.change { $0.postsGone += max(0, gone) }
      try await copyMedia(of: conversation)
    } catch {
      tally.fail(error, stops: error.kind == .io)
    }
  }
}

extension Conversation {
  fileprivate struct Key: Hashable {
    var id: PostID
    var author: AuthorID
  }

  fileprivate var key: Key { Key(id: id, author: authorID) }

  /// Posts that were here and are no longer on their network.
  fileprivate var postsGone: Int {
    tombstones.count { $0.removedAt != nil } + posts.count { $0.departure != nil }
  }
}
