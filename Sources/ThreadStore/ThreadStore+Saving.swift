import Files
package import ThreadModel
import UTF8Text

extension ThreadStore {
  /// What saving did to the store.
  package enum Outcome: String, Hashable, Sendable {
    /// The conversation is new.
    case added
    /// The file knows more than before, or something later.
    case updated
    /// The file already said all of it, and was not touched.
    case unchanged
  }

  /// Which author folders hold a file for a conversation id: what saving many conversations needs to know once.
  package struct Index: Sendable {
    private var folders: [String: [String]] = [:]

    init(_ files: [StoredFile]) {
      for file in files { add(file) }
    }

    private static func key(_ platform: Platform, _ id: String) -> String { "\(platform.rawValue)/\(id)" }

    package mutating func add(_ file: StoredFile) {
      folders[Self.key(file.platform, file.id), default: []].append(file.folder)
    }

    func files(_ platform: Platform, _ id: String) -> [StoredFile] {
      (folders[Self.key(platform, id)] ?? []).map { StoredFile(platform: platform, folder: $0, id: id) }
    }
  }

  /// An index of what is on disk now; saving keeps it up to date.
  package func index() throws(ThreadStoreError) -> Index { Index(try list()) }

  /// The file of an author's conversation, in whatever author folder it lies: handles change, folders stay.
  package func find(_ id: PostID, by author: AuthorID) throws(ThreadStoreError) -> StoredFile? {
    try find(id, by: author, in: try index())?.file
  }

  private func find(
    _ id: PostID, by author: AuthorID, in index: Index
  ) throws(ThreadStoreError) -> (file: StoredFile, conversation: Conversation)? {
    for file in index.files(id.platform, SafeName.make(id.value)) {
      if let conversation = try readIfPresent(file), conversation.id == id, conversation.authorID == author {
        return (file, conversation)
      }
    }
    return nil
  }

  /// Keeps a conversation, merged with what the store has of it.
  ///
  /// A file that cannot be read is never written over: the error names it. Where the merge says nothing new, nothing is
  /// written.
  @discardableResult
  package func save(_ conversation: Conversation) throws(ThreadStoreError) -> (
    file: StoredFile, outcome: Outcome
  ) {
    var index = try index()
    return try save(conversation, index: &index)
  }

  /// `save` for many conversations, with an index made once.
  package func save(
    _ conversation: Conversation, index: inout Index
  ) throws(ThreadStoreError) -> (file: StoredFile, outcome: Outcome) {
    let (file, outcome) = try save(conversation, in: index)
    if outcome == .added { index.add(file) }
    return (file, outcome)
  }

  /// `save` for many conversations from several threads at once, which is what makes flushing each file cheap: the system
  /// flushes them together. No two of them may be the same conversation.
  ///
  /// - Parameters:
  ///   - index: is not changed; the caller adds what was added.
  ///   - dateAlone: whether a later date alone, of an archive that holds the same, is worth a change.
  package func save(
    _ conversation: Conversation, in index: Index, dateAlone: Bool = true
  ) throws(ThreadStoreError) -> (file: StoredFile, outcome: Outcome) {
    if let (file, known) = try find(conversation.id, by: conversation.authorID, in: index) {
      let merged = known.merged(with: conversation)
      guard merged != known, dateAlone || !merged.saysNoMore(than: known) else { return (file, .unchanged) }
      try write(merged, to: file)
      return (file, .updated)
    }
    let file = try newFile(for: conversation)
    // A merge with nothing sorts the lists, as every later merge will.
    let sorted = Conversation(id: conversation.id, authorID: conversation.authorID).merged(with: conversation)
    try write(sorted, to: file)
    return (file, .added)
  }

  /// Keeps a conversation in the place of what the store has of it: what the new one lacks is gone.
  ///
  /// For those who read the file before, and took something out of it on purpose.
  @discardableResult
  package func replace(_ conversation: Conversation) throws(ThreadStoreError) -> (
    file: StoredFile, outcome: Outcome
  ) {
    guard let (file, known) = try find(conversation.id, by: conversation.authorID, in: try index()) else {
      return try save(conversation)
    }
    let sorted = Conversation(id: conversation.id, authorID: conversation.authorID).merged(with: conversation)
    guard sorted != known else { return (file, .unchanged) }
    try write(sorted, to: file)
    return (file, .updated)
  }

  /// Takes a conversation's file away; its media stay.
  package func remove(_ file: StoredFile) throws(ThreadStoreError) {
    do {
      try FileSystem.remove(path(file))
    } catch {
      throw .file(error)
    }
  }

  private func write(_ conversation: Conversation, to file: StoredFile) throws(ThreadStoreError) {
    let folder = "\(self.folder)/\(file.platform.rawValue)/\(file.folder)"
    try StoreFiles.makeFolders(folder)
    try StoreFiles.write(ConversationCoding.encode(conversation).bytes, to: "\(folder)/\(file.id).json")
  }

  /// Where a conversation goes that the store does not have: the folder of its author's handle, or of handle and id
  /// where that place is taken (two handles may differ in case only, and a handle may have changed hands).
  private func newFile(for conversation: Conversation) throws(ThreadStoreError) -> StoredFile {
    let platform = conversation.platform.rawValue
    guard !Self.reservedFolders.contains(platform), SafeName.make(platform) == platform else {
      throw .unsafeName(platform)
    }
    guard !conversation.id.value.isEmpty else { throw .unsafeName(conversation.id.value) }
    let author = conversation.authorID.value
    let handle = conversation.author?.handle.flatMap { $0.isEmpty ? nil : $0 } ?? author
    let id = SafeName.make(conversation.id.value)
    for folder in [SafeName.make(handle), SafeName.make("\(handle)-\(author)")] {
      let file = StoredFile(platform: conversation.platform, folder: folder, id: id)
      if FileSystem.kind(of: path(file)) == .nothing { return file }
    }
    throw .misnamed(
      file: path(StoredFile(platform: conversation.platform, folder: SafeName.make(handle), id: id)),
      holds: "a conversation of another author than \(author)")
  }
}
