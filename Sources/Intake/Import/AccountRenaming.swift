import NetworkSources
import SiteWorkspace
import ThreadModel
import ThreadStore

/// Renames accounts that the store knows only by their names, because exports do not contain the network's ids
/// (`NetworkSource.provisionalID`).
///
/// Once an account's id is known from the network or from a newer export, the account's threads get that id. They stay in their files, so
/// that no page moves.
struct AccountRenaming {
  private let store: ThreadStore
  private let networks: NetworkRegistry
  /// The files of such accounts by their provisional ids, for each network whose files were read.
  private var files: [Platform: [AuthorID: [StoredFile]]] = [:]

  init(_ store: ThreadStore, _ networks: NetworkRegistry) {
    self.store = store
    self.networks = networks
  }

  /// Assigns the threads that are stored under an account's provisional id to the account.
  ///
  /// - Parameter index: rebuilt if files changed.
  mutating func rename(for author: Author, index: inout ThreadStore.Index) throws(PipelineError) {
    guard let old = networks[author.id.platform]?.provisionalID(of: author), old != author.id,
      let files = try take(old)
    else { return }
    do {
      for file in files {
        let renamed = try store.read(file).renaming(old, to: author.id)
        if let home = try store.find(renamed.id, by: author.id, in: index) {
          _ = try store.save(renamed, index: &index)
          try store.remove(file)
          try store.keepAddresses([(file, home)])
        } else {
          // An account's existing threads stay, even if the account was removed.
          _ = try store.place(
            [renamed], keeping: [author.id: file], over: [file: old], without: RemovedThreads())
        }
      }
      index = try store.index()
    } catch {
      throw PipelineError(converting: error)
    }
  }

  private mutating func take(_ id: AuthorID) throws(PipelineError) -> [StoredFile]? {
    if files[id.platform] == nil {
      var found: [AuthorID: [StoredFile]] = [:]
      for (file, author) in try accounts(on: id.platform)
      where networks[id.platform]?.provisionalID(of: author) == author.id {
        found[author.id, default: []].append(file)
      }
      files[id.platform] = found
    }
    return files[id.platform]?.removeValue(forKey: id)
  }

  /// Returns the network's id of an account that has only a provisional id, if the store knows it from the account's handle. If there are
  /// several, returns the one that was seen last.
  func knownID(of author: Author) throws(PipelineError) -> AuthorID? {
    guard networks[author.id.platform]?.provisionalID(of: author) == author.id else { return nil }
    let known = try accounts(on: author.id.platform).map(\.author).filter { other in
      other.id != author.id && networks[other.id.platform]?.provisionalID(of: other) == author.id
    }
    return known.max { ($0.seenAt, $0.id) < ($1.seenAt, $1.id) }?.id
  }

  /// Returns the authors of a network's threads. Unreadable files are skipped, because other callers report their errors.
  private func accounts(on platform: Platform) throws(PipelineError) -> [(file: StoredFile, author: Author)] {
    try withStore { () throws(ThreadStoreError) in
      return try store.list().filter { $0.platform == platform }.compactMap { file in
        guard let author = (try? store.readAuthor(file))?.record else { return nil }
        return (file, author)
      }
    }
  }
}
