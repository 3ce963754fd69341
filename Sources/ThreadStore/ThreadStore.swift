import Basics
package import ThreadModel

/// The conversations on disk: `<folder>/<platform>/<author>/<conversation id>.json`, and media beside them.
///
/// The store is the user's property: plain files, suited to reading in a diff. This type keeps no file contents in memory between calls.
/// Links inside the store are not followed, because a store may have been cloned from an untrusted source.
package struct ThreadStore: Sendable {
  /// In bytes. A larger file cannot be a conversation.
  package static let maximumFileSize = 64 << 20
  /// The folder for copies of media, beside the folders of the platforms.
  package static let mediaFolderName = "media"
  /// The folder for authors' profiles, beside the folders of the platforms.
  package static let profilesFolderName = "profiles"
  private static let reservedFolders: Set<String> = [mediaFolderName, profilesFolderName]

  /// The path of the store, such as `threads`.
  package let folder: String

  /// The accounts of which no data is stored or read.
  package let leavingOut: LeftOutAccounts

  package init(folder: String, leavingOut: LeftOutAccounts = .none) {
    self.leavingOut = leavingOut
    let folder = PathText.withoutTrailingSlashes(folder)
    self.folder = folder.isEmpty ? "." : folder
  }

  /// The path of a file below the store's folder.
  package func path(_ file: StoredFile) -> String { "\(folder)/\(file.path)" }

  /// Returns the path of a media file from its name in the model.
  ///
  /// - Throws: if the name is not a valid name of a media file.
  package func mediaPath(_ name: String) throws(ThreadStoreError) -> String {
    guard SafeName.isPossible(name) else { throw .unsafeName(name) }
    return "\(folder)/\(Self.mediaFolderName)/\(name)"
  }

  /// Removes half-written files of interrupted programs. Files that a running program is writing stay.
  package func removeAbandoned() {
    // A folder that cannot be listed is skipped; reading it reports the error.
    func folders(in path: String) -> [String] {
      ((try? FileSystem.entries(of: path)) ?? []).filter { $0.kind == .folder }.map { "\(path)/\($0.name)" }
    }
    AtomicFile.removeAbandoned(in: folder)
    for platform in folders(in: folder) where platform != "\(folder)/\(Self.mediaFolderName)" {
      for place in folders(in: platform) { AtomicFile.removeAbandoned(in: place) }
    }
  }

  // MARK: Reading

  /// Returns all conversations, sorted by path; empty if the folder is missing.
  ///
  /// Hidden files, files without the suffix `.json`, and files at other depths than conversations are ignored.
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

  /// Returns the conversations among the paths of a store's files, sorted by path, as ``list()`` does for a store without links.
  ///
  /// - Parameter paths: paths below the store's folder.
  package static func threads(among paths: some Sequence<String>) -> [StoredFile] {
    var files: [StoredFile] = []
    for path in paths {
      let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      guard parts.count == 3, parts.allSatisfy({ $0.first != UInt8(ascii: ".") }),
        let name = Substring(parts[2]).without(byteSuffix: ".json"),
        let platform = String(parts[0]), !reservedFolders.contains(platform), let folder = String(parts[1])
      else { continue }
      files.append(
        StoredFile(platform: Platform(rawValue: platform), folder: folder, name: String(name)))
    }
    return files.sorted()
  }

  private func folders(in path: String) throws(ThreadStoreError) -> [String] {
    var names: [String] = []
    for entry in try StoreFiles.entries(of: path) {
      // This applies to all links: if a user linked a folder, its threads would be silently missing from the site.
      if entry.kind == .link { throw .symbolicLink("\(path)/\(entry.name)") }
      if entry.kind == .folder { names.append(entry.name) }
    }
    return names
  }

  /// Returns the conversation in a file.
  package func read(_ file: StoredFile) throws(ThreadStoreError) -> Conversation {
    try conversation(in: try bytes(file), of: file)
  }

  /// Returns the conversation in a file, and the SHA-256 digest of the file, by which other machines recognize their copy of it.
  package func readWithDigest(
    _ file: StoredFile
  ) throws(ThreadStoreError) -> (conversation: Conversation, digest: [UInt8]) {
    let bytes = try bytes(file)
    return (try conversation(in: bytes, of: file), SHA256.hash(bytes))
  }

  /// Returns the SHA-256 digest of a file.
  package func digest(of file: StoredFile) throws(ThreadStoreError) -> [UInt8] {
    SHA256.hash(try bytes(file))
  }

  /// Returns the id of a file's author and the author's record. The rest of the file is not read.
  package func readAuthor(_ file: StoredFile) throws(ThreadStoreError) -> (id: AuthorID, record: Author?) {
    let author = try ConversationCoding.decodeAuthor(try bytes(file), file: path(file))
    return (author.id, author.record.map { leavingOut.clearing($0) })
  }

  /// Returns the id of a file's conversation, its author, and the author's posts in it, in a fraction of the time for reading the whole
  /// file.
  ///
  /// Errors in the rest of the file are not detected.
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

  /// Returns the name of the folder for an author's threads.
  package static func folderName(_ name: String) -> String { SafeName.make(name) }

  private func readIfPresent(_ file: StoredFile) throws(ThreadStoreError) -> Conversation? {
    guard let bytes = try StoreFiles.read(path(file), atMost: Self.maximumFileSize) else { return nil }
    return try conversation(in: bytes, of: file)
  }

  private func conversation(
    in bytes: [UInt8], of file: StoredFile
  ) throws(ThreadStoreError) -> Conversation {
    let path = path(file)
    let conversation = try ConversationCoding.decode(bytes, file: path)
    guard conversation.platform == file.platform,
      StoredFile.name(of: conversation.id, by: conversation.authorID) == file.name
    else {
      throw .misnamed(file: path, holds: "the conversation \(conversation.id)")
    }
    return leavingOut.clearing(conversation)
  }

  /// The effect of saving on the store.
  package enum Outcome: String, Hashable, Sendable {
    /// The conversation is new.
    case added
    /// The file has more facts than before, or later ones.
    case updated
    /// The file already had all facts, and was not written.
    case unchanged
    /// The owner removed the thread (`RemovedThreads`); the file was not written.
    case removed
    /// The owner leaves out the thread's author (`LeftOutAccounts`); the file was not written.
    case leftOut = "left out"

    /// Whether the file was not written because of the owner's choice.
    package var isRefused: Bool { self == .removed || self == .leftOut }
  }

  /// The author folders that contain files of a given name, and the authors of the files. Created once for saving many conversations.
  package struct Index: Sendable {
    /// The files with one name. Every participant of a conversation may have one.
    fileprivate struct Folders: Sendable {
      var byAuthor: [AuthorID: String] = [:]
      /// Folders of files that have not been read, so that their authors are unknown.
      var unread: [String] = []
    }

    private var folders: [String: Folders] = [:]
    /// The first file of each author folder, by the folder's path with letter case folded, and its author if the file was saved with this index.
    private var authorFolders: [String: (file: StoredFile, author: AuthorID?)] = [:]
    /// The paths of all files, with letter case folded.
    private var paths: Set<String> = []
    /// The threads that saving must not restore.
    fileprivate let removed: RemovedThreads

    init(_ files: [StoredFile], without removed: RemovedThreads) {
      self.removed = removed
      for file in files { note(file) }
      // In reverse, because files are removed from the end.
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

    /// Runs `body` on the files that may contain an author's conversation. They are removed from the index meanwhile, because changing them
    /// in place would copy all of them.
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

    /// Whether a case-insensitive disk has a file at this path.
    fileprivate func holdsAlike(_ file: StoredFile) -> Bool { paths.contains(PathText.folded(file.path)) }

    /// Returns the first file of the author folder that a case-insensitive disk finds under this name.
    fileprivate func file(
      inFolderAlike name: String, _ platform: Platform
    ) -> (file: StoredFile, author: AuthorID?)? {
      authorFolders[PathText.folded("\(platform.rawValue)/\(name)")]
    }

    /// Adds the new file of an author's conversation.
    package mutating func add(_ file: StoredFile, by author: AuthorID) {
      note(file, by: author)
      folders[Self.key(file), default: Folders()].byAuthor[author] = file.folder
    }
  }

  /// Returns an index of the files on disk; saving keeps it up to date.
  package func index() throws(ThreadStoreError) -> Index {
    Index(try list(), without: try removedThreads())
  }

  /// Returns the file of an author's conversation, in any author folder: handles change, but folders stay.
  package func find(_ id: PostID, by author: AuthorID) throws(ThreadStoreError) -> StoredFile? {
    try find(id, by: author, in: try index())
  }

  /// Returns the file of an author's conversation, by an existing index.
  package func find(_ id: PostID, by author: AuthorID, in index: Index) throws(ThreadStoreError)
    -> StoredFile?
  {
    var folders = index[id, author]
    return try find(id, by: author, in: &folders)?.file
  }

  /// - Parameter folders: receives the authors of the files that are read during the search, so that no file is read again for another
  ///   author.
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
      // An unreadable file stays in the list, because the next search must also report it.
      let conversation = try readIfPresent(file(folder))
      folders.unread.removeLast()
      guard let conversation else { continue }
      if folders.byAuthor[conversation.authorID] == nil { folders.byAuthor[conversation.authorID] = folder }
      if conversation.id == id, conversation.authorID == author { return (file(folder), conversation) }
    }
    return nil
  }

  /// Saves a conversation, merged with the stored facts.
  ///
  /// An unreadable file is never overwritten: the error names it. If the merge has no new facts, the file is not written.
  @discardableResult
  package func save(_ conversation: Conversation) throws(ThreadStoreError) -> (
    file: StoredFile, outcome: Outcome
  ) {
    var index = try index()
    return try save(conversation, index: &index)
  }

  /// Saves one of many conversations, with an index created once.
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

  /// Saves one of many conversations from several threads at once, which makes flushing cheap because the system flushes the files
  /// together. The same conversation must not be saved twice at the same time.
  ///
  /// - Parameters:
  ///   - index: not changed; the caller adds the new files.
  ///   - dateAlone: whether a file is written if only the date of an archive is later.
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
        // A fetch that did not check everything again has the coverage of its own results.
        merged.coverage = conversation.coverage
      }
      guard merged != known, dateAlone || !merged.saysNoMore(than: known) else { return (file, .unchanged) }
      try write(merged, to: file)
      return (file, .updated)
    }
    let file = try newFile(for: conversation, in: index)
    // A thread that is in the store was either not removed, or restored by the owner.
    if index.removed.holds(conversation) { return (file, .removed) }
    try write(Self.sorted(conversation), to: file)
    return (file, .added)
  }

  /// Merging into an empty conversation sorts the lists, as every later merge does.
  private static func sorted(_ conversation: Conversation) -> Conversation {
    Conversation(id: conversation.id, authorID: conversation.authorID).merged(with: conversation)
  }

  /// Replaces the stored facts of a conversation. Facts that the new one lacks are lost.
  ///
  /// For callers that have read the file and deliberately removed facts.
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

  /// Deletes a conversation's file; its media stay.
  package func remove(_ file: StoredFile) throws(ThreadStoreError) {
    try StoreFiles.remove(path(file))
  }

  /// The author folders that must keep their place, by their names with letter case folded.
  package typealias FixedFolders = [String: (folder: String, author: AuthorID)]

  /// Writes everything known about one conversation, one thread per author, and replaces the files that contained it before: under a
  /// different id, by an author whose thread it turned out not to be, or before a handle was known. A file that is no longer needed is
  /// deleted after the others are written.
  ///
  /// The files are in folders named after their authors' handles, in lower case. So the same conversations produce the same files, whatever
  /// files existed before and on disks of any case sensitivity.
  ///
  /// - Parameters:
  ///   - conversations: all of one id, each already merged with the facts in `old`.
  ///   - kept: files that stay at their place, by author.
  ///   - old: the files that contained these conversations, with their authors.
  ///   - fixed: folders that exist for other reasons, by `folderKey`. Their authors' files go there, and no other author's files go into a
  ///     folder of an equivalent name.
  ///   - removed: threads that are not saved, unless `old` contains them.
  /// - Returns: the outcome for each conversation, in the order of the authors.
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
          try freeFile(for: conversation, conversation.author?.handle?.lowercased()) { name in
            guard let known = fixed[Self.folderKey(name)] else { return name }
            return known.author == author || known.folder.isSameBytes(as: name) ? known.folder : nil
          } isFree: { file in
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
        // Existing files of a left-out author are handled by the cleaning of the store.
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
    // If all of it had been removed before, existing files stay, because their removal was not requested.
    guard result.contains(where: { !$0.outcome.isRefused }) else { return result }
    for file in old.keys.sorted() where !taken.contains(file) { try remove(file) }
    return result
  }

  /// Returns a folder's name as `FixedFolders` has it.
  package static func folderKey(_ folder: String) -> String { PathText.folded(folder) }

  /// Returns the first free file for a conversation, in the folder of its author's handle, or of handle and id.
  ///
  /// - Parameter folder: returns the existing or new folder for a name; `nil` if it belongs to another author.
  private func freeFile(
    for conversation: Conversation, _ handle: String?, folder: (String) -> String?,
    isFree: (StoredFile) -> Bool
  ) throws(ThreadStoreError) -> StoredFile {
    guard conversation.id.isWellFormed, conversation.authorID.isWellFormed else {
      throw .unsafeName(conversation.id.text)
    }
    let author = conversation.authorID
    let handle = handle.flatMap { $0.isEmpty ? nil : $0 } ?? author.value
    func stored(in folder: String) -> StoredFile {
      StoredFile(
        platform: conversation.platform, folder: folder,
        name: StoredFile.name(of: conversation.id, by: author))
    }
    for name in [SafeName.make(handle), SafeName.make("\(handle)-\(author.text)")] {
      if let file = folder(name).map(stored), isFree(file) { return file }
    }
    throw .misnamed(
      file: path(stored(in: SafeName.make(handle))),
      holds: "a conversation of another author than \(author.text)")
  }

  private func write(_ conversation: Conversation, to file: StoredFile) throws(ThreadStoreError) {
    try write(ConversationCoding.encode(conversation).bytes, to: path(file))
  }

  /// Writes a file, after checking that its size allows reading it back. Missing folders are created.
  func write(_ bytes: [UInt8], to path: String) throws(ThreadStoreError) {
    guard bytes.count <= Self.maximumFileSize else { throw .tooLarge(file: path, bytes: bytes.count) }
    try StoreFiles.write(bytes, to: path)
  }

  /// Returns the path for a new conversation. It is in the folder of its author's handle, or of handle and id if the former belongs to
  /// another author. A handle may have passed to another account, and two handles that differ only in letter case share a folder on some
  /// disks.
  private func newFile(
    for conversation: Conversation, in index: Index
  ) throws(ThreadStoreError) -> StoredFile {
    let platform = conversation.platform.rawValue
    guard !Self.reservedFolders.contains(platform), SafeName.make(platform) == platform else {
      throw .unsafeName(platform)
    }
    return try freeFile(for: conversation, conversation.author?.handle) { name in
      guard let (known, owner) = index.file(inFolderAlike: name, conversation.platform) else { return name }
      // An author keeps the folder as it was first written, and a handle that passed to another account gets a different folder. The
      // author of an unreadable file counts as unknown.
      return (owner ?? (try? readAuthor(known))?.id) == conversation.authorID ? known.folder : nil
    } isFree: { file in
      !index.holdsAlike(file) && FileSystem.kind(of: path(file)) == .nothing
    }
  }

  // Profiles: one file for each author, `<folder>/profiles/<platform>/<author id>.json`.

  /// Returns the stored profile of an author; `nil` if there is no profile.
  package func profile(of author: AuthorID) throws(ThreadStoreError) -> Profile? {
    let path = profilePath(of: author)
    guard let bytes = try StoreFiles.read(path, atMost: Self.maximumFileSize) else { return nil }
    let profile = try ConversationCoding.decodeProfile(bytes, file: path)
    guard profile.author.id == author else {
      throw .misnamed(file: path, holds: "the profile of \(profile.author.id)")
    }
    return leavingOut.clearing(profile)
  }

  /// Returns all profiles, sorted by account.
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

  /// Replaces an author's profile. Lists of followers are never merged, because followers come and go.
  ///
  /// Profiles of removed accounts are not saved.
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

  /// Deletes a profile; its pictures stay.
  package func removeProfile(of author: AuthorID) throws(ThreadStoreError) {
    try StoreFiles.remove(profilePath(of: author))
  }

  private func profilePath(of author: AuthorID) -> String {
    "\(folder)/\(Self.profilesFolderName)/\(author.platform.rawValue)/\(SafeName.make(author, isScoped: false)).json"
  }
}
