package import Basics
package import NetworkSources
package import ThreadModel

/// The ledger: the results of site.yml's entries for many threads, and when they were last fetched.
///
/// It is kept in the store and meant to be committed with it. The results of a search cannot be derived from the threads themselves, and a
/// machine with a fresh clone should not pay for the same search again.
package struct SourceState: Sendable, Equatable {
  /// The file's name in the store's folder.
  package static let fileName = "sources.json"

  package struct Key: Hashable, Sendable {
    package enum Kind: String, Sendable {
      case account
      case search
      case archive
    }

    package var kind: Kind
    /// The network; `nil` for an archive.
    package var platform: Platform?
    /// The account's name in lower case, the query, or the archive's path, as in site.yml.
    package var name: String

    package init(kind: Kind, platform: Platform? = nil, name: String) {
      self.kind = kind
      self.platform = platform
      self.name = name
    }
  }

  package struct Entry: Sendable, Equatable {
    package var checkedAt: Timestamp?
    /// Distinguishes an archive from a newer one at the same path; `nil` for other sources.
    package var version: String?
    /// The conversations that a search found.
    package var threads: Set<PostID> = []
    /// How far an account was read, in the network's terms.
    package var progress: AccountProgress?

    package init(
      checkedAt: Timestamp? = nil, version: String? = nil, threads: Set<PostID> = [],
      progress: AccountProgress? = nil
    ) {
      self.checkedAt = checkedAt
      self.version = version
      self.threads = threads
      self.progress = progress
    }
  }

  private var entries: [Key: Entry] = [:]
  /// Conversations that a run did not read completely: work for the next run, including builds.
  package var unfinished: Set<PostID> = []

  package init() {}

  package subscript(key: Key) -> Entry? {
    get { entries[key] }
    set { entries[key] = newValue }
  }

  /// Removes the entries of accounts with these names.
  package mutating func forgetAccounts(where isForgotten: (String) -> Bool) {
    entries = entries.filter { key, _ in key.kind != .account || !isForgotten(key.name) }
  }
}

extension SourceState {
  /// Loads the store's record of its sources; an empty one if the file is missing.
  package static func load(store: String) throws(PipelineError) -> SourceState {
    let path = "\(store)/\(fileName)"
    guard FileSystem.kind(of: path) != .nothing else { return SourceState() }
    do {
      return try SourceState(JSONValue(parsing: try FileBytes.read(path)), file: path)
    } catch {
      throw PipelineError(converting: error, in: path)
    }
  }

  package func save(store: String) throws(PipelineError) {
    let list = entries.map { key, entry -> (order: String, value: JSONValue) in
      var members: JSONObject = ["kind": .string(key.kind.rawValue), "name": .string(key.name)]
      members["network"] = key.platform.map { .string($0.rawValue) }
      if let time = entry.checkedAt { members["checked_at"] = .string(time.iso8601) }
      members["progress"] = entry.progress.map { .object($0.members) }
      if let version = entry.version { members["version"] = .string(version) }
      if !entry.threads.isEmpty {
        members["threads"] = .array(entry.threads.map(\.description).sorted().map { .string($0) })
      }
      return ("\(key.kind.rawValue) \(key.platform?.rawValue ?? "") \(key.name)", .object(members))
    }
    let sorted = list.sorted { $0.order.precedesInBytes($1.order) }.map(\.value)
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

  /// Reads the record. An unknown member is an error, because a later version may have written it.
  package init(_ value: JSONValue, file: String) throws(PipelineError) {
    guard value["format"] == 1, let sources = value["sources"]?.array else {
      throw PipelineError(
        .content,
        [
          "\(file): error: this version of threadsite cannot read this list of sources; update threadsite or delete the file"
        ])
    }
    for thread in value["unfinished"]?.array ?? [] {
      if let id = thread.string.flatMap(PostID.init(description:)) { unfinished.insert(id) }
    }
    for source in sources {
      guard let kind = source["kind"]?.string.flatMap(Key.Kind.init), let name = source["name"]?.string else {
        throw PipelineError(
          .content, ["\(file): error: a source needs a kind (account, search or archive) and a name"])
      }
      var entry = Entry()
      entry.checkedAt = source["checked_at"]?.string.flatMap { Timestamp(iso8601: $0) }
      entry.version = source["version"]?.string
      entry.progress = source["progress"]?.object.flatMap { AccountProgress($0) }
      for thread in source["threads"]?.array ?? [] {
        guard let id = thread.string.flatMap(PostID.init(description:)) else {
          throw PipelineError(
            .content, ["\(file): error: expected a thread as x/<conversation id>; fix or delete the entry"])
        }
        entry.threads.insert(id)
      }
      let platform = source["network"]?.string.map { Platform(rawValue: $0) }
      entries[Key(kind: kind, platform: platform, name: name)] = entry
    }
  }
}
