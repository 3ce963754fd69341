import Basics
import MediaMirror
import SiteConfig
import SiteOutput
package import SiteWorkspace
import Synchronization
package import ThreadModel
import ThreadStore

/// `threadsite remove`: removes threads from the store permanently, with the media that no other thread shows.
///
/// The store records removals (`RemovedThreads`), so that a fetch does not restore removed threads. The removed files are kept in
/// `.threadsite/removed/`, a separate store, until `forget` or `undo`.
package struct ThreadRemoval: Sendable {
  /// The effects of a removal.
  package struct Plan: Sendable {
    var found: [ThreadFinder.Found] = []
    package var accounts: Set<AuthorID> = []
    /// The accounts' handles, for messages.
    package var accountNames: [String] = []
    /// The threads' files, numbers of posts, and beginnings, which help the user to decide.
    package var threads: [(file: String, posts: Int, opening: String)] = []
    /// The lines of site.yml that name the threads.
    package var mentions: [CatalogEntry.Mention] = []
    /// Threads that stay but show removed posts: the file, and these posts.
    package var others: [(file: String, posts: [PostID])] = []
    /// Files of the media folder that are also removed.
    package var media: [String] = []
    /// Errors of files that could not be read.
    package var problems: [String] = []
  }

  package let site: SiteFolder
  private let store: ThreadStore
  private let trash: ThreadStore
  private let jobs: Int
  private let now: Timestamp

  package init(_ site: SiteFolder, jobs: Int, now: Timestamp) {
    self.site = site
    self.jobs = jobs
    self.now = now
    store = ThreadStore(folder: site.store)
    trash = ThreadStore(folder: "\(site.path)/\(RemovedThreads.folder)")
  }

  // MARK: Removing

  /// Determines what would be removed, and what else is affected.
  package func plan(threads names: [String], account: String?) throws(PipelineError) -> Plan {
    var plan = Plan()
    let listed = try list(store)
    let authors = AuthorDirectory(ThreadAuthors(of: listed, in: store, jobs: jobs))
    plan.found = try ThreadFinder(site, in: store, jobs: jobs).findAll(names)
    if let account {
      plan.accounts = try authors.accounts(named: account, site.networks.addresses)
      let platforms = plan.accounts.compactMap { id in authors[id].flatMap { $0.author.url } ?? "\(id)" }
      guard plan.accounts.count == 1 else {
        throw PipelineError(
          .content,
          [
            "error: \(account) matches \(plan.accounts.count) accounts; use the URL of one of them: "
              + platforms.sorted().joined(separator: ", ")
          ])
      }
      plan.accountNames = plan.accounts.compactMap { authors[$0]?.author.handle }
    }
    let chosen = Set(plan.found.map(\.file))
    let look = try lookThrough(listed, chosen: chosen, accounts: plan.accounts)
    plan.found += look.found
    plan.found.sort { $0.file < $1.file }
    plan.problems = look.problems.sorted()
    let mentions = ConfigMentions(site, authors: authors)
    var mentioned: Set<CatalogEntry.Mention> = []
    var going: Set<PostID> = []
    var media: Set<String> = []
    for thread in plan.found {
      let own = thread.conversation.posts.filter { $0.authorID == thread.conversation.authorID }
      going.formUnion(own.map(\.id))
      media.formUnion(thread.conversation.mediaFiles)
      plan.mentions += mentions.of(thread.conversation, going: plan.accounts).filter {
        mentioned.insert($0).inserted
      }
      let first = own.min {
        ($0.createdAt?.milliseconds ?? .max, $0.id) < ($1.createdAt?.milliseconds ?? .max, $1.id)
      }
      plan.threads.append((thread.file.path, own.count, Self.opening(first?.text.text ?? "")))
    }
    for account in plan.accounts { media.formUnion(try profile(of: account, in: store)?.mediaFiles ?? []) }
    let leaving = Set(plan.found.map(\.file))
    let rest = try others(listed.filter { !leaving.contains($0) }, going, plan.accounts)
    plan.others = rest.showing.sorted { $0.file < $1.file }
    plan.media = media.subtracting(rest.media).filter(isStored).sorted()
    return plan
  }

  /// Removes the threads. A new run after an interruption completes the removal.
  ///
  /// The record is written first. From then on, the threads cannot be restored by a fetch, and remaining files are removed by the next run.
  package func carryOut(_ plan: Plan) throws(PipelineError) {
    let lock = try store.beginWriting()
    defer { withExtendedLifetime(lock) {} }
    do {
      var removed = try store.removedThreads()
      for thread in plan.found { removed.add(RemovedThreads.Thread(thread.conversation, at: now)) }
      for account in plan.accounts { removed.add(account, at: now) }
      try FileSystem.makeFolders(trash.folder)
      try store.save(removed)
      for thread in plan.found {
        try put(store.path(thread.file), at: trash.path(thread.file), below: trash.folder)
      }
      for account in plan.accounts {
        guard let profile = try store.profile(of: account) else { continue }
        try trash.save(profile)
        try store.removeProfile(of: account)
      }
      try store.movePermalinks(of: plan.found.map(\.file), to: trash)
      for name in plan.media {
        try put(try store.mediaPath(name), at: try trash.mediaPath(name), below: trash.folder)
      }
      try deleteCopies(of: plan.found, plan.accounts)
    } catch {
      throw Self.problem(error)
    }
  }

  /// Removes the lines of site.yml that name removed threads, because they would stop the next build.
  ///
  /// - Returns: the remaining lines. Lines remain if the file has a form that only its owner should edit, or if they also name other
  ///   threads.
  package func takeOutLines(_ plan: Plan) throws(PipelineError) -> [CatalogEntry.Mention] {
    let entries = Set(plan.mentions.compactMap(\.entry))
    guard !entries.isEmpty, let decoded = site.decoded else { return plan.mentions }
    do {
      // The places refer to the contents that were read.
      guard try FileBytes.read(decoded.file) == decoded.bytes else { return plan.mentions }
      let (text, removed) = decoded.removing(entries, site.networks.addresses)
      guard !removed.isEmpty else { return plan.mentions }
      var lines = try ConfigLines(in: trash.folder)
      func written(_ list: [Int], _ entry: (Int) -> ConfigEntry) -> [[String]] {
        list.filter { removed.contains(entry($0)) }.compactMap { decoded.lines(of: entry($0)) }
      }
      lines.removals.append(
        ConfigLines.Removal(
          threads: Set(plan.found.map(\.file.stem)), before: String(decoding: decoded.bytes, as: UTF8.self),
          after: ConfigLines.digest(text),
          sources: written(Array(site.config.sources.indices)) { .source($0) },
          entries: written(Array(site.config.threads.indices)) { .thread($0) }))
      // The removed lines are saved before they are removed.
      try FileSystem.makeFolders(trash.folder)
      try lines.save()
      AtomicFile.removeAbandoned(in: site.path)
      try AtomicFile.write(text, to: decoded.file, keepsMode: true)
      return plan.mentions.filter { mention in mention.entry.map { !removed.contains($0) } ?? true }
    } catch {
      throw Self.problem(error)
    }
  }

  /// Restores the lines of site.yml that were removed together with threads which are now restored.
  ///
  /// - Returns: lines that must be restored by hand.
  private func putBackLines(_ threads: Set<String>) throws -> [String] {
    guard let decoded = site.decoded, FileSystem.kind(of: trash.folder) == .folder else { return [] }
    var lines = try ConfigLines(in: trash.folder)
    var missing: [String] = []
    let addresses = site.networks.addresses
    var bytes = try FileBytes.read(decoded.file)
    let before = bytes
    for position in lines.removals.indices.reversed()
    where lines.removals[position].threads.isSubset(of: threads) {
      let removal = lines.removals.remove(at: position)
      // The file has not changed since, so its previous contents are restored.
      if ConfigLines.digest(bytes) == removal.after {
        bytes = Array(removal.before.utf8)
        continue
      }
      for (list, entries) in [(ThreadListName.sources, removal.sources), (.threads, removal.entries)]
      where !entries.isEmpty {
        let now = try SiteConfig.decode(bytes: bytes, file: decoded.file, addresses: addresses)
        if let text = now.putting(back: entries, into: list, addresses) {
          bytes = text
        } else {
          missing += ["\(list.rawValue):"] + entries.flatMap { $0.map { "  " + $0 } }
        }
      }
    }
    if bytes != before {
      AtomicFile.removeAbandoned(in: site.path)
      try AtomicFile.write(bytes, to: decoded.file, keepsMode: true)
    }
    try lines.save()
    return missing
  }

  /// Finds the conversations of the accounts that were not named themselves.
  private func lookThrough(
    _ files: [StoredFile], chosen: Set<StoredFile>, accounts: Set<AuthorID>
  ) throws(PipelineError) -> (found: [ThreadFinder.Found], problems: [String]) {
    guard !accounts.isEmpty else { return ([], []) }
    let parts = ParallelWork.run(
      count: files.count, jobs: jobs, makeState: { (found: [ThreadFinder.Found](), problems: [String]()) }
    ) { position, part in
      guard !chosen.contains(files[position]) else { return }
      do throws(ThreadStoreError) {
        guard accounts.contains(try store.readAuthor(files[position]).id) else { return }
        part.found.append(
          ThreadFinder.Found(file: files[position], conversation: try store.read(files[position])))
      } catch {
        part.problems.append(error.description)
      }
    }
    return (parts.flatMap(\.found), parts.flatMap(\.problems))
  }

  /// Returns the removed posts that remaining threads show, and the files of the media folder that these threads need.
  private func others(
    _ files: [StoredFile], _ going: Set<PostID>, _ accounts: Set<AuthorID>
  ) throws(PipelineError) -> (showing: [(file: String, posts: [PostID])], media: Set<String>) {
    struct Part: Sendable {
      var showing: [(file: String, posts: [PostID])] = []
      var media: Set<String> = []
      var problems: [PipelineError] = []
    }
    let parts = ParallelWork.run(count: files.count, jobs: jobs, makeState: Part.init) { position, part in
      do throws(ThreadStoreError) {
        let conversation = try store.read(files[position])
        part.media.formUnion(conversation.mediaFiles)
        part.media.formUnion(try store.profile(of: conversation.authorID)?.mediaFiles ?? [])
        let shown = (conversation.posts + conversation.related).filter {
          going.contains($0.id) || accounts.contains($0.authorID)
        }
        if !shown.isEmpty { part.showing.append((files[position].path, Set(shown.map(\.id)).sorted())) }
      } catch {
        // The file may use any media, so no media may be removed.
        part.problems.append(PipelineError(error))
      }
    }
    let problems = parts.flatMap(\.problems)
    guard problems.isEmpty else {
      throw PipelineError(
        .content,
        PipelineError(problems).messages
          + [
            "error: nothing was removed, because a file could not be read and its thread may use the same media"
          ])
    }
    return (parts.flatMap(\.showing), parts.reduce(into: Set()) { $0.formUnion($1.media) })
  }

  // MARK: Restoring

  /// The result of restoring.
  package struct Restored: Sendable {
    /// The restored files of the store.
    package var files: [String] = []
    package var media = 0
    /// The number of threads and accounts that are no longer blocked but whose files were not kept. They must be fetched or imported again.
    package var onlyAllowed = 0
    /// Names without a removal.
    package var unknown: [String] = []
    /// Lines of site.yml that must be restored by hand.
    package var lines: [String] = []
  }

  /// Undoes removals: the threads return to the store, or may at least be fetched again.
  package func undo(threads names: [String], account: String?, all: Bool) throws(PipelineError) -> Restored {
    let lock = try store.beginWriting()
    defer { withExtendedLifetime(lock) {} }
    var result = Restored()
    var removed: RemovedThreads
    do {
      removed = try store.removedThreads()
    } catch {
      throw PipelineError(error)
    }
    var (chosen, unknown) = try kept(names, account: account, all: all, in: &removed, &result)
    chosen.sort { $0.file < $1.file }
    result.unknown = unknown
    do {
      for thread in chosen {
        guard FileSystem.kind(of: store.path(thread.file)) == .nothing else {
          throw PipelineError(
            .content, ["\(store.path(thread.file)): error: this file exists again and was not replaced"]
          )
        }
        try put(trash.path(thread.file), at: store.path(thread.file), below: store.folder)
        result.files.append(thread.file.path)
        removed.take(RemovedThreads.Thread(thread.conversation, at: now))
        let media = thread.conversation.mediaFiles
        result.media += try bringBack(media)
        if let profile = try trash.profile(of: thread.conversation.authorID),
          removed.accounts[thread.conversation.authorID] == nil
        {
          result.media += try bringBack(profile.mediaFiles)
          try store.save(removed)
          try store.save(profile)
          try trash.removeProfile(of: thread.conversation.authorID)
        }
      }
      try trash.movePermalinks(of: chosen.map(\.file), to: store)
      // The record is saved last. Until the files are restored, no other thread may take their place.
      try store.save(removed)
      result.lines = try putBackLines(Set(chosen.map(\.file.stem)))
    } catch {
      throw Self.problem(error)
    }
    return result
  }

  /// Deletes the kept files of removed threads permanently. The record of their removal stays.
  ///
  /// - Returns: the deleted files.
  package func forget(threads names: [String], account: String?) throws(PipelineError) -> [String] {
    guard FileSystem.kind(of: trash.folder) == .folder else { return [] }
    let lock = try store.beginWriting()
    defer { withExtendedLifetime(lock) {} }
    do {
      if names.isEmpty, account == nil {
        let files = try trash.list()
        // A damaged file is also deleted.
        let threads = files.compactMap { file in
          (try? trash.read(file)).map { ThreadFinder.Found(file: file, conversation: $0) }
        }
        try FileSystem.remove(trash.folder)
        try deleteCopies(of: threads)
        return files.map(\.path)
      }
      var removed = RemovedThreads()
      var restored = Restored()
      let (chosen, _) = try kept(names, account: account, all: false, in: &removed, &restored)
      var media: Set<String> = []
      for thread in chosen {
        media.formUnion(thread.conversation.mediaFiles)
        try trash.remove(thread.file)
      }
      for author in Set(chosen.map(\.conversation.authorID)) where account != nil {
        media.formUnion(try trash.profile(of: author)?.mediaFiles ?? [])
        try trash.removeProfile(of: author)
      }
      for name in media.subtracting(try trash.mediaInUse()) {
        try FileSystem.remove(try trash.mediaPath(name))
      }
      try trash.changePermalinks { permalinks in
        for thread in chosen { _ = permalinks.take(thread.file.stem) }
      }
      var lines = try ConfigLines(in: trash.folder)
      let gone = Set(chosen.map(\.file.stem))
      lines.removals.removeAll { $0.threads.isSubset(of: gone) }
      try lines.save()
      try deleteCopies(of: chosen)
      return chosen.map(\.file.path).sorted()
    } catch {
      throw Self.problem(error)
    }
  }

  /// Returns the kept threads for names. Threads without kept files are deleted from the record.
  private func kept(
    _ names: [String], account: String?, all: Bool, in removed: inout RemovedThreads, _ result: inout Restored
  ) throws(PipelineError) -> (chosen: [ThreadFinder.Found], unknown: [String]) {
    let listed = try list(trash)
    var chosen: [ThreadFinder.Found] = []
    var unknown: [String] = []
    for (name, thread) in zip(names, try ThreadFinder(site, in: trash, jobs: jobs).find(names)) {
      if let thread {
        chosen.append(thread)
      } else if let post = try? site.networks.addresses.post(name).postID, removed.holds(post) {
        for thread in removed.threads(with: post) { removed.take(thread) }
        result.onlyAllowed += 1
      } else {
        unknown.append(name)
      }
    }
    var accounts: Set<AuthorID> = []
    if let account {
      let authors = AuthorDirectory(ThreadAuthors(of: listed, in: trash, jobs: jobs))
      if let id = AuthorID(description: account), removed.accounts[id] != nil {
        accounts = [id]
      } else {
        accounts = try authors.accounts(named: account, site.networks.addresses)
      }
      for id in accounts where removed.accounts[id] != nil {
        removed.take(id)
        if authors[id] == nil { result.onlyAllowed += 1 }
      }
    }
    if all {
      for id in removed.accounts.keys { removed.take(id) }
      let known = Set(removed.threads)
      for thread in known { removed.take(thread) }
    }
    guard all || !accounts.isEmpty else { return (chosen, unknown) }
    let known = Set(chosen.map(\.file))
    for file in listed where !known.contains(file) {
      do throws(ThreadStoreError) {
        let conversation = try trash.read(file)
        if all || accounts.contains(conversation.authorID) {
          chosen.append(ThreadFinder.Found(file: file, conversation: conversation))
        }
      } catch {
        throw PipelineError(error)
      }
    }
    return (chosen, unknown)
  }

  private func bringBack(_ names: Set<String>) throws -> Int {
    var count = 0
    for name in names.sorted() {
      let (from, to) = (try trash.mediaPath(name), try store.mediaPath(name))
      guard FileSystem.kind(of: from) == .file, FileSystem.kind(of: to) == .nothing else { continue }
      try put(from, at: to, below: store.folder)
      count += 1
    }
    return count
  }

  // MARK: Files

  /// Deletes the copies of removed threads that the program keeps beside the store.
  private func deleteCopies(of threads: [ThreadFinder.Found], _ accounts: Set<AuthorID> = []) throws {
    let posts = threads.flatMap { $0.conversation.posts.map(\.id.value) }
    try RemovedWords(of: site).deleteCopies(marks: Set(posts + accounts.map(\.value)))
  }

  private func put(_ file: String, at place: String, below top: String) throws {
    try FileSystem.put(file, at: place, below: top)
    // The name of an empty folder would still contain the author's name.
    try FileSystem.removeOne(
      String(file.prefix(through: file.lastIndex(of: "/") ?? file.startIndex).dropLast()))
  }

  private func list(_ store: ThreadStore) throws(PipelineError) -> [StoredFile] {
    do {
      return try store.list()
    } catch {
      throw PipelineError(error)
    }
  }

  private func profile(of author: AuthorID, in store: ThreadStore) throws(PipelineError) -> Profile? {
    do {
      return try store.profile(of: author)
    } catch {
      throw PipelineError(error)
    }
  }

  private func isStored(_ name: String) -> Bool {
    guard let path = try? store.mediaPath(name) else { return false }  // not the name of a copy
    return FileSystem.kind(of: path) == .file
  }

  private static func opening(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return line.count > 60 ? String(line.prefix(60)) + "…" : line
  }

  private static func problem(_ error: any Error) -> PipelineError {
    switch error {
    case let error as PipelineError: error
    case let error as ThreadStoreError: PipelineError(error)
    case let error as FileError: PipelineError(error, about: .io)
    default: PipelineError(.io, error)
    }
  }
}
