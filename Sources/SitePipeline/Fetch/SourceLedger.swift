import Files
import JSONText
import ThreadModel
import UTF8Text
import XNetwork

/// What the entries of site.yml that stand for many threads have brought, and when they were last asked.
///
/// Kept in the store and meant to be committed with it: what a search found cannot be told from the threads themselves, and a
/// machine that starts from a fresh clone should not pay for the same search again.
struct SourceLedger: Sendable, Equatable {
  /// Its name in the store's folder.
  static let fileName = "sources.json"

  struct Key: Hashable, Sendable {
    enum Kind: String, Sendable {
      case account
      case search
      case archive
    }

    var kind: Kind
    /// The account's address, the query, or the archive's path, as in site.yml.
    var name: String
  }

  struct Entry: Sendable, Equatable {
    var checkedAt: Timestamp?
    /// What tells an archive from a newer one at the same place; `nil` for what is no file.
    var version: String?
    /// The conversations that it brought, for a search.
    var threads: Set<PostID> = []
    /// How far an account's timeline was read.
    var timeline: XTimelineProgress?
  }

  private var entries: [Key: Entry] = [:]
  /// Conversations that a run did not read to their end: work for the next one, a build included.
  var unfinished: Set<PostID> = []

  init() {}

  subscript(key: Key) -> Entry? {
    get { entries[key] }
    set { entries[key] = newValue }
  }
}

extension SourceLedger {
  /// The ledger of a store; an empty one where there is none.
  static func load(store: String) throws(PipelineError) -> SourceLedger {
    let path = "\(store)/\(fileName)"
    guard FileSystem.kind(of: path) != .nothing else { return SourceLedger() }
    do {
      return try SourceLedger(JSONValue(parsing: try FileBytes.read(path)), file: path)
    } catch let error as PipelineError {
      throw error
    } catch let error as JSONError {
      throw PipelineError(.content, [error.description(file: path)])
    } catch let error as FileError {
      throw PipelineError(error, about: .content)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  func save(store: String) throws(PipelineError) {
    let list = entries.map { key, entry -> (order: String, value: JSONValue) in
      var members: JSONObject = ["kind": .string(key.kind.rawValue), "name": .string(key.name)]
      if let time = entry.checkedAt { members["checked_at"] = .string(time.iso8601) }
      if let timeline = entry.timeline { members["timeline"] = .object(Self.json(timeline)) }
      if let version = entry.version { members["version"] = .string(version) }
      if !entry.threads.isEmpty {
        members["threads"] = .array(entry.threads.map(\.description).sorted().map { .string($0) })
      }
      return ("\(key.kind.rawValue) \(key.name)", .object(members))
    }
    let sorted = list.sorted { $0.order.utf8.lexicographicallyPrecedes($1.order.utf8) }.map(\.value)
    var document: JSONObject = ["format": 1, "sources": .array(sorted)]
    if !unfinished.isEmpty {
      document["unfinished"] = .array(unfinished.map(\.description).sorted().map { .string($0) })
    }
    do {
      try FileSystem.makeFolders(store)
      try AtomicFile.write(
        JSONWriter.text(of: .object(document)).bytes, to: "\(store)/\(Self.fileName)")
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Reads the ledger; what it does not know is an error, as a later version may have written it.
  init(_ value: JSONValue, file: String) throws(PipelineError) {
    guard value["format"] == 1, let sources = value["sources"]?.array else {
      throw PipelineError(
        .content,
        [
          "\(file): error: not a list of sources that this version reads: update threadsite, or delete the file"
        ])
    }
    for thread in value["unfinished"]?.array ?? [] {
      if let id = thread.string.flatMap(PostID.init(description:)) { unfinished.insert(id) }
    }
    for source in sources {
      guard let kind = source["kind"]?.string.flatMap(Key.Kind.init), let name = source["name"]?.string else {
        throw PipelineError(
          .content, ["\(file): error: a source has a kind (account, search or archive) and a name"])
      }
      var entry = Entry()
      entry.checkedAt = source["checked_at"]?.string.flatMap { Timestamp(iso8601: $0) }
      entry.version = source["version"]?.string
      if let timeline = source["timeline"]?.object {
        guard let progress = XTimelineProgress(timeline) else {
          throw PipelineError(
            .content,
            [
              "\(file): error: the timeline of the account \(name) says nothing that can be used; delete the entry"
            ])
        }
        entry.timeline = progress
      }
      for thread in source["threads"]?.array ?? [] {
        guard let id = thread.string.flatMap(PostID.init(description:)) else {
          throw PipelineError(
            .content, ["\(file): error: a thread is named x/<conversation id>; mend or delete the entry"])
        }
        entry.threads.insert(id)
      }
      entries[Key(kind: kind, name: name)] = entry
    }
  }
}

extension SourceLedger {
  /// How far a timeline was read, with the members `account`, `since`, `until`, `newest`, `unread_before`, `unread_after`.
  private static func json(_ progress: XTimelineProgress) -> JSONObject {
    var members: JSONObject = ["account": .string(progress.account)]
    members["since"] = progress.since.map { .string($0.iso8601) }
    members["until"] = progress.until.map { .string($0.iso8601) }
    members["newest"] = progress.newest.map { .string($0) }
    members["unread_before"] = progress.unread.map { .string($0.before) }
    members["unread_after"] = progress.unread?.after.map { .string($0) }
    return members
  }
}

extension XTimelineProgress {
  /// `nil` for members that are none; ids are digits, as they go into requests.
  fileprivate init?(_ members: JSONObject) {
    func id(_ name: String) -> String? {
      members[name]?.string.flatMap { text in
        (1...19).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : nil
      }
    }
    let ids = ["account", "newest", "unread_before", "unread_after"]
    guard let account = id("account"), ids.allSatisfy({ members[$0] == nil || id($0) != nil }) else {
      return nil
    }
    func time(_ name: String) -> Timestamp? { members[name]?.string.flatMap { Timestamp(iso8601: $0) } }
    self.init(account: account, since: time("since"), until: time("until"))
    newest = id("newest")
    unread = id("unread_before").map { Unread(before: $0, after: id("unread_after")) }
  }
}

extension PostID {
  /// What `description` gave: `x/1346889436626259968`.
  fileprivate init?(description text: String) {
    let parts = text.split(atBytes: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    self.init(String(parts[1]), on: Platform(rawValue: String(parts[0])))
  }
}
