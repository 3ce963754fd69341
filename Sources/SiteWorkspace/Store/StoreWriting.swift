package import Basics
import MediaMirror
package import SiteOutput
import ThreadModel
package import ThreadStore

extension ThreadStore {
  /// Acquires the exclusive right to write to the store, for the lifetime of the lock, and removes temporary files of interrupted programs.
  /// Without the lock, two programs that change one conversation at the same time would lose each other's changes.
  ///
  /// The store's folder is created if it is missing.
  package func beginWriting() throws(PipelineError) -> FolderLock {
    do throws(FileError) {
      if let lock = try FolderLock.take(folder) {
        try removeLeftovers()
        return lock
      }
    } catch {
      throw PipelineError(error, about: .content)
    }
    throw PipelineError(
      .io, ["\(folder): error: another threadsite is writing to this store; try again when it has finished"])
  }

  /// Moves the records of threads' URLs to another store. They are written there before they are removed here.
  package func movePermalinks(of files: [StoredFile], to other: ThreadStore) throws {
    var taken = Permalinks()
    var before = try permalinks()
    for file in files { taken.putBack(before.take(file.stem)) }
    guard !taken.isEmpty else { return }
    try other.changePermalinks { $0.putBack(taken) }
    try changePermalinks { permalinks in
      for file in files { _ = permalinks.take(file.stem) }
    }
  }

  /// Changes the record of URLs, and writes it if it has changed.
  package func changePermalinks(_ change: (inout Permalinks) -> Void) throws(PipelineError) {
    let before = try permalinks()
    var permalinks = before
    change(&permalinks)
    guard permalinks != before else { return }
    do {
      try AtomicFile.write(permalinks.bytes, to: "\(folder)/\(Permalinks.fileName)")
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Returns the record of the URLs at which threads were published; empty if the file is missing.
  package func permalinks() throws(PipelineError) -> Permalinks {
    try Permalinks(inFile: "\(folder)/\(Permalinks.fileName)")
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
  ///
  /// - Parameter leaving: threads that are about to be removed, and do not count.
  package func mediaInUse(besides leaving: Set<StoredFile> = []) throws(ThreadStoreError) -> Set<String> {
    var used: Set<String> = []
    var authors: Set<AuthorID> = []
    for file in try list() where !leaving.contains(file) {
      let conversation = try read(file)
      used.formUnion(conversation.mediaFiles)
      guard authors.insert(conversation.authorID).inserted else { continue }
      used.formUnion(try profile(of: conversation.authorID)?.mediaFiles ?? [])
    }
    return used
  }
}

extension Permalinks {
  /// Reads a record; empty if the file is missing.
  package init(inFile path: String) throws(PipelineError) {
    guard FileSystem.kind(of: path) != .nothing else {
      self.init()
      return
    }
    do {
      try self.init(JSONValue(parsing: try FileBytes.read(path)), file: path)
    } catch {
      throw PipelineError(converting: error, in: path, advice: "; restore the file from version control")
    }
  }
}

extension SiteFolder {
  /// The file in which a build notes the URLs of the threads in the output folder, so that they can be recorded when the site is published.
  package var builtPermalinksFile: String {
    "\(path)/.threadsite/build/\(ContentHash.of(output.utf8)).permalinks.json"
  }

  /// The URLs of the threads in the output folder; `nil` if they are unknown.
  package var builtPermalinks: Permalinks? {
    guard FileSystem.kind(of: builtPermalinksFile) == .file else { return nil }
    return try? Permalinks(inFile: builtPermalinksFile)
  }
}
