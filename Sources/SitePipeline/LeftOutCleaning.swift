import Basics
import MediaMirror
import SiteConfig
import SiteOutput
import ThreadModel
import ThreadStore

/// Removes from the store what it has of accounts that site.yml leaves out, before the next build: their threads, their posts in others' threads,
/// their names in others' texts, and the media that no other thread shows.
///
/// The previous contents of every changed file are kept in `.threadsite/left-out/`, laid out like a store, on this machine only, so that a mistake in
/// site.yml loses nothing. An interrupted run is continued by the next one, as the files alone tell what remains to be done.
struct LeftOutCleaning: Sendable {
  /// The folder of the previous contents, below the site's folder.
  static let folder = ".threadsite/left-out"

  private let site: SiteFolder
  /// The store without the filter for left-out accounts.
  private let store: ThreadStore
  private let kept: ThreadStore
  private let jobs: Int
  private let progress: ProgressHandler

  init(_ site: SiteFolder, jobs: Int, progress: @escaping ProgressHandler) {
    self.site = site
    self.jobs = jobs
    self.progress = progress
    store = ThreadStore(folder: site.store)
    kept = ThreadStore(folder: "\(site.path)/\(Self.folder)")
  }

  /// For the threads whose addresses contain removed names, by the threads' stems: tells whether an address does.
  typealias NamedAddresses = [String: @Sendable (String) -> Bool]

  /// Removes the data. If that is not possible, for example because the store is read-only in CI, the site is still built without them.
  ///
  /// - Returns: the addresses that the site may not use, as far as the store's record still has them.
  func run() -> NamedAddresses {
    guard !site.leftOut.isEmpty, FileSystem.kind(of: site.store) == .folder else { return [:] }
    let state = state
    if known == state { return [:] }
    var named: NamedAddresses = [:]
    do throws(PipelineError) {
      let found = try look()
      guard !found.isEmpty else {
        remember(state)
        return [:]
      }
      for other in found.others { named[other.file.stem] = other.names }
      let done = try carryOut(found)
      progress(
        .warning(
          "\(site.store): warning: of accounts that site.yml leaves out, \(done.threads) threads, \(done.posts) posts and \(done.media) media files"
            + " were taken out of the store, and \(done.changed) files cleared of their names; as they were they are kept in \(Self.folder)/ until you"
            + " delete that folder"))
      remember(self.state)
    } catch {
      progress(
        .warning(
          error.messages.joined(separator: "\n") + "\n"
            + "What the store has of accounts that site.yml leaves out is still there, in whole or in part. The site is built without it."
        ))
    }
    return named
  }

  /// Returns the same addresses for callers that only read the store.
  func namedAddresses() -> NamedAddresses {
    // Other readers of the store report if it cannot be listed.
    guard !site.leftOut.isEmpty, known != state, let found = try? look() else { return [:] }
    return Dictionary(found.others.map { ($0.file.stem, $0.names) }) { first, _ in first }
  }

  // MARK: The state of the last run

  private var statePath: String { "\(kept.folder)/.looked-at" }

  /// A digest of the accounts and of all files that may mention them: if it is the same as after the last run, the files need not be read again.
  private var state: String {
    var writer = ByteWriter()
    writer.write(site.leftOut.accounts.map(\.text).sorted()) { $0.write($1) }
    let files = FileTree(site.store).files.filter {
      $0.path.hasByteSuffix(".json") && $0.path.utf8.contains(UInt8(ascii: "/"))
    }
    writer.write(files.sorted { $0.path < $1.path }) { writer, file in
      writer.write(file.path)
      writer.write(file.signature)
    }
    return ContentHash.of(writer.bytes)
  }

  private var known: String? {
    // An unreadable state counts as missing.
    (try? FileBytes.read(statePath, atMost: 1000)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func remember(_ state: String) {
    do {
      try FileSystem.makeFolders(kept.folder)
      try AtomicFile.write(Array(state.utf8), to: statePath)
    } catch {
      // The next build tries again.
      progress(.note("\(error)"))
    }
  }

  // MARK: Looking

  private struct Found: Sendable {
    var threads: [(file: StoredFile, posts: Int)] = []
    /// Files that stay but change, each with the number of posts that are removed.
    var others:
      [(file: StoredFile, conversation: Conversation, posts: Int, names: @Sendable (String) -> Bool)] = []
    var profiles: [(old: Profile, new: Profile?)] = []
    var ids: Set<AuthorID> = []

    var isEmpty: Bool { threads.isEmpty && others.isEmpty && profiles.isEmpty }
  }

  private func look() throws(PipelineError) -> Found {
    let first = try look(for: site.leftOut)
    // A file may contain only the id of an account whose name another file tells.
    let known = Set(site.leftOut.accounts.compactMap(\.id))
    guard !first.ids.isSubset(of: known) else { return first }
    return try look(for: site.leftOut.adding(first.ids))
  }

  private func look(for accounts: LeftOutAccounts) throws(PipelineError) -> Found {
    let marks = accounts.marks.map { Array($0.utf8) }
    let files: [StoredFile]
    let profiles: [Profile]
    do throws(ThreadStoreError) {
      files = try store.list()
      profiles = try store.profiles()
    } catch {
      throw PipelineError(error)
    }
    let parts = ParallelWork.run(count: files.count, jobs: jobs, makeState: Found.init) { position, part in
      let file = files[position]
      // An unreadable file is reported when its page is made.
      guard let bytes = try? FileBytes.read(store.path(file)), bytes.mentions(anyOf: marks),
        let conversation = try? store.read(file)
      else { return }
      for author in conversation.authors where accounts.holds(author.id, handle: author.handle) {
        part.ids.insert(author.id)
      }
      if accounts.holdsAuthor(of: conversation) {
        part.threads.append((file, conversation.posts.count))
        return
      }
      let cleared = accounts.clearing(conversation)
      guard cleared != conversation else { return }
      let count = { (conversation: Conversation) in conversation.posts.count + conversation.related.count }
      part.others.append(
        (
          file, cleared, count(conversation) - count(cleared),
          accounts.namesInAddresses(of: conversation)
        ))
    }
    var found = Found()
    for part in parts {
      found.threads += part.threads
      found.others += part.others
      found.ids.formUnion(part.ids)
    }
    found.threads.sort { $0.file < $1.file }
    found.others.sort { $0.file < $1.file }
    for profile in profiles {
      if accounts.holds(profile.author.id, handle: profile.author.handle) {
        found.profiles.append((profile, nil))
      } else {
        let cleared = accounts.clearing(profile)
        if cleared != profile { found.profiles.append((profile, cleared)) }
      }
    }
    return found
  }

  // MARK: Taking away

  private func carryOut(
    _ found: Found
  ) throws(PipelineError) -> (threads: Int, posts: Int, media: Int, changed: Int) {
    let lock = try store.beginWriting()
    defer { withExtendedLifetime(lock) {} }
    do {
      try FileSystem.makeFolders(kept.folder)
      var index = try store.index()
      // This step comes first, as later the threads no longer tell which addresses contain names.
      try store.changePermalinks { permalinks in
        for other in found.others { permalinks.forget(other.file.stem, where: other.names) }
      }
      for (file, conversation, _, _) in found.others {
        try keep(store.path(file), at: kept.path(file))
        _ = try store.replace(conversation, index: &index)
      }
      for (old, new) in found.profiles {
        try kept.save(old)
        if let new { try store.save(new) } else { try store.removeProfile(of: old.author.id) }
      }
      try store.movePermalinks(of: found.threads.map(\.file), to: kept)
      try forgetSources()
      for (file, _) in found.threads {
        try FileSystem.put(store.path(file), at: kept.path(file), below: kept.folder)
        // The name of an empty folder would still tell the author's name.
        if let folder = PathText.folder(of: store.path(file)) { try FileSystem.removeOne(String(folder)) }
      }
      let posts = found.threads.reduce(0) { $0 + $1.posts } + found.others.reduce(0) { $0 + $1.posts }
      return (found.threads.count, posts, try moveMedia(), found.others.count)
    } catch let error as PipelineError {
      throw error
    } catch let error as ThreadStoreError {
      throw PipelineError(error)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Keeps a file's contents from before the first change.
  private func keep(_ path: String, at place: String) throws {
    guard FileSystem.kind(of: place) == .nothing else { return }
    if let folder = PathText.folder(of: place) { try FileSystem.makeFolders(String(folder)) }
    try AtomicFile.write(try FileBytes.read(path), to: place)
  }

  /// Removes the ledger's entries for accounts, which contain their names.
  private func forgetSources() throws {
    var sourceState = try SourceState.load(store: site.store)
    let before = sourceState
    for account in site.leftOut.accounts {
      for name in [account.name, account.id?.value].compactMap(\.self) {
        sourceState[SourceState.Key(kind: .account, platform: account.platform, name: name)] = nil
      }
    }
    if sourceState != before { try sourceState.save(store: site.store) }
  }

  /// Moves the media of the removed posts that no thread in the store shows any more.
  private func moveMedia() throws -> Int {
    var names: Set<String> = []
    for file in try kept.list() { names.formUnion(try kept.read(file).mediaFiles) }
    for profile in try kept.profiles() { names.formUnion(profile.mediaFiles) }
    var count = 0
    for name in names.subtracting(try store.mediaInUse()).sorted() {
      let path = try store.mediaPath(name)
      guard FileSystem.kind(of: path) == .file else { continue }
      try FileSystem.put(path, at: try kept.mediaPath(name), below: kept.folder)
      count += 1
    }
    return count
  }
}

extension LeftOutAccounts.Account {
  fileprivate var text: String { "\(platform) \(name ?? "") \(id?.description ?? "")" }
}

extension [UInt8] {
  /// Whether the bytes contain any of a few lower-case texts, ignoring letter case.
  fileprivate func mentions(anyOf marks: [[UInt8]]) -> Bool {
    let lower = map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
    return lower.withUnsafeBufferPointer { bytes in
      marks.contains { mark in
        guard let first = mark.first, bytes.count >= mark.count else { return false }
        for start in 0...(bytes.count - mark.count) where bytes[start] == first {
          if bytes[start..<(start + mark.count)].elementsEqual(mark) { return true }
        }
        return false
      }
    }
  }
}

extension LeftOutAccounts {
  /// Creates the left-out accounts of a site, with the addresses of its networks.
  init(_ config: SiteConfig, _ addresses: AddressBook) {
    self.init(
      config.leaveOut.map { account in
        Account(
          platform: account.platform, name: account.authorID == nil ? account.name : nil, id: account.authorID
        )
      },
      leadsTo: { url in
        // An address that belongs to no network leads to no account.
        if let account = try? addresses.account(url) {
          return Account(
            platform: account.platform, name: account.authorID == nil ? account.name : nil,
            id: account.authorID)
        }
        guard let post = try? addresses.post(url) else { return nil }
        let server = post.postID?.authority
        // On networks whose post ids are unique within an account, the authority is the account's id.
        let id = server.flatMap { $0.hasBytePrefix("did:") ? AuthorID($0, on: post.platform) : nil }
        let name = post.handle.map { handle in
          guard id == nil, let server, !handle.contains("@") else { return handle }
          return "\(handle)@\(server)"
        }
        return Account(platform: post.platform, name: name, id: id)
      })
  }
}

/// Reports how much of the fetched or imported data was by left-out accounts, and was not stored.
func noteLeftOut(_ accounts: LeftOutAccounts, _ progress: ProgressHandler) {
  let (threads, posts) = (accounts.counter.threads, accounts.counter.posts)
  guard threads + posts > 0 else { return }
  progress(
    .warning(
      "\(threads) threads, and \(posts) posts in others' threads, are of accounts that site.yml leaves out, and were not stored"
    ))
}
