import Basics
import MediaMirror
import SiteConfig
import SiteOutput
package import ThreadModel
import ThreadStore

/// Removes all data of accounts that site.yml leaves out from the store, before the next build: their threads, their posts in others'
/// threads, their names in others' texts, and the media that no other thread shows.
///
/// The previous contents of every changed file are kept in `.threadsite/left-out/`, laid out like a store, on this machine only, so that a
/// mistake in site.yml loses nothing. An interrupted run is continued by the next one: the files determine which threads remain, and the
/// record of ``LeftOutSurvey`` determines whether media and copies may remain.
package struct LeftOutCleaning: Sendable {
  private let site: SiteFolder
  /// The store without the filter for left-out accounts.
  private let store: ThreadStore
  private let kept: ThreadStore
  private let survey: LeftOutSurvey
  private let jobs: Int
  private let progress: ProgressHandler

  package init(_ site: SiteFolder, jobs: Int, progress: @escaping ProgressHandler) {
    self.site = site
    self.jobs = jobs
    self.progress = progress
    store = ThreadStore(folder: site.store)
    kept = ThreadStore(folder: "\(site.path)/\(LeftOutSurvey.folder)")
    survey = LeftOutSurvey(store: site.store, site: site.path, accounts: site.leftOut.accounts)
  }

  /// The stems of threads whose URLs may contain removed names.
  package typealias NamedAddresses = Set<String>

  /// Removes the data. If that is not possible, for example because the store is read-only in CI, the site is still built without the data.
  ///
  /// - Returns: the threads whose recorded URLs the site must not use if they contain a name of these accounts, as far as they are still in
  ///   the store's record.
  @discardableResult
  package func run() -> NamedAddresses {
    guard !site.leftOut.isEmpty, FileSystem.kind(of: site.store) == .folder, !survey.isClean else {
      return []
    }
    var named: NamedAddresses = []
    do throws(PipelineError) {
      let found = try look()
      named = found.named
      if !found.isEmpty || survey.isUnfinished {
        // Recorded first, because afterwards no file contains the names.
        try survey.remember(site.leftOut.knownNames, isClean: false)
        let media = try carryOut(found)
        if !found.isEmpty || media > 0 { progress(.warning(summary(of: found, media: media))) }
      }
      do throws(PipelineError) {
        try survey.remember(site.leftOut.knownNames, isClean: true)
      } catch {
        // The next build tries again.
        progress(.note(error.messages.joined(separator: "\n")))
      }
    } catch {
      progress(
        .warning(
          error.messages.joined(separator: "\n") + "\n"
            + "Some data of accounts that site.yml excludes remains in the store. The site is built without it."
        ))
    }
    return named
  }

  private func summary(of found: Found, media: Int) -> String {
    let (threads, posts) = (
      found.files.count { $0.new == nil }, found.files.reduce(0) { $0 + $1.posts }
    )
    let changed = found.named.count + (found.mentions == nil ? 0 : 1)
    return
      "\(site.store): warning: \(threads) threads, \(posts) posts and \(media) media files of accounts that site.yml excludes"
      + " were removed from the store, and their names were removed from \(changed) files; the originals are kept in"
      + " \(LeftOutSurvey.folder)/ until you delete that folder"
  }

  /// Returns the same threads, for callers that only read the store.
  package func namedAddresses() -> NamedAddresses {
    // Other readers of the store report an error if the store cannot be listed.
    guard !site.leftOut.isEmpty, !survey.isClean, let found = try? look() else { return [] }
    return found.named
  }

  // MARK: Searching

  private struct Found: Sendable {
    /// The files to change, each with its new contents (`nil` for a thread by one of the accounts) and the number of removed posts.
    var files: [(file: StoredFile, new: Conversation?, posts: Int)] = []
    var profiles: [(old: Profile, new: Profile?)] = []
    /// All webmentions, if any of them is by one of the accounts or names one.
    var mentions: WebMentions?

    var isEmpty: Bool { files.isEmpty && profiles.isEmpty && mentions == nil }
    /// The stems of the files that stay.
    var named: NamedAddresses { Set(files.filter { $0.new != nil }.map(\.file.stem)) }
  }

  private func look() throws(PipelineError) -> Found {
    let accounts = site.leftOut
    let search = ByteSearch(accounts.marks)
    let (files, profiles) = try withStore { () throws(ThreadStoreError) in
      (try store.list(), try store.profiles())
    }
    let parts = ParallelWork.run(count: files.count, jobs: jobs, makeState: Found.init) { position, part in
      let file = files[position]
      // An unreadable file is reported when its page is rendered.
      guard let bytes = try? FileBytes.read(store.path(file)), search.finds(in: bytes),
        let conversation = try? store.read(file)
      else { return }
      if accounts.holdsAuthor(of: conversation) {
        part.files.append((file, nil, conversation.posts.count))
        return
      }
      let cleared = accounts.clearing(conversation)
      guard cleared != conversation else { return }
      let count = { (conversation: Conversation) in conversation.posts.count + conversation.related.count }
      part.files.append((file, cleared, count(conversation) - count(cleared)))
    }
    var found = Found()
    found.files = parts.flatMap(\.files).sorted { $0.file < $1.file }
    for profile in profiles {
      if accounts.holds(profile.author.id, handle: profile.author.handle) {
        found.profiles.append((profile, nil))
      } else {
        let cleared = accounts.clearing(profile)
        if cleared != profile { found.profiles.append((profile, cleared)) }
      }
    }
    // An unreadable file is reported when the site is built.
    if let mentions = try? store.webMentions(), mentions.all.contains(where: { accounts.isNamed(in: $0) }) {
      found.mentions = mentions
    }
    return found
  }

  // MARK: Removing

  /// - Returns: the number of removed media.
  private func carryOut(_ found: Found) throws(PipelineError) -> Int {
    let lock = try store.beginWriting()
    defer { withExtendedLifetime(lock) {} }
    do {
      var index = try store.index()
      // This step comes first, because afterwards the threads no longer show which URLs contain names.
      try store.changePermalinks { permalinks in
        for stem in found.named { permalinks.forget(stem, where: site.leftOut.isNamed(inAddress:)) }
      }
      for (file, new, _) in found.files {
        guard let new else { continue }
        try keep(store.path(file), at: kept.path(file))
        _ = try store.replace(new, index: &index)
      }
      for (old, new) in found.profiles {
        try kept.save(old)
        if let new { try store.save(new) } else { try store.removeProfile(of: old.author.id) }
      }
      if let mentions = found.mentions {
        try keep("\(store.folder)/\(WebMentions.fileName)", at: "\(kept.folder)/\(WebMentions.fileName)")
        try site.threadStore.save(mentions)
      }
      let leaving = found.files.filter { $0.new == nil }.map(\.file)
      try store.movePermalinks(of: leaving, to: kept)
      try forgetSources()
      for file in leaving {
        try FileSystem.put(store.path(file), at: kept.path(file), below: kept.folder)
        // The name of an empty folder would still contain the author's name.
        if let folder = PathText.folder(of: store.path(file)) { try FileSystem.removeOne(String(folder)) }
      }
      let media = try moveMedia()
      try RemovedWords(of: site).deleteCopies(marks: site.leftOut.marks)
      return media
    } catch {
      throw PipelineError(converting: error)
    }
  }

  /// Stores the contents of a file before its first change.
  private func keep(_ path: String, at place: String) throws {
    guard FileSystem.kind(of: place) == .nothing else { return }
    try AtomicFile.write(try FileBytes.read(path), to: place)
  }

  /// Removes the ledger's entries for accounts, which contain their names.
  private func forgetSources() throws {
    var sourceState = try SourceState.load(store: site.store)
    let before = sourceState
    sourceState.forgetAccounts { site.leftOut.isNamed(in: $0) }
    if sourceState != before { try sourceState.save(store: site.store) }
  }

  /// Moves those media of the removed posts that no thread in the store shows anymore.
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

/// Reports how much of the fetched or imported data was by left-out accounts and was therefore not stored.
package func noteLeftOut(_ accounts: LeftOutAccounts, _ progress: ProgressHandler) {
  let (threads, posts) = (accounts.counter.threads, accounts.counter.posts)
  guard threads + posts > 0 else { return }
  progress(
    .warning(
      "\(threads) threads and \(posts) posts in other threads belong to accounts that site.yml excludes and were not stored"
    ))
}
