import Basics
import MediaMirror
import SiteOutput
import ThreadModel
import ThreadStore

extension ThreadStore {
  /// Takes the sole right to write to the store, for as long as the lock lives, and tidies up what killed programs left: two programs
  /// that change one conversation at the same time would each keep what the other does not know.
  ///
  /// Makes the store's folder where it is missing.
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

  /// Moves what is remembered of threads' addresses to another store: written there before it is taken from here.
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
  /// The names of all files in the media folder that any thread or profile mentions.
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
