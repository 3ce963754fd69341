import Basics
import MediaMirror
import SiteOutput
import ThreadModel
import ThreadStore

extension ThreadStore {
  /// Takes the exclusive right to write to the store, for the lifetime of the lock, and removes temporary files of interrupted programs. Without the
  /// lock, two programs that change one conversation at the same time would lose each other's changes.
  ///
  /// The store's folder is created if it is missing.
  func beginWriting() throws(PipelineError) -> FolderLock {
    do throws(FileError) {
      if let lock = try FolderLock.take(folder) {
        try removeLeftovers()
        return lock
      }
    } catch {
      throw PipelineError(error, about: .content)
    }
    throw PipelineError(
      .io, ["\(folder): error: another threadsite is writing to this store; wait until it is done"])
  }

  /// Moves the records of threads' addresses to another store: they are written there before they are removed here.
  func movePermalinks(of files: [StoredFile], to other: ThreadStore) throws {
    var taken = Permalinks()
    var before = try permalinks()
    for file in files { taken.putBack(before.take(file.stem)) }
    guard !taken.isEmpty else { return }
    try other.changePermalinks { $0.putBack(taken) }
    try changePermalinks { permalinks in
      for file in files { _ = permalinks.take(file.stem) }
    }
  }

  private func removeLeftovers() throws(FileError) {
    removeAbandoned()
    do throws(MediaError) {
      try MediaStore.removeAbandoned(in: self)
    } catch {
      if case .file(let file) = error { throw file }
    }
  }
}

extension ThreadStore {
  /// Returns the names of all files in the media folder that any thread or profile uses.
  func mediaInUse() throws(ThreadStoreError) -> Set<String> {
    var used: Set<String> = []
    var authors: Set<AuthorID> = []
    for file in try list() {
      let conversation = try read(file)
      used.formUnion(conversation.mediaFiles)
      guard authors.insert(conversation.authorID).inserted else { continue }
      used.formUnion(try profile(of: conversation.authorID)?.mediaFiles ?? [])
    }
    return used
  }
}
