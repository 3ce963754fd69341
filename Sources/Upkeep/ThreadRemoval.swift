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
    /// Threads that are already in the folder of removed threads. If an earlier run was interrupted, other data about them may remain.
    var earlier: [ThreadFinder.Found] = []
    package var accounts: Set<AuthorID> = []
    /// The accounts' handles, for messages.
    package var accountNames: [String] = []
    /// The threads' files, numbers of posts, and beginnings, which help the user to decide.
    package var threads: [(file: String, posts: Int, opening: String)] = []
    /// The lines of site.yml that name the threads.
    package var mentions: [CatalogEntry.Mention] = []
    /// The stems of the threads that these lines name.
    var owners: [ConfigEntry: Set<String>] = [:]
    /// Threads that stay but show removed posts: the file, and these posts.
    package var others: [(file: String, posts: [PostID])] = []
    /// Files of the media folder that are also removed.
    package var media: [String] = []

    /// The number of threads that were removed earlier.
    package var countOfEarlier: Int { earlier.count }
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
    let (listed, kept) = (try list(store), try list(trash))
    let authorsOfStore = ThreadAuthors(of: listed, in: store, jobs: jobs)
    var authors = AuthorDirectory(authorsOfStore)
    (plan.found, plan.earlier) = try find(names)
    if let account {
      do throws(PipelineError) {
        plan.accounts = try authors.accounts(named: account, site.networks.addresses)
      } catch {
        // An interrupted run may have removed all threads of the account.
        authors = AuthorDirectory(authorsOfStore.joined(ThreadAuthors(of: kept, in: trash, jobs: jobs)))
        plan.accounts = try authors.accounts(named: account, site.networks.addresses)
      }
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
    plan.found += threads(of: plan.accounts, in: store, listed, besides: plan.found)
    plan.earlier += threads(of: plan.accounts, in: trash, kept, besides: plan.earlier)
    plan.found.sort { $0.file < $1.file }
    let mentions = ConfigMentions(site, authors: authors)
    var mentioned: Set<CatalogEntry.Mention> = []
    var going: Set<PostID> = []
    var media: Set<String> = []
    for thread in plan.found + plan.earlier {
      let own = thread.conversation.posts.filter { $0.authorID == thread.conversation.authorID }
      going.formUnion(own.map(\.id))
      media.formUnion(thread.conversation.mediaFiles)
      for mention in mentions.of(thread.conversation, going: plan.accounts) {
        if mentioned.insert(mention).inserted { plan.mentions.append(mention) }
        if let entry = mention.entry { plan.owners[entry, default: []].insert(thread.file.stem) }
      }
    }
    for thread in plan.found {
      let own = thread.conversation.posts.filter { $0.authorID == thread.conversation.authorID }
      let first = own.min {
        ($0.createdAt?.milliseconds ?? .max, $0.id) < ($1.createdAt?.milliseconds ?? .max, $1.id)
      }
      plan.threads.append((thread.file.path, own.count, Self.opening(first?.text.text ?? "")))
    }
    for account in plan.accounts {
      for place in [store, trash] { media.formUnion(try profile(of: account, in: place)?.mediaFiles ?? []) }
    }
    let leaving = Set(plan.found.map(\.file))
    let rest = try others(listed.filter { !leaving.contains($0) }, going, plan.accounts)
    plan.others = rest.showing.sorted { $0.file < $1.file }
    plan.media = media.subtracting(rest.media).filter(isStored).sorted()
    return plan
  }

  /// Returns the threads for names: those in the store, and those that were removed earlier.
  private func find(
    _ names: [String]
  ) throws(PipelineError) -> (found: [ThreadFinder.Found], earlier: [ThreadFinder.Found]) {
    let found = try ThreadFinder(site, in: store, jobs: jobs).find(names)
    let missing = zip(names, found).filter { $1 == nil }.map(\.0)
    guard !missing.isEmpty else { return (ThreadFinder.unique(found), []) }
    let earlier = try ThreadFinder(site, in: trash, jobs: jobs).find(missing)
    try ThreadFinder.refuseMissing(missing, earlier)
    return (ThreadFinder.unique(found), ThreadFinder.unique(earlier))
  }

  /// Removes the threads. A new run after an interruption completes the removal.
  ///
  /// The record is written first. From then on, the threads cannot be restored by a fetch. The files of the threads are moved after the data
  /// about them, and a new run also processes the threads whose files have already moved.
  package func carryOut(_ plan: Plan) throws(PipelineError) {
    let lock = try store.beginWriting()
    defer { withExtendedLifetime(lock) {} }
    let threads = plan.found + plan.earlier
    do {
      var removed = try store.removedThreads()
      for thread in plan.found { removed.add(RemovedThreads.Thread(thread.conversation, at: now)) }
      for thread in plan.earlier where !removed.holds(thread.conversation) {
        removed.add(RemovedThreads.Thread(thread.conversation, at: now))
      }
      for account in plan.accounts where removed.accounts[account] == nil { removed.add(account, at: now) }
      try FileSystem.makeFolders(trash.folder)
      try store.save(removed)
      try store.movePermalinks(of: threads.map(\.file), to: trash)
      for name in plan.media {
        try put(try store.mediaPath(name), at: try trash.mediaPath(name), below: trash.folder)
      }
      for account in plan.accounts {
        guard let profile = try store.profile(of: account) else { continue }
        try trash.save(profile)
        try store.removeProfile(of: account)
      }
      for thread in plan.found {
        try put(store.path(thread.file), at: trash.path(thread.file), below: trash.folder)
      }
      for thread in plan.earlier { try removeEmptyFolder(of: store.path(thread.file)) }
      try deleteCopies(of: threads, plan.accounts)
    } catch {
      throw PipelineError(converting: error, about: .io)
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
      let accounts = Set(plan.accounts.map(\.description))
      let saved = removed.map { entry -> ConfigLines.Entry in
        let isWhole = isAccount(entry)
        return ConfigLines.Entry(
          place: entry, threads: isWhole ? [] : plan.owners[entry] ?? [],
          accounts: isWhole ? accounts : [], lines: self.lines(of: entry, in: decoded))
      }
      lines.removals.append(
        ConfigLines.Removal(
          before: String(decoding: decoded.bytes, as: UTF8.self), after: ConfigLines.digest(text),
          entries: saved.sorted(by: ConfigLines.Entry.isBefore)))
      // The removed lines are saved before they are removed.
      try FileSystem.makeFolders(trash.folder)
      try lines.save()
      AtomicFile.removeAbandoned(in: site.path)
      try AtomicFile.write(text, to: decoded.file, keepsMode: true)
      return plan.mentions.filter { mention in mention.entry.map { !removed.contains($0) } ?? true }
    } catch {
      throw PipelineError(converting: error, about: .io)
    }
  }

  /// Whether an entry is an account in `sources`.
  private func isAccount(_ entry: ConfigEntry) -> Bool {
    guard case .source(let index) = entry, case .account = site.config.sources[index] else { return false }
    return true
  }

  /// Returns the text by which an entry can be restored.
  private func lines(of entry: ConfigEntry, in decoded: DecodedSiteConfig) -> [String] {
    if let lines = decoded.lines(of: entry) { return lines }
    let config = site.config
    switch entry {
    case .source(let index):
      switch config.sources[index] {
      case .post(let post): return ["- \(post.post)"]
      case .account(let account): return ["- account: \(site.networks.addresses.url(of: account.account))"]
      case .search, .archive: return []
      }
    case .thread(let index): return ["- \(config.threads[index].url)"]
    case .sameAs(let thread, let index):
      let host = config.threads[thread]
      return ["threads:", "  - url: \(host.url)", "    same_as:", "      - \(host.sameAs[index])"]
    case .collected(let collection, let index):
      let whole = config.collections[collection]
      return ["collections:", "  - slug: \(whole.slug)", "    threads:", "      - \(whole.threads[index])"]
    case .tag, .hidden: return []
    }
  }

  /// Restores the lines of site.yml that were removed together with threads or accounts which are now restored.
  ///
  /// - Parameter isBack: whether an entry names one of these threads or accounts.
  /// - Returns: lines that must be restored by hand.
  private func putBackLines(where isBack: (ConfigLines.Entry) -> Bool) throws -> [String] {
    guard let decoded = site.decoded, FileSystem.kind(of: trash.folder) == .folder else { return [] }
    var lines = try ConfigLines(in: trash.folder)
    let before = try FileBytes.read(decoded.file)
    var bytes = before
    var missing: [String] = []
    for position in lines.removals.indices.reversed() {
      let removal = lines.removals[position]
      let back = removal.entries.filter(isBack)
      guard !back.isEmpty else { continue }
      let rest = removal.entries.filter { !isBack($0) }
      lines.removals[position].entries = rest
      if let text = former(removal, without: rest, now: bytes, decoded.file) {
        bytes = text
        lines.removals[position].after = ConfigLines.digest(text)
        continue
      }
      lines.removals[position].before = nil
      for list in [ThreadListName.sources, .threads] {
        let entries = back.filter { $0.list == list }.map(\.lines)
        missing += try put(entries, into: list, of: &bytes, decoded.file)
      }
      for entry in back where entry.list == nil {
        // A URL under same_as comes back with its entry.
        if case .sameAs(let thread, _) = entry.place,
          removal.entries.contains(where: { $0.place == .thread(thread) })
        {
          continue
        }
        missing += entry.lines
      }
    }
    if bytes != before {
      AtomicFile.removeAbandoned(in: site.path)
      try AtomicFile.write(bytes, to: decoded.file, keepsMode: true)
    }
    try lines.save()
    return missing
  }

  /// Returns the contents of site.yml before a removal, without some of the removed entries; `nil` if the file has changed since.
  private func former(
    _ removal: ConfigLines.Removal, without rest: [ConfigLines.Entry], now bytes: [UInt8], _ file: String
  ) -> [UInt8]? {
    guard let before = removal.before, ConfigLines.digest(bytes) == removal.after else { return nil }
    guard !rest.isEmpty else { return Array(before.utf8) }
    let addresses = site.networks.addresses
    // The file was valid before the removal. If it no longer is, the entries are added one by one.
    guard let old = try? SiteConfig.decode(bytes: before.utf8, file: file, addresses: addresses) else {
      return nil
    }
    let gone = Set(rest.map(\.place))
    let (text, removed) = old.removing(gone, addresses)
    return removed == gone ? text : nil
  }

  /// Adds entries at the end of a list of site.yml.
  ///
  /// - Returns: the lines of entries that must be added by hand.
  private func put(
    _ entries: [[String]], into list: ThreadListName, of bytes: inout [UInt8], _ file: String
  ) throws -> [String] {
    let addresses = site.networks.addresses
    let now = try SiteConfig.decode(bytes: bytes, file: file, addresses: addresses).config
    // The owner or an interrupted run may have restored some of them.
    let entries = entries.filter { !Self.holds(now, $0, in: list, addresses) }
    guard !entries.isEmpty else { return [] }
    if let text = try SiteConfig.decode(bytes: bytes, file: file, addresses: addresses)
      .putting(back: entries, into: list, addresses)
    {
      bytes = text
      return []
    }
    var rest = entries
    // Every attempt decodes the whole file.
    if entries.count <= 100 {
      rest = []
      for entry in entries {
        if let text = try SiteConfig.decode(bytes: bytes, file: file, addresses: addresses)
          .putting(back: [entry], into: list, addresses)
        {
          bytes = text
        } else {
          rest.append(entry)
        }
      }
    }
    return rest.isEmpty ? [] : ["\(list.rawValue):"] + rest.flatMap { $0.map { "  " + $0 } }
  }

  /// Whether a configuration has an equal entry.
  private static func holds(
    _ config: SiteConfig, _ entry: [String], in list: ThreadListName, _ addresses: AddressBook
  ) -> Bool {
    let text = "\(list.rawValue):\n" + entry.map { "  \($0)\n" }.joined()
    // An entry that cannot be decoded is treated like a missing one, and printed.
    guard let alone = try? SiteConfig.decode(bytes: text.utf8, file: "", addresses: addresses).config else {
      return false
    }
    return switch list {
    case .sources: !alone.sources.isEmpty && alone.sources.allSatisfy(config.sources.contains)
    case .threads: !alone.threads.isEmpty && alone.threads.allSatisfy(config.threads.contains)
    }
  }

  /// Returns the conversations of accounts, besides those that were named themselves.
  private func threads(
    of accounts: Set<AuthorID>, in store: ThreadStore, _ files: [StoredFile],
    besides found: [ThreadFinder.Found]
  ) -> [ThreadFinder.Found] {
    guard !accounts.isEmpty else { return [] }
    let chosen = Set(found.map(\.file))
    let parts = ParallelWork.run(count: files.count, jobs: jobs, makeState: { [ThreadFinder.Found]() }) {
      position, part in
      guard !chosen.contains(files[position]) else { return }
      // An unreadable file of the store is an error when the remaining threads are read. One that was removed earlier is unchanged.
      guard let author = try? store.readAuthor(files[position]), accounts.contains(author.id),
        let conversation = try? store.read(files[position])
      else { return }
      part.append(ThreadFinder.Found(file: files[position], conversation: conversation))
    }
    return Array(parts.joined())
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
  ///
  /// The files of the threads are moved after the data about them, so that a new run after an interruption completes the work.
  package func undo(threads names: [String], account: String?, all: Bool) throws(PipelineError) -> Restored {
    let lock = try store.beginWriting()
    defer { withExtendedLifetime(lock) {} }
    var result = Restored()
    var removed = try withStore { () throws(ThreadStoreError) in try store.removedThreads() }
    var allowed = removed
    let (chosen, unknown, accounts) = try kept(names, account: account, all: all, in: &removed, &result)
    result.unknown = unknown
    try checkPlaces(of: chosen)
    do {
      for thread in chosen { result.media += try bringBack(thread.conversation.mediaFiles) }
      // The profiles of removed accounts are not saved.
      for account in accounts { allowed.take(account) }
      if !accounts.isEmpty { try store.save(allowed) }
      for author in Set(chosen.map(\.conversation.authorID)).sorted() where allowed.accounts[author] == nil {
        guard let profile = try trash.profile(of: author) else { continue }
        result.media += try bringBack(profile.mediaFiles)
        try store.save(profile)
        try trash.removeProfile(of: author)
      }
      try trash.movePermalinks(of: chosen.map(\.file), to: store)
      let (stems, ids) = (Set(chosen.map(\.file.stem)), Set(accounts.map(\.description)))
      result.lines = try putBackLines { entry in
        all || !entry.threads.isDisjoint(with: stems) || !entry.accounts.isDisjoint(with: ids)
      }
      for thread in chosen {
        try put(trash.path(thread.file), at: store.path(thread.file), below: store.folder)
        result.files.append(thread.file.path)
        removed.take(RemovedThreads.Thread(thread.conversation, at: now))
      }
      // The record is saved last. Until the files are restored, no other thread may take their place.
      try store.save(removed)
    } catch {
      throw PipelineError(converting: error, about: .io)
    }
    return result
  }

  /// Checks that the threads can return to their places in the store, before anything is changed.
  private func checkPlaces(of threads: [ThreadFinder.Found]) throws(PipelineError) {
    let problems = threads.compactMap { thread -> String? in
      let (from, to) = (trash.path(thread.file), store.path(thread.file))
      guard FileSystem.kind(of: to) != .nothing else { return nil }
      // The file is the same if it was restored from version control, or by an interrupted run. An unreadable file counts as different.
      if let bytes = try? FileBytes.read(from), FileSystem.isFile(to, of: bytes) { return nil }
      return
        "\(to): error: this file exists again and differs from the removed one, so nothing was restored; delete it, or delete \(from)"
    }
    guard problems.isEmpty else { throw PipelineError(.content, problems) }
  }

  /// The result of deleting kept files.
  package struct Forgotten: Sendable {
    /// The deleted files.
    package var files: [String] = []
    /// Names without a kept file.
    package var unknown: [String] = []
  }

  /// Deletes the kept files of removed threads permanently. The record of their removal stays.
  ///
  /// The files of the threads are deleted last, so that a new run after an interruption completes the work.
  package func forget(threads names: [String], account: String?) throws(PipelineError) -> Forgotten {
    guard FileSystem.kind(of: trash.folder) == .folder else {
      return Forgotten(unknown: names + [account].compactMap(\.self))
    }
    let lock = try store.beginWriting()
    defer { withExtendedLifetime(lock) {} }
    do {
      if names.isEmpty, account == nil {
        let files = try trash.list()
        // A damaged file is also deleted.
        let threads = files.compactMap { file in
          (try? trash.read(file)).map { ThreadFinder.Found(file: file, conversation: $0) }
        }
        try deleteCopies(of: threads)
        try FileSystem.remove(trash.folder)
        return Forgotten(files: files.map(\.path))
      }
      var removed = RemovedThreads()
      var restored = Restored()
      let (chosen, unknown, accounts) = try kept(
        names, account: account, all: false, in: &removed, &restored)
      var lines = try ConfigLines(in: trash.folder)
      lines.forget(
        threads: Set(chosen.map(\.file.stem)), accounts: Set(accounts.map(\.description)))
      try lines.save()
      try trash.changePermalinks { permalinks in
        for thread in chosen { _ = permalinks.take(thread.file.stem) }
      }
      var media = Set(chosen.flatMap(\.conversation.mediaFiles))
      for account in accounts { media.formUnion(try trash.profile(of: account)?.mediaFiles ?? []) }
      for name in media.subtracting(try trash.mediaInUse(besides: Set(chosen.map(\.file)))) {
        try FileSystem.remove(try trash.mediaPath(name))
      }
      for account in accounts { try trash.removeProfile(of: account) }
      try deleteCopies(of: chosen)
      for thread in chosen {
        try trash.remove(thread.file)
        try removeEmptyFolder(of: trash.path(thread.file))
      }
      return Forgotten(files: chosen.map(\.file.path), unknown: unknown)
    } catch {
      throw PipelineError(converting: error, about: .io)
    }
  }

  /// Returns the kept threads for names, sorted by file, and the accounts. Threads without kept files are deleted from the record.
  private func kept(
    _ names: [String], account: String?, all: Bool, in removed: inout RemovedThreads, _ result: inout Restored
  ) throws(PipelineError) -> (chosen: [ThreadFinder.Found], unknown: [String], accounts: Set<AuthorID>) {
    let listed = try list(trash)
    var found: [ThreadFinder.Found?] = []
    var unknown: [String] = []
    for (name, thread) in zip(names, try ThreadFinder(site, in: trash, jobs: jobs).find(names)) {
      if let thread {
        found.append(thread)
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
      accounts = Set(removed.accounts.keys)
      for id in accounts { removed.take(id) }
      for thread in removed.threads { removed.take(thread) }
    }
    var chosen = ThreadFinder.unique(found)
    if all || !accounts.isEmpty {
      let known = Set(chosen.map(\.file))
      for file in listed where !known.contains(file) {
        let conversation = try withStore { () throws(ThreadStoreError) in try trash.read(file) }
        if all || accounts.contains(conversation.authorID) {
          chosen.append(ThreadFinder.Found(file: file, conversation: conversation))
        }
      }
    }
    return (chosen.sorted { $0.file < $1.file }, unknown, accounts)
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
    try removeEmptyFolder(of: file)
  }

  /// Removes the folder of a file that is gone, if it is empty, because its name may be the author's.
  private func removeEmptyFolder(of file: String) throws {
    if let folder = PathText.folder(of: file) { try FileSystem.removeOne(String(folder)) }
  }

  private func list(_ store: ThreadStore) throws(PipelineError) -> [StoredFile] {
    try withStore { () throws(ThreadStoreError) in try store.list() }
  }

  private func profile(of author: AuthorID, in store: ThreadStore) throws(PipelineError) -> Profile? {
    try withStore { () throws(ThreadStoreError) in try store.profile(of: author) }
  }

  private func isStored(_ name: String) -> Bool {
    guard let path = try? store.mediaPath(name) else { return false }  // not the name of a copy
    return FileSystem.kind(of: path) == .file
  }

  private static func opening(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return line.count > 60 ? String(line.prefix(60)) + "…" : line
  }
}
