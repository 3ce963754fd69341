import Basics
package import NetworkSources
package import ThreadModel

/// An importer that builds conversations from saved events, for example of a relay or of a client's backup.
///
/// The events in a file are converted together, and the files separately. `ConversationPlacement` finds out which conversations are the same.
/// An event is only imported if its author signed it.
package struct NostrAnswers: SavedAnswers {
  package static let platform = Platform.nostr

  /// The facts about one file, before the other files are read.
  private struct File: Sendable {
    var name: String
    var posts = 0
    var reposts = 0
    var deletions = 0
    /// The number of events that are neither posts nor facts about posts.
    var others = 0
    /// The events that are not authentic, with their lines.
    var rejected: [(line: Int, error: NostrEventError)] = []
    var unread: [String] = []
    /// Whether an error about the file was thrown to the caller.
    var isRefused = false
  }

  /// The facts about a conversation that determine which other conversations are the same.
  package struct Summary: Sendable {
    fileprivate let placement: ConversationPlacement.Summary
    /// The posts that the conversation shows.
    fileprivate let shown: Set<PostID>
    /// The post that is to be deleted, if the part is a request.
    fileprivate let request: PostID?
  }

  private var parts: [Conversation] = []
  private var summaries: [Summary] = []
  private var files: [File] = []

  package init() {}

  // MARK: Recognition

  /// In bytes. The first event is at the beginning.
  private static let head = 64 << 10

  package static func recognizes(_ bytes: [UInt8]) -> Bool {
    // Most files of other networks lack this name, and are not parsed.
    guard MemberSearch.hasMember(bytes.prefix(head), named: ["pubkey"]) else { return false }
    // The rest of the file may be damaged.
    let first = try? JSONReader.readBeginning(of: bytes) { reader throws(JSONError) in
      var values = [try reader.readValue()]
      // Messages of a relay before the first event.
      while values.count < 5, let next = try? reader.readValue() { values.append(next) }
      return values
    }
    let values = (first ?? []).flatMap { $0.array ?? [$0] }.prefix(15).flatMap { $0.array ?? [$0] }
    return values.contains { value in value.object.map(isEvent) ?? false }
  }

  private static func isEvent(_ object: JSONObject) -> Bool {
    ["id", "pubkey", "created_at", "kind", "tags", "content", "sig"].allSatisfy { object[$0] != nil }
  }

  // MARK: Reading

  /// Adds the events in a file.
  package mutating func take(_ bytes: [UInt8], file name: String) throws(SourceError) {
    var file = File(name: name)
    defer { files.append(file) }
    let saved: NostrFile
    do {
      saved = try NostrFile(bytes)
    } catch {
      file.isRefused = true
      throw SourceError(error, in: name)
    }
    file.unread = saved.unread.map { $0.description(file: name) }
    file.others = saved.others
    var events: [String: NostrEvent] = [:]
    for (line, value) in saved.objects {
      guard let object = value.object, object["pubkey"] != nil else {
        file.others += 1
        continue
      }
      do throws(NostrEventError) {
        let event = try NostrEvent(object)
        if events.updateValue(event, forKey: event.id) == nil { Self.count(event, &file) }
      } catch {
        file.rejected.append((line, error))
      }
    }
    let threads = NostrThreads(events.values, provenance: Provenance(source: .nostrEvents))
    let found = threads.conversations() + Self.requests(threads.deletions)
    parts += found
    summaries += found.map(Self.summary)
    guard file.posts == 0, file.reposts == 0, file.deletions == 0 else { return }
    file.isRefused = true
    throw SourceError(
      .content, Self.rejection(file.rejected).map { "contains no posts; \($0)" } ?? "contains no posts",
      at: name)
  }

  private static func count(_ event: NostrEvent, _ file: inout File) {
    switch event.kind {
    case let kind where NostrEvent.Kind.posts.contains(kind): file.posts += 1
    case let kind where NostrEvent.Kind.reposts.contains(kind): file.reposts += 1
    case NostrEvent.Kind.deletion: file.deletions += 1
    case NostrEvent.Kind.profile, NostrEvent.Kind.vote: break
    default: file.others += 1
    }
  }

  /// Returns a conversation without posts for each request to delete a post. The post may be in another file or in the store.
  private static func requests(_ deletions: NostrDeletions) -> [Conversation] {
    deletions.all.map { request, time in
      var stone = Tombstone(id: request.post, reason: .requested)
      stone.authorID = request.author
      stone.removedAt = time
      var part = Conversation(id: request.post, authorID: request.author)
      part.tombstones = [stone]
      return part
    }
  }

  package mutating func add(_ other: NostrAnswers) {
    parts += other.parts
    summaries += other.summaries
    files += other.files
  }

  package mutating func removeParts() -> [Conversation] {
    defer { parts = [] }
    return parts
  }

  // MARK: Conversations

  package static func summary(of conversation: Conversation) -> Summary {
    Summary(
      placement: ConversationPlacement.nostr.summary(of: conversation),
      shown: Set((conversation.posts + conversation.related).map(\.id)),
      request: conversation.isRequest ? conversation.id : nil)
  }

  package static func isChosen(_ conversation: Conversation) -> Bool {
    conversation.provenance.contains { $0.source == .nostrRelay }
  }

  package func grouped(with stored: [Summary]) -> (groups: [ConversationGroup], report: ImportReport) {
    let all = summaries + stored
    var positions: [PostID: [Int]] = [:]
    for (position, summary) in all.enumerated() {
      for post in summary.shown { positions[post, default: []].append(position) }
    }
    var groups = ConversationPlacement.nostr.groups(all.map(\.placement))
    for index in groups.indices { groups[index].members.removeAll { all[$0].request != nil } }
    groups.removeAll { $0.members.isEmpty }
    let groupOf = Dictionary(
      groups.enumerated().flatMap { index, group in group.members.map { ($0, index) } },
      uniquingKeysWith: { first, _ in first })
    // A request belongs to each conversation that shows the post. Requests for other posts have no effect.
    for (position, summary) in all.enumerated() {
      guard let post = summary.request else { continue }
      for index in Set((positions[post] ?? []).compactMap { groupOf[$0] }) {
        groups[index].members.append(position)
      }
    }
    return (groups, ImportReport(files: files.map(report)))
  }

  package static func resolve(_ parts: [Conversation], as id: PostID) -> [Conversation] {
    var known = parts.filter { !$0.isRequest }
    guard !known.isEmpty else { return [] }
    let requests = parts.filter(\.isRequest).flatMap(\.tombstones)
    let posts = Dictionary(grouping: known.flatMap { $0.posts + $0.related }, by: \.id)
    known[0].tombstones += requests.compactMap { stone in
      guard posts[stone.id]?.contains(where: stone.deletes) == true else { return nil }
      var stone = stone
      stone.reason = .deleted
      return stone
    }
    for index in known.indices {
      // A new version of an article that was deleted is a new post.
      known[index].tombstones.removeAll { stone in
        stone.reason == .deleted && stone.id.authority != nil
          && posts[stone.id]?.contains { !stone.deletes($0) } == true
      }
    }
    return ConversationPlacement.nostr.resolve(
      known, as: id, keeping: Set(known.filter(isChosen).map(\.authorID)))
  }

  // MARK: Report

  private func report(on file: File) -> ImportReport.File {
    var result = ImportReport.File(
      name: file.name, posts: file.posts, reposts: file.reposts, unread: file.unread)
    result.problems += [Self.rejection(file.rejected)].compactMap(\.self)
    guard file.posts == 0, file.deletions == 0, file.reposts > 0, !file.isRefused else { return result }
    result.refusals =
      [
        "contains only reposts of others' posts (\(file.reposts)), which are not threads"
      ] + result.problems
    result.problems = []
    return result
  }

  /// Returns the number of rejected events with the lines and reasons of the first few.
  private static func rejection(_ rejected: [(line: Int, error: NostrEventError)]) -> String? {
    guard !rejected.isEmpty else { return nil }
    let forged = rejected.count { $0.error.isForgery }
    let shown = rejected.prefix(3).map { "line \($0.line): \($0.error)" }.joined(separator: "; ")
    let more = rejected.count > 3 ? "; …" : ""
    return
      "\(rejected.count) \(rejected.count == 1 ? "event" : "events") rejected, \(forged) of them forged (\(shown)\(more))"
  }
}

extension TombstoneReason {
  /// An account asked to delete a post, and it is not yet known whether the account wrote it. The reason is never stored.
  fileprivate static let requested: TombstoneReason = "deletion-requested"
}

extension Conversation {
  /// Whether it is not a conversation but a request to delete a post.
  fileprivate var isRequest: Bool { tombstones.count == 1 && tombstones[0].reason == .requested }
}

extension Tombstone {
  /// Whether a deletion by the author of the tombstone applies to a post.
  fileprivate func deletes(_ post: Post) -> Bool {
    guard post.id == id, post.authorID == authorID else { return false }
    // The time of an article is that of its newest version.
    guard post.id.authority != nil, let seen = post.observedAt, let removedAt else { return true }
    return seen <= removedAt
  }
}
