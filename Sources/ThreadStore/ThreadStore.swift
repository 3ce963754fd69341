import Files
package import ThreadModel
import UTF8Text

/// The conversations on disk: `<folder>/<platform>/<author>/<conversation id>.json`, and media beside them.
///
/// The user's property: plain files, made to be read in a diff. Nothing here keeps anything in memory between calls.
/// Links inside the store are not followed, as a store may have been cloned from anybody.
package struct ThreadStore: Sendable {
  /// Bytes; more is no conversation.
  package static let maximumFileSize = 64 << 20
  /// The folder beside the platforms' that holds copies of media.
  package static let mediaFolderName = "media"
  /// The folder beside the platforms' that holds authors' profiles.
  package static let profilesFolderName = "profiles"
  static let reservedFolders: Set<String> = [mediaFolderName, profilesFolderName]

  /// The path of the store, such as `threads`.
  package let folder: String

  /// Whom nothing is kept of, and nothing is read of.
  package let leavingOut: LeftOutAccounts

  package init(folder: String, leavingOut: LeftOutAccounts = .none) {
    self.leavingOut = leavingOut
    let folder = PathText.withoutTrailingSlashes(folder)
    self.folder = folder.isEmpty ? "." : folder
  }

  /// The path of a file below the store's folder.
  package func path(_ file: StoredFile) -> String { "\(folder)/\(file.path)" }

  /// The path of a media file, by the name that the model keeps; an error for a name that is none.
  package func mediaPath(_ name: String) throws(ThreadStoreError) -> String {
    guard SafeName.isPossible(name) else { throw .unsafeName(name) }
    return "\(folder)/\(Self.mediaFolderName)/\(name)"
  }

  /// Removes what killed programs left half-written; what a living one is writing stays.
  package func removeAbandoned() {
    // What cannot be listed has nothing to tidy up; reading it says what is wrong.
    func folders(in path: String) -> [String] {
      ((try? FileSystem.entries(of: path)) ?? []).filter { $0.kind == .folder }.map { "\(path)/\($0.name)" }
    }
    AtomicFile.removeAbandoned(in: folder)
    for platform in folders(in: folder) where platform != "\(folder)/\(Self.mediaFolderName)" {
      for place in folders(in: platform) { AtomicFile.removeAbandoned(in: place) }
    }
  }

  // MARK: Reading

  /// All conversations, sorted by path; none where the folder is missing.
  ///
  /// Hidden files, files that are no `.json`, and whatever lies deeper or higher than a conversation does are
  /// passed over.
  package func list() throws(ThreadStoreError) -> [StoredFile] {
    var files: [StoredFile] = []
    for platform in try folders(in: folder) where !Self.reservedFolders.contains(platform) {
      let platformPath = "\(folder)/\(platform)"
      for author in try folders(in: platformPath) {
        for entry in try StoreFiles.entries(of: "\(platformPath)/\(author)")
        where entry.kind != .folder {
          guard let name = entry.name.without(byteSuffix: ".json") else { continue }
          files.append(StoredFile(platform: Platform(rawValue: platform), folder: author, name: String(name)))
        }
      }
    }
    return files.sorted()
  }

  private func folders(in path: String) throws(ThreadStoreError) -> [String] {
    var names: [String] = []
    for entry in try StoreFiles.entries(of: path) {
      // Whatever it leads to: who made it a link wants its threads on the site, and they would be missing.
      if entry.kind == .link { throw .symbolicLink("\(path)/\(entry.name)") }
      if entry.kind == .folder { names.append(entry.name) }
    }
    return names
  }

  /// The conversation in a file.
  package func read(_ file: StoredFile) throws(ThreadStoreError) -> Conversation {
    guard let conversation = try readIfPresent(file) else {
      throw .file(
        FileError(operation: "read the file", path: path(file), reason: "there is no such file"))
    }
    return conversation
  }

  /// Whose thread a file holds, and what it says of them; the rest of the file is not looked at.
  package func readAuthor(_ file: StoredFile) throws(ThreadStoreError) -> (id: AuthorID, record: Author?) {
    let author = try ConversationCoding.decodeAuthor(try bytes(file), file: path(file))
    return (author.id, author.record.map { leavingOut.clearing($0) })
  }

  /// The conversation of a file, its author, and the author's posts in it, which takes a part of the time that all of it takes.
  ///
  /// Whether the rest can be read is not known then.
  package func readOwnPosts(
    _ file: StoredFile
  ) throws(ThreadStoreError) -> (conversation: PostID, authorID: AuthorID, posts: [PostID]) {
    try ConversationCoding.decodeOwnPosts(try bytes(file), file: path(file))
  }

  private func bytes(_ file: StoredFile) throws(ThreadStoreError) -> [UInt8] {
    let path = path(file)
    guard let bytes = try StoreFiles.read(path, atMost: Self.maximumFileSize) else {
      throw .file(FileError(operation: "read the file", path: path, reason: "there is no such file"))
    }
    return bytes
  }

  /// The name of a folder for somebody's threads.
  package static func folderName(_ name: String) -> String { SafeName.make(name) }

  func readIfPresent(_ file: StoredFile) throws(ThreadStoreError) -> Conversation? {
    let path = path(file)
    guard let bytes = try StoreFiles.read(path, atMost: Self.maximumFileSize) else { return nil }
    let conversation = try ConversationCoding.decode(bytes, file: path)
    guard conversation.platform == file.platform,
      StoredFile.name(of: conversation.id, by: conversation.authorID) == file.name
    else {
      throw .misnamed(file: path, holds: "the conversation \(conversation.id)")
    }
    return leavingOut.clearing(conversation)
  }
}
