import Basics
import MediaMirror
import SiteConfig
import SiteOutput
import ThreadModel
import ThreadStore

/// What a store has of accounts that site.yml leaves out goes with the next build: their threads, their posts in others' threads, their names in
/// others' words, and the media that nothing else shows.
///
/// Every file as it was is kept in `.threadsite/left-out/`, laid out like a store, on this machine only: a slip in site.yml loses nothing. A run that is
/// killed is gone on with by the next one, as what is still to be done can be told from the files alone.
struct LeftOutCleaning: Sendable {
  /// The folder of what files held before, below the site's.
  static let folder = ".threadsite/left-out"

  private let site: SiteFolder
  /// The store as it is, and not as readers see it.
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

  /// Addresses of threads that are made of names which are gone, by the threads' places in the store.
  typealias NamedAddresses = [String: @Sendable (String) -> Bool]

  /// Takes away what there is. Where that cannot be done, as in CI where the store may not be written to, the site is built without it all the same.
  ///
  /// - Returns: the addresses that the site may not have, as far as the store's record has them still.
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

  /// The same for whoever reads the store and changes nothing.
  func namedAddresses() -> NamedAddresses {
    // A store that cannot be listed is an error for whoever reads it.
    guard !site.leftOut.isEmpty, known != state, let found = try? look() else { return [:] }
    return Dictionary(found.others.map { ($0.file.stem, $0.names) }) { first, _ in first }
  }

  // MARK: What was looked at

  private var statePath: String { "\(kept.folder)/.looked-at" }

  /// Of the accounts and of all files that may say anything of them: the same as at the end of the last run, they need not be looked at again.
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
    // What cannot be read was not looked at.
    (try? FileBytes.read(statePath, atMost: 1000)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func remember(_ state: String) {
    do {
      try FileSystem.makeFolders(kept.folder)
      try AtomicFile.write(Array(state.utf8), to: statePath)
    } catch {
      // The next build looks again.
      progress(.note("\(error)"))
    }
  }

  // MARK: Looking

  private struct Found: Sendable {
    var threads: [(file: StoredFile, posts: Int)] = []
    /// Files that stay, and are other ones without them; so many posts go.
    var others:
      [(file: StoredFile, conversation: Conversation, posts: Int, names: @Sendable (String) -> Bool)] = []
    var profiles: [(old: Profile, new: Profile?)] = []
    var ids: Set<AuthorID> = []

    var isEmpty: Bool { threads.isEmpty && others.isEmpty && profiles.isEmpty }
  }

  private func look() throws(PipelineError) -> Found {
    let first = try look(for: site.leftOut)
    // A file may have nothing but the id of an account that another one tells the name of.
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
      // A file that cannot be read is reported where its page is made.
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
      // First, as nothing tells afterwards which addresses these were.
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
        // The folder of an author who has nothing left tells their name.
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

  /// Keeps a file as it was before the first change.
  private func keep(_ path: String, at place: String) throws {
    guard FileSystem.kind(of: place) == .nothing else { return }
    if let folder = PathText.folder(of: place) { try FileSystem.makeFolders(String(folder)) }
    try AtomicFile.write(try FileBytes.read(path), to: place)
  }

  /// How far an account was read is known by its name.
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

  /// Moves the media of what went that nothing in the store shows any more.
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
  /// Whether they hold one of a few texts in lower case, whatever their letters' case.
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
  /// The accounts of a site, by the addresses of its networks.
  init(_ config: SiteConfig, _ addresses: AddressBook) {
    self.init(
      config.leaveOut.map { account in
        Account(
          platform: account.platform, name: account.authorID == nil ? account.name : nil, id: account.authorID
        )
      },
      leadsTo: { url in
        // What is no address of a network's leads to nobody.
        if let account = try? addresses.account(url) {
          return Account(
            platform: account.platform, name: account.authorID == nil ? account.name : nil,
            id: account.authorID)
        }
        guard let post = try? addresses.post(url) else { return nil }
        let server = post.postID?.authority
        // Where an account's id makes its posts' unique.
        let id = server.flatMap { $0.hasBytePrefix("did:") ? AuthorID($0, on: post.platform) : nil }
        let name = post.handle.map { handle in
          guard id == nil, let server, !handle.contains("@") else { return handle }
          return "\(handle)@\(server)"
        }
        return Account(platform: post.platform, name: name, id: id)
      })
  }
}

/// Says how much of what came is of accounts that are left out, and was not stored.
func noteLeftOut(_ accounts: LeftOutAccounts, _ progress: ProgressHandler) {
  let (threads, posts) = (accounts.counter.threads, accounts.counter.posts)
  guard threads + posts > 0 else { return }
  progress(
    .warning(
      "\(threads) threads, and \(posts) posts in others' threads, are of accounts that site.yml leaves out, and were not stored"
    ))
}
