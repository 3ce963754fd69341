import Basics
package import ThreadStore

/// The store's media folder, which accepts only valid media files.
///
/// The type of every file is detected from its bytes, its dimensions are read from its header, its size is limited, and its name is derived
/// from its content, so that a file is stored once however many posts show it. Files are processed piece by piece, except captions, which
/// are small.
package struct MediaStore: Sendable {
  let store: ThreadStore
  let limits: MediaLimits
  let incoming: IncomingFolder

  var folder: String { "\(store.folder)/\(ThreadStore.mediaFolderName)" }

  /// Creates the media folder if it is missing, and removes the unfinished files of crashed runs.
  package init(store: ThreadStore, limits: MediaLimits = MediaLimits()) throws(MediaError) {
    self.store = store
    self.limits = limits
    incoming = try IncomingFolder(in: "\(store.folder)/\(ThreadStore.mediaFolderName)")
  }

  /// Removes the unfinished files that killed programs left in a store's media folder, if the folder exists.
  package static func removeAbandoned(in store: ThreadStore) throws(MediaError) {
    do {
      try IncomingFolder.removeAbandoned(in: "\(store.folder)/\(ThreadStore.mediaFolderName)")
    } catch {
      throw .file(error)
    }
  }

  /// Begins a new file that is written piece by piece. It is removed unless it is finished.
  ///
  /// - Parameter family: the required family; `nil` for any.
  package func begin(accepting family: MediaType.Family? = nil) throws(MediaError) -> MediaWriter {
    do {
      return MediaWriter(
        file: try IncomingFile(new: incoming.newPath()), mediaStore: self, family: family)
    } catch {
      throw .file(error)
    }
  }

  /// Stores bytes that are in memory.
  package func keep(
    _ bytes: [UInt8], accepting family: MediaType.Family? = nil
  ) throws(MediaError) -> StoredMedia {
    var writer = try begin(accepting: family)
    try Self.write(bytes[...], to: &writer)
    return try writer.finish()
  }

  /// Stores a copy of a file from elsewhere, such as an unpacked archive. A symbolic link is refused.
  package func keep(
    copying path: String, accepting family: MediaType.Family? = nil
  ) throws(MediaError) -> StoredMedia {
    var writer = try begin(accepting: family)
    try FilePieces.read(path) { bytes throws(MediaError) in try writer.write(bytes) }
    return try writer.finish()
  }

  /// Moves a file of the incoming folder into the store. If it is refused or already in the store, the file is removed.
  func importFile(_ path: String, accepting family: MediaType.Family?) throws(MediaError) -> StoredMedia {
    var file: IncomingFile
    do {
      file = try IncomingFile(existing: path)
    } catch {
      throw .file(error)
    }
    let descriptor = file.descriptor
    try FilePieces.read(descriptor, expecting: FileSystem.size(of: path) ?? 0, path) {
      bytes throws(MediaError) in
      file.pass(bytes)
    }
    return try commit(&file, accepting: family)
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to writer: inout MediaWriter) throws(MediaError) {
    // The closure of `withUnsafeBytes` cannot throw a typed error, so the closure returns the error.
    let result = bytes.withUnsafeBytes { buffer in writer.attempt(buffer) }
    if let result { throw result }
  }

  /// Checks a complete file, removes its metadata, and moves it to the name of its content.
  func commit(_ file: inout IncomingFile, accepting family: MediaType.Family?) throws(MediaError)
    -> StoredMedia
  {
    let type = try Self.type(of: file.head, accepting: family)
    guard file.count <= limits.bytes(of: type.family) else {
      throw .tooLarge(limit: limits.bytes(of: type.family))
    }
    try clean(&file, type)
    var window = file.window()
    guard let shape = MediaDimensions(type, reading: &window) else { throw .damaged(type) }
    try limits.check(shape)
    let name = file.name(type)
    let path = try path(name)
    let isNew = FileSystem.size(of: path) != file.count
    if isNew {
      do {
        try file.place(at: path)
      } catch {
        throw .file(error)
      }
    }
    return StoredMedia(name: name, type: type, shape: shape, bytes: file.count, isNew: isNew)
  }

  /// Removes a file's metadata (`MediaMetadata`) before the file is named by its content.
  private func clean(_ file: inout IncomingFile, _ type: MediaType) throws(MediaError) {
    var window = file.window()
    guard let pieces = MediaMetadata.cleaned(type, &window) else { return }
    do throws(FileError) {
      var cleaned = try IncomingFile(new: incoming.newPath())
      for piece in pieces {
        switch piece {
        case .kept(let range): try cleaned.write(range, of: file)
        case .bytes(let bytes): try cleaned.write(bytes)
        case .zeros(let count):
          let size = 64 << 10
          for start in stride(from: 0, to: count, by: size) {
            try cleaned.write([UInt8](repeating: 0, count: min(size, count - start)))
          }
        }
      }
      file = cleaned
    } catch {
      throw .file(error)
    }
  }

  /// Checks a file in the store like a new one, but without its digest: a store may have been cloned from an untrusted source. Returns `nil` if the
  /// file is missing or would be refused.
  package func stored(_ name: String, accepting family: MediaType.Family? = nil) -> StoredMedia? {
    guard let path = try? path(name), let file = try? OpenFile(path) else { return nil }
    return try? StoredMedia(inspecting: file, named: name, accepting: family, limits: limits)
  }

  static func type(of head: [UInt8], accepting family: MediaType.Family?) throws(MediaError) -> MediaType {
    guard let type = MediaType(head: head) else { throw .notMedia(MediaType.describe(head: head)) }
    guard family == nil || type.family == family else { throw .wrongFamily(type) }
    return type
  }

  func path(_ name: String) throws(MediaError) -> String {
    do {
      return try store.mediaPath(name)
    } catch {
      throw .store(error)
    }
  }

  /// Flushes the folder to the disk, so that the names of new files are durable before a conversation that refers to them is saved. One
  /// call is enough for many files.
  package func flush() throws(MediaError) {
    do {
      try AtomicFile.flushFolder(folder)
    } catch {
      throw .file(error)
    }
  }
}

extension MediaStore {
  /// Removes files that are no longer used, for example because their post was deleted.
  ///
  /// - Parameters:
  ///   - names: the candidates; entries that are not regular files are skipped.
  ///   - used: the files that any conversation or profile of the store still uses (`Conversation.mediaFiles`).
  /// - Returns: the names of the removed files, sorted.
  @discardableResult
  package func remove(_ names: Set<String>, unlessIn used: Set<String>) throws(MediaError) -> [String] {
    var removed: [String] = []
    for name in names.subtracting(used).sorted() {
      let path = try path(name)
      guard FileSystem.kind(of: path) == .file else { continue }
      do {
        try FileSystem.remove(path)
      } catch {
        throw .file(error)
      }
      removed.append(name)
    }
    return removed
  }
}
