import Basics
package import ThreadModel

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
  private static let reservedFolders: Set<String> = [mediaFolderName, profilesFolderName]

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

  private func readIfPresent(_ file: StoredFile) throws(ThreadStoreError) -> Conversation? {
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

  /// What saving did to the store.
  package enum Outcome: String, Hashable, Sendable {
    /// The conversation is new.
    case added
    /// The file knows more than before, or something later.
    case updated
    /// The file already said all of it, and was not touched.
    case unchanged
    /// The owner removed the thread (`RemovedThreads`), and nothing was written.
    case removed
    /// The owner leaves out its author (`LeftOutAccounts`), and nothing was written.
    case leftOut = "left out"

    /// Whether nothing was written, as the owner wants it.
    package var isRefused: Bool { self == .removed || self == .leftOut }
  }

  /// Which author folders hold a file of the name that a conversation's has, and whose it is: what saving many conversations needs to know once.
  package struct Index: Sendable {
    /// The files of one name. There can be as many as people took part in a conversation.
    fileprivate struct Folders: Sendable {
      var byAuthor: [AuthorID: String] = [:]
      /// Folders of files that were not read, so that nobody knows whose they are.
      var unread: [String] = []
    }

    private var folders: [String: Folders] = [:]
    /// The first file of each author folder and, where it was saved with this index, whose it is, by the path that disks which fold letter
    /// case have of the folder.
    private var authorFolders: [String: (file: StoredFile, author: AuthorID?)] = [:]
    /// The same of all files.
    private var paths: Set<String> = []
    /// What no saving brings back.
    fileprivate let removed: RemovedThreads

    init(_ files: [StoredFile], without removed: RemovedThreads) {
      self.removed = removed
      for file in files { note(file) }
      // The first of them last, where it is taken from.
      for file in files.reversed() {
        folders[Self.key(file), default: Folders()].unread.append(file.folder)
      }
    }

    private static func key(_ file: StoredFile) -> String { "\(file.platform.rawValue)/\(file.name)" }

    private static func key(_ id: PostID, _ author: AuthorID) -> String {
      "\(id.platform.rawValue)/\(StoredFile.name(of: id, by: author))"
    }

    fileprivate subscript(id: PostID, author: AuthorID) -> Folders {
      get { folders[Self.key(id, author)] ?? Folders() }
      set { folders[Self.key(id, author)] = newValue }
    }

    /// What `body` does with the files that may hold an author's conversation; they are not in the index meanwhile, as changing them
    /// would copy all of them.
    fileprivate mutating func change<Result>(
      _ id: PostID, by author: AuthorID, _ body: (inout Folders) throws(ThreadStoreError) -> Result
    ) throws(ThreadStoreError) -> Result {
      var folders = self[id, author]
      self[id, author] = Folders()
      defer { self[id, author] = folders }
      return try body(&folders)
    }

    private mutating func note(_ file: StoredFile, by author: AuthorID? = nil) {
      paths.insert(PathText.folded(file.path))
      let folder = PathText.folded("\(file.platform.rawValue)/\(file.folder)")
      if authorFolders[folder] == nil { authorFolders[folder] = (file, author) }
    }

    /// Whether there is a file which some disk would take for this one.
    fileprivate func holdsAlike(_ file: StoredFile) -> Bool { paths.contains(PathText.folded(file.path)) }

    /// A file of the author folder which some disk would take for the one of this name.
    fileprivate func file(
      inFolderAlike name: String, _ platform: Platform
    ) -> (file: StoredFile, author: AuthorID?)? {
      authorFolders[PathText.folded("\(platform.rawValue)/\(name)")]
    }

    /// Takes in the file of an author's conversation that was added.
    package mutating func add(_ file: StoredFile, by author: AuthorID) {
      note(file, by: author)
      folders[Self.key(file), default: Folders()].byAuthor[author] = file.folder
    }
  }

  /// An index of what is on disk now; saving keeps it up to date.
  package func index() throws(ThreadStoreError) -> Index {
    Index(try list(), without: try removedThreads())
  }

  /// The file of an author's conversation, in whatever author folder it lies: handles change, folders stay.
  package func find(_ id: PostID, by author: AuthorID) throws(ThreadStoreError) -> StoredFile? {
    try find(id, by: author, in: try index())
  }

  /// The same by an index made before.
  package func find(_ id: PostID, by author: AuthorID, in index: Index) throws(ThreadStoreError)
    -> StoredFile?
  {
    var folders = index[id, author]
    return try find(id, by: author, in: &folders)?.file
  }

  /// - Parameter folders: learns whose the files are that are read on the way, so that none is read again for another author.
  private func find(
    _ id: PostID, by author: AuthorID, in folders: inout Index.Folders
  ) throws(ThreadStoreError) -> (file: StoredFile, conversation: Conversation)? {
    func file(_ folder: String) -> StoredFile {
      StoredFile(platform: id.platform, folder: folder, name: StoredFile.name(of: id, by: author))
    }
    if let folder = folders.byAuthor[author], let conversation = try readIfPresent(file(folder)),
      conversation.id == id, conversation.authorID == author
    {
      return (file(folder), conversation)
    }
    while let folder = folders.unread.last {
      // One that cannot be read stays, as it is an error for whoever asks next, too.
      let conversation = try readIfPresent(file(folder))
      folders.unread.removeLast()
      guard let conversation else { continue }
      if folders.byAuthor[conversation.authorID] == nil { folders.byAuthor[conversation.authorID] = folder }
      if conversation.id == id, conversation.authorID == author { return (file(folder), conversation) }
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
    let found = try index.change(conversation.id, by: conversation.authorID) {
      folders throws(ThreadStoreError) in
      try find(conversation.id, by: conversation.authorID, in: &folders)
    }
    let (file, outcome) = try save(conversation, over: found, in: index, dateAlone: true)
    if outcome == .added { index.add(file, by: conversation.authorID) }
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
    var folders = index[conversation.id, conversation.authorID]
    let found = try find(conversation.id, by: conversation.authorID, in: &folders)
    return try save(conversation, over: found, in: index, dateAlone: dateAlone)
  }

  private func save(
    _ conversation: Conversation, over found: (file: StoredFile, conversation: Conversation)?,
    in index: Index, dateAlone: Bool
  ) throws(ThreadStoreError) -> (file: StoredFile, outcome: Outcome) {
    if leavingOut.refuses(conversation) {
      let file: StoredFile
      if let found { file = found.file } else { file = try newFile(for: conversation, in: index) }
      return (file, .leftOut)
    }
    let conversation = leavingOut.clearing(conversation, counts: true)
    if let (file, known) = found {
      var merged = known.merged(with: conversation)
      if conversation.coverage.foundBy != nil, merged.coverage.checkedAt == conversation.coverage.checkedAt {
        // A fetch that did not look at everything again says what it saw now.
        merged.coverage = conversation.coverage
      }
      guard merged != known, dateAlone || !merged.saysNoMore(than: known) else { return (file, .unchanged) }
      try write(merged, to: file)
      return (file, .updated)
    }
    let file = try newFile(for: conversation, in: index)
    // A thread that the store has was not removed from it, or came back by its owner's hand.
    if index.removed.holds(conversation) { return (file, .removed) }
    try write(Self.sorted(conversation), to: file)
    return (file, .added)
  }

  /// A merge with nothing sorts the lists, as every later merge will.
  private static func sorted(_ conversation: Conversation) -> Conversation {
    Conversation(id: conversation.id, authorID: conversation.authorID).merged(with: conversation)
  }

  /// Keeps a conversation in the place of what the store has of it: what the new one lacks is gone.
  ///
  /// For those who read the file before, and took something out of it on purpose.
  @discardableResult
  package func replace(
    _ conversation: Conversation, index: inout Index
  ) throws(ThreadStoreError) -> (file: StoredFile, outcome: Outcome) {
    let found = try index.change(conversation.id, by: conversation.authorID) {
      folders throws(ThreadStoreError) in
      try find(conversation.id, by: conversation.authorID, in: &folders)
    }
    guard let (file, known) = found else { return try save(conversation, index: &index) }
    if leavingOut.refuses(conversation) { return (file, .leftOut) }
    let sorted = Self.sorted(leavingOut.clearing(conversation, counts: true))
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

  /// Where author folders are that stay as they are, by their names as disks have them which fold letter case.
  package typealias FixedFolders = [String: (folder: String, author: AuthorID)]

  /// Keeps all that is known of one conversation, a thread for each author, in the place of files that held it before: under another
  /// id, by an author whose thread it turned out not to be, or before a handle was known. A file that is no longer needed is
  /// taken away when the others are written.
  ///
  /// The files lie where their authors' handles say, in small letters, so that the same conversations make the same files, whatever was there before
  /// and whatever the disk takes for one name.
  ///
  /// - Parameters:
  ///   - conversations: all of one id, each already merged with what `old` holds.
  ///   - kept: files that stay where they are, by author.
  ///   - old: the files that held these conversations, by author.
  ///   - fixed: folders that are there for other reasons, by `folderKey`: their authors' files go there, and no others' into one alike.
  ///   - removed: what is left out, unless `old` has it.
  /// - Returns: what became of each, in the order of their authors.
  package func place(
    _ conversations: [Conversation], keeping kept: [AuthorID: StoredFile], over old: [StoredFile: AuthorID],
    beside fixed: FixedFolders = [:], without removed: RemovedThreads
  ) throws(ThreadStoreError) -> [(file: StoredFile, outcome: Outcome)] {
    var result: [(file: StoredFile, outcome: Outcome)] = []
    let known = Set(old.values)
    var taken = Set(kept.values)
    var paths = Set(taken.map { PathText.folded($0.path) })
    for conversation in conversations.sorted(by: { $0.authorID < $1.authorID }) {
      let author = conversation.authorID
      let file =
        if let file = kept[author] { file } else {
          try place(for: conversation, beside: fixed) { file in
            !paths.contains(PathText.folded(file.path))
              && (old[file] != nil || FileSystem.kind(of: path(file)) == .nothing)
          }
        }
      if !known.contains(author), removed.holds(conversation) {
        result.append((file, .removed))
        continue
      }
      if leavingOut.refuses(conversation) {
        result.append((file, .leftOut))
        // What is there of it is for whoever cleans the store.
        for (file, writer) in old where writer == author { taken.insert(file) }
        continue
      }
      let conversation = leavingOut.clearing(conversation, counts: true)
      taken.insert(file)
      paths.insert(PathText.folded(file.path))
      let bytes = ConversationCoding.encode(conversation).bytes
      if old[file] == author, try StoreFiles.read(path(file), atMost: Self.maximumFileSize) == bytes {
        result.append((file, .unchanged))
      } else {
        try write(bytes, to: path(file))
        result.append((file, known.contains(author) ? .updated : .added))
      }
    }
    // Where all of it was removed before, what is here stays: nobody asked to remove that.
    guard result.contains(where: { !$0.outcome.isRefused }) else { return result }
    for file in old.keys.sorted() where !taken.contains(file) { try remove(file) }
    return result
  }

  /// A folder's name as `FixedFolders` has it.
  package static func folderKey(_ folder: String) -> String { PathText.folded(folder) }

  private func place(
    for conversation: Conversation, beside fixed: FixedFolders, isFree: (StoredFile) -> Bool
  ) throws(ThreadStoreError) -> StoredFile {
    guard conversation.id.isWellFormed, conversation.authorID.isWellFormed else {
      throw .unsafeName(conversation.id.text)
    }
    let author = conversation.authorID
    let handle = conversation.author?.handle.flatMap { $0.isEmpty ? nil : $0.lowercased() } ?? author.value
    let id = StoredFile.name(of: conversation.id, by: conversation.authorID)
    for name in [SafeName.make(handle), SafeName.make("\(handle)-\(author.text)")] {
      let known = fixed[Self.folderKey(name)]
      if let known, known.author != author, !known.folder.isSameBytes(as: name) { continue }
      let file = StoredFile(
        platform: conversation.platform, folder: known.map(\.folder) ?? name, name: id)
      if isFree(file) { return file }
    }
    throw .misnamed(
      file: path(StoredFile(platform: conversation.platform, folder: SafeName.make(handle), name: id)),
      holds: "a conversation of another author than \(author.text)")
  }

  private func write(_ conversation: Conversation, to file: StoredFile) throws(ThreadStoreError) {
    try write(ConversationCoding.encode(conversation).bytes, to: path(file))
  }

  /// Writes a file that can be read back; folders on its way are made.
  func write(_ bytes: [UInt8], to path: String) throws(ThreadStoreError) {
    guard bytes.count <= Self.maximumFileSize else { throw .tooLarge(file: path, bytes: bytes.count) }
    try StoreFiles.write(bytes, to: path)
  }

  /// Where a conversation goes that the store does not have: the folder of its author's handle, or of handle and id where that is
  /// somebody else's: a handle may have changed hands, and two that differ in letter case only are one folder to some disks.
  private func newFile(
    for conversation: Conversation, in index: Index
  ) throws(ThreadStoreError) -> StoredFile {
    let platform = conversation.platform.rawValue
    guard !Self.reservedFolders.contains(platform), SafeName.make(platform) == platform else {
      throw .unsafeName(platform)
    }
    guard conversation.id.isWellFormed, conversation.authorID.isWellFormed else {
      throw .unsafeName(conversation.id.text)
    }
    let author = conversation.authorID
    let handle = conversation.author?.handle.flatMap { $0.isEmpty ? nil : $0 } ?? author.value
    let id = StoredFile.name(of: conversation.id, by: conversation.authorID)
    for name in [SafeName.make(handle), SafeName.make("\(handle)-\(author.text)")] {
      var folder = name
      if let (known, owner) = index.file(inFolderAlike: name, conversation.platform) {
        // The same author keeps the folder as it was first written, and a handle that changed hands gets another. A file that cannot be
        // read is nobody's we know.
        guard (owner ?? (try? readAuthor(known))?.id) == author else { continue }
        folder = known.folder
      }
      let file = StoredFile(platform: conversation.platform, folder: folder, name: id)
      if !index.holdsAlike(file), FileSystem.kind(of: path(file)) == .nothing { return file }
    }
    throw .misnamed(
      file: path(StoredFile(platform: conversation.platform, folder: SafeName.make(handle), name: id)),
      holds: "a conversation of another author than \(author.text)")
  }

  // Profiles: one file an author, `<folder>/profiles/<platform>/<author id>.json`.

  /// What the store has of an author beside their threads; `nil` where it has nothing.
  package func profile(of author: AuthorID) throws(ThreadStoreError) -> Profile? {
    let path = profilePath(of: author)
    guard let bytes = try StoreFiles.read(path, atMost: Self.maximumFileSize) else { return nil }
    let profile = try ConversationCoding.decodeProfile(bytes, file: path)
    guard profile.author.id == author else {
      throw .misnamed(file: path, holds: "the profile of \(profile.author.id)")
    }
    return leavingOut.clearing(profile)
  }

  /// All profiles, in the order of their accounts.
  package func profiles() throws(ThreadStoreError) -> [Profile] {
    let top = "\(folder)/\(Self.profilesFolderName)"
    var profiles: [Profile] = []
    for platform in try StoreFiles.entries(of: top) where platform.kind == .folder {
      for entry in try StoreFiles.entries(of: "\(top)/\(platform.name)")
      where entry.name.hasByteSuffix(".json") {
        let path = "\(top)/\(platform.name)/\(entry.name)"
        guard let bytes = try StoreFiles.read(path, atMost: Self.maximumFileSize) else { continue }
        profiles.append(leavingOut.clearing(try ConversationCoding.decodeProfile(bytes, file: path)))
      }
    }
    return profiles.sorted { $0.author.id < $1.author.id }
  }

  /// Keeps a profile in the place of what was known: followers come and go, so two lists of them are never joined.
  ///
  /// Of an account that was removed nothing is kept.
  package func save(_ profile: Profile) throws(ThreadStoreError) {
    let author = profile.author.id
    guard try removedThreads().accounts[author] == nil,
      !leavingOut.holds(author, handle: profile.author.handle)
    else { return }
    let profile = leavingOut.clearing(profile)
    let platform = author.platform.rawValue
    guard SafeName.make(platform) == platform, author.isWellFormed else { throw .unsafeName(platform) }
    try write(ConversationCoding.encode(profile).bytes, to: profilePath(of: author))
  }

  /// Takes a profile away; its pictures stay.
  package func removeProfile(of author: AuthorID) throws(ThreadStoreError) {
    do {
      try FileSystem.remove(profilePath(of: author))
    } catch {
      throw .file(error)
    }
  }

  private func profilePath(of author: AuthorID) -> String {
    "\(folder)/\(Self.profilesFolderName)/\(author.platform.rawValue)/\(SafeName.make(author, isScoped: false)).json"
  }
}
