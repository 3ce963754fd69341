package import Basics
import Synchronization

/// Writes a new version of a site. Files that differ from the previous version are first written to a staging folder beside the output, and
/// then moved into the output one by one.
///
/// A file that the output already contains, byte for byte, is left alone and keeps its modification time. So programs that copy, mount or
/// serve the site see only the files that changed, and the output folder itself is never replaced.
///
/// Until `publish`, the previous site is untouched. A build that stops early leaves the previous site unchanged, and the next build clears
/// the staging folder. At `publish`, the new site is complete in the staging folder and only has to be moved. If the program is killed
/// during the move, ``finish(output:)``, which every build calls first, moves the rest. Files may be written from many threads at once.
/// Files are not individually flushed to the disk: unlike the store, a site can be built again.
///
/// The staging folder `.<output>.staging` contains `new`, the folder with the written files. When all files are written, the list
/// `removals` of the files to remove from the output is written beside it, and `new` is renamed to `complete`. The folder is locked while
/// the value lives, so that two builds of one site cannot mix their pages.
package struct StagedSite: Sendable {
  /// The file that marks an output folder as written by threadsite, which may replace its content.
  package static let markerName = ".threadsite"

  private let output: String
  private let staging: Staging
  private let lock: FolderLock
  /// Whether the output existed before, so that files can be compared with it.
  private let hasPrevious: Bool
  private let files = WrittenFiles()

  /// Creates the empty staging folder.
  ///
  /// - Parameters:
  ///   - output: an absolute path. The folder may exist only if it is empty, or threadsite wrote it, or `force` is true.
  /// - Throws: `SiteOutputError` if another program wrote the folder, if another build is using it, or if the staging folder cannot be
  ///   created.
  package init(output: String, force: Bool) throws(SiteOutputError) {
    let output = PathText.withoutTrailingSlashes(output)
    let staging = try Staging(of: output)
    // Checked before anything is created, so that a refusal leaves no trace.
    try Self.check(output, force: force)
    guard let lock = try withFiles({ () throws(FileError) in try FolderLock.take(staging.path) }) else {
      throw .busy(folder: output)
    }
    self.output = output
    self.staging = staging
    self.lock = lock
    try staging.putInPlaceIfComplete(output)
    hasPrevious = FileSystem.kind(of: output) != .nothing
    do throws(SiteOutputError) {
      try begin(force: force)
    } catch {
      // The caller does not receive a value on which to call `discard`. If the folder cannot be removed either, the next build clears it.
      try? discard()
      throw error
    }
  }

  /// Finishes the move of a complete site that a killed program left unfinished, so that the output is one site and not a mixture of two.
  /// Then removes the staging folder left by any killed build.
  ///
  /// - Throws: `SiteOutputError` if another build is using the output, or if a file cannot be moved.
  package static func finish(output: String) throws(SiteOutputError) {
    let output = PathText.withoutTrailingSlashes(output)
    let staging = try Staging(of: output)
    guard staging.exists else { return }
    guard let lock = try withFiles({ () throws(FileError) in try FolderLock.take(staging.path) }) else {
      // A build that has not begun to move its site does not affect a build that has nothing to do.
      guard staging.isComplete else { return }
      throw .busy(folder: output)
    }
    try withExtendedLifetime(lock) { () throws(SiteOutputError) in
      try staging.putInPlaceIfComplete(output)
      try staging.remove()
    }
  }

  /// Prevents builds from changing a site while all of it is read.
  ///
  /// - Throws: `SiteOutputError` if a build is using the output, or if a build was killed while it moved its site there.
  package static func hold(output: String) throws(SiteOutputError) -> SiteHold {
    let staging = try Staging(of: PathText.withoutTrailingSlashes(output))
    guard let lock = try withFiles({ () throws(FileError) in try FolderLock.take(staging.path) }) else {
      throw .busy(folder: output)
    }
    guard !staging.isComplete else { throw .unfinished(folder: output) }
    // Otherwise the files of a killed build would stay until the next build that writes files.
    try staging.empty()
    return SiteHold(staging.path, lock)
  }

  /// Clears the staging folder and starts the new site in it.
  private func begin(force: Bool) throws(SiteOutputError) {
    // Checked again, because another build may have run between the first check and the lock.
    try Self.check(output, force: force)
    try staging.clear()
    try write(
      Array(
        "This folder is written by threadsite, which removes all files that are not part of the site.\n".utf8),
      to: SitePath(Self.markerName))
  }

  private static func check(_ output: String, force: Bool) throws(SiteOutputError) {
    switch FileSystem.kind(of: output) {
    case .nothing: break
    case .link:
      throw .unsafeOutput(
        folder: output,
        problem: "the path contains a symbolic link, and threadsite does not write through links; "
          + "use the path of the target folder.")
    case .file, .other: throw .unsafeOutput(folder: output, problem: "a file with this name exists.")
    case .folder:
      if force || FileSystem.kind(of: output + "/" + markerName) == .file { return }
      guard try withFiles({ () throws(FileError) in try FileSystem.names(in: output).isEmpty }) else {
        throw .notOurs(folder: output)
      }
    }
  }

  /// Copies a file that the owner provides into the site. A generated file that is later written to the same path is skipped.
  ///
  /// - Throws: `SiteOutputError.writtenTwice` for a path that has already been written.
  package func copyOwn(from source: String, to path: SitePath) throws(SiteOutputError) {
    try copy(try open(source), to: path, isOwn: true)
  }

  /// Whether the owner provides the file at a path.
  package func isOwned(_ path: SitePath) -> Bool { files.isOwned(path.file) == true }

  /// Whether the site has a file at a path.
  package func contains(_ path: SitePath) -> Bool { files.contains(path.file) }

  /// The paths at which the owner's files replace generated files, sorted.
  package var replaced: [SitePath] { files.replaced.map { SitePath($0) }.sorted() }

  /// Writes one file of the site, unless the owner provides it or the output already contains the same bytes.
  ///
  /// - Throws: `SiteOutputError.writtenTwice` if a generated file was already written to this path; `SiteOutputError.file` if writing fails.
  package func write(_ bytes: [UInt8], to path: SitePath) throws(SiteOutputError) {
    guard try files.add(path.file) else { return }
    if hasPrevious, FileSystem.isFile(output + "/" + path.file, of: bytes) { return }
    try withFiles { () throws(FileError) in
      _ = try FileSystem.writeNew(bytes, to: staging.new + "/" + path.file)
    }
  }

  /// Writes one file of the site that differs from the file in the output. The owner does not provide the file.
  package func replace(_ path: SitePath, with bytes: [UInt8]) throws(SiteOutputError) {
    _ = try files.add(path.file)
    try withFiles { () throws(FileError) in
      _ = try FileSystem.writeNew(bytes, to: staging.new + "/" + path.file)
    }
  }

  /// Writes one file of the site in pieces, so that a large file is never in memory as a whole. Otherwise like `write`.
  ///
  /// - Parameter pieces: calls its argument with each piece, in order.
  package func write(
    inPieces path: SitePath,
    _ pieces: (_ append: (UTF8Buffer) throws(SiteOutputError) -> Void) throws(SiteOutputError) -> Void
  ) throws(SiteOutputError) {
    let name = "pieces-" + path.file.replacing("/", with: "-")
    let file = try spool(name)
    try pieces { piece throws(SiteOutputError) in
      try withFiles { () throws(FileError) in _ = try file.append(piece.bytes) }
    }
    try copy(from: temporaryPath(name + ".spool"), to: path)
    try withFiles { () throws(FileError) in try FileSystem.remove(temporaryPath(name + ".spool")) }
  }

  /// Copies a file into the site.
  package func copy(from source: String, to path: SitePath) throws(SiteOutputError) {
    try copy(try open(source), to: path)
  }

  private func open(_ source: String) throws(SiteOutputError) -> OpenFile {
    do throws(FileError) {
      return try OpenFile(source)
    } catch {
      throw .file(error)
    }
  }

  /// Copies an open file into the site, unless the owner provides it or the output already contains the same bytes.
  package func copy(_ file: borrowing OpenFile, to path: SitePath) throws(SiteOutputError) {
    try copy(file, to: path, isOwn: false)
  }

  private func copy(
    _ file: borrowing OpenFile, to path: SitePath, isOwn: Bool
  ) throws(SiteOutputError) {
    guard try files.add(path.file, isOwn: isOwn) else { return }
    do throws(FileError) {
      if hasPrevious, try FileSystem.isFile(output + "/" + path.file, like: file) { return }
      _ = try FileSystem.copy(file, to: staging.new + "/" + path.file)
    } catch {
      throw .file(error)
    }
  }

  /// Records that the output already contains a file of the site, which stays unchanged.
  ///
  /// - Parameter signature: the file's signature when it was checked.
  package func keep(_ path: SitePath, _ signature: FileSignature) throws(SiteOutputError) {
    _ = try files.add(path.file, signature: signature)
  }

  /// All files of the site so far, by their paths.
  package var paths: [String] { files.paths }

  /// All files of the site so far, with the signatures of the files that were kept.
  package var contents: [(path: String, signature: FileSignature?)] { files.all }

  /// Creates a temporary file for intermediate data that is not part of the site; it is removed with the staging folder.
  package func spool(_ name: String) throws(SiteOutputError) -> SpoolFile {
    try withFiles { () throws(FileError) in try SpoolFile(staging.path + "/\(name).spool") }
  }

  /// Returns a path for a temporary file, which is also removed with the staging folder.
  package func temporaryPath(_ name: String) -> String { staging.path + "/" + name }

  /// Moves the site into the output and removes the files that are not part of it. Other builds are locked out until `discard`.
  ///
  /// - Parameter known: the known content of the output folder; `nil` to list the whole folder.
  /// - Returns: the paths of the removed files and folders.
  /// - Throws: `SiteOutputError`. If the folder is a mixture of two sites afterwards, the error states this, and ``finish(output:)``
  ///   completes the move.
  @discardableResult
  package func putInPlace(_ known: KnownContents? = nil) throws(SiteOutputError) -> [String] {
    guard hasPrevious else {
      try withFiles { () throws(FileError) in try FileSystem.move(staging.new, to: output) }
      return []
    }
    let found = try withFiles { () throws(FileError) -> [String] in
      guard let known else { return try strays(in: "").paths }
      return try strays(in: known)
    }
    try staging.complete(removing: found)
    try staging.putInPlaceIfComplete(output)
    return found
  }

  /// Moves the written files into the output, whose other files stay, and removes the given ones. Other builds are locked out until `discard`.
  ///
  /// - Parameter paths: paths of files and of folders that are empty then, each folder after its contents.
  package func update(removing paths: [String]) throws(SiteOutputError) {
    try staging.complete(removing: paths)
    try staging.putInPlaceIfComplete(output)
  }

  /// The known content of a site's folder, as the build that wrote it left it. It allows finding the files that are no longer part of the
  /// site without listing every folder.
  package struct KnownContents: Sendable {
    /// The signatures of all files, by path.
    let files: [String: FileSignature]
    /// All folders by path (the top folder's path is empty), and whether files may have been added to or removed from the folder since
    /// then.
    let folders: [String: Bool]

    package init(files: [String: FileSignature], folders: [String: Bool]) {
      self.files = files
      self.folders = folders
    }
  }

  /// Returns the folder that contains a path; empty for the top folder.
  package static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  /// Returns all folders that contain the files, at any depth, including the top folder.
  package static func folders(of paths: some Sequence<String>) -> Set<String> {
    var folders: Set<String> = [""]
    for path in paths {
      var folder = folder(of: path)
      while folders.insert(folder).inserted { folder = self.folder(of: folder) }
    }
    return folders
  }

  /// Returns the paths that are not part of the site, given the known content of the output. Files come before the folder that contains them.
  private func strays(in known: KnownContents) throws(FileError) -> [String] {
    var strays = files.missing(among: known.files)
    for (folder, isChanged) in known.folders where isChanged {
      for entry in try FileSystem.entries(of: folder.isEmpty ? output : output + "/" + folder) {
        let path = folder.isEmpty ? entry.name : folder + "/" + entry.name
        if entry.kind == .folder {
          guard known.folders[path] == nil else { continue }
          let inner = try self.strays(in: path)
          strays += inner.paths
          if inner.areAll, !files.contains(path) { strays.append(path) }
        } else if !files.contains(path) {
          strays.append(path)
        }
      }
    }
    guard !strays.isEmpty else { return [] }
    let empty = emptied(by: strays).filter { known.folders[$0] != nil && !files.contains($0) }
    return strays + empty.sorted { $0.utf8.count > $1.utf8.count }
  }

  /// Returns the folders that contain only files among these.
  private func emptied(by strays: [String]) -> Set<String> {
    var folders = Self.folders(of: strays)
    // Most builds remove few files, and comparing each path with few folders is faster than finding the folders of all paths.
    guard folders.count <= 16 else { return folders.subtracting(Self.folders(of: files.paths)) }
    folders.remove("")
    for path in files.paths {
      for folder in folders where path.hasBytePrefix(folder) && path.hasBytePrefix(folder + "/") {
        folders.remove(folder)
      }
    }
    return folders
  }

  /// The paths in a folder of the output that are not part of the site.
  private struct Strays {
    /// Files come before the folder that contains them.
    var paths: [String] = []
    /// Whether the folder contains nothing but these paths.
    var areAll = true
  }

  private func strays(in folder: String) throws(FileError) -> Strays {
    var strays = Strays()
    for entry in try FileSystem.entries(of: folder.isEmpty ? output : output + "/" + folder) {
      let path = folder.isEmpty ? entry.name : folder + "/" + entry.name
      if entry.kind == .folder {
        let inner = try self.strays(in: path)
        strays.paths += inner.paths
        if files.contains(path) {
          // The site has a file with this folder's path, which replaces the folder.
          strays.areAll = false
        } else if inner.areAll {
          strays.paths.append(path)
        } else {
          strays.areAll = false
        }
      } else if files.contains(path) {
        strays.areAll = false
      } else {
        strays.paths.append(path)
      }
    }
    return strays
  }

  /// Removes the staged files; the previous site stays. A complete site that was only partly moved is kept, so that the next build can
  /// finish the move.
  package func discard() throws(SiteOutputError) {
    guard !staging.isComplete else { return }
    try staging.remove()
  }
}

/// A lock on a site: no build changes the site while the value lives.
package final class SiteHold: Sendable {
  private let path: String
  private let lock: FolderLock

  fileprivate init(_ path: String, _ lock: FolderLock) {
    self.path = path
    self.lock = lock
  }

  deinit {
    // Removed before the lock is released. If the empty folder stays behind, the next build clears it.
    try? FileSystem.removeOne(path)
    withExtendedLifetime(lock) {}
  }
}

/// The staging folder beside the output, and the paths in it.
private struct Staging: Sendable {
  let path: String

  /// The folder of a site that is being written.
  var new: String { path + "/new" }
  /// The same folder once the site is complete.
  private var complete: String { path + "/complete" }
  /// The file with the paths to remove from the output, each followed by a zero byte.
  private var removals: String { path + "/removals" }

  init(of output: String) throws(SiteOutputError) {
    guard let folder = PathText.folder(of: output), output.utf8.count > 1 else {
      throw .unsafeOutput(folder: output, problem: "it must be a separate folder.")
    }
    path = "\(folder)/.\(PathText.name(of: output)).staging"
  }

  var exists: Bool { FileSystem.kind(of: path) == .folder }

  var isComplete: Bool { FileSystem.kind(of: complete) == .folder }

  func remove() throws(SiteOutputError) {
    try withFiles { () throws(FileError) in try FileSystem.remove(path) }
  }

  func clear() throws(SiteOutputError) {
    try empty()
    try withFiles { () throws(FileError) in try FileSystem.makeFolders(new) }
  }

  func empty() throws(SiteOutputError) {
    try withFiles { () throws(FileError) in
      for name in try FileSystem.names(in: path) { try FileSystem.remove(path + "/" + name) }
    }
  }

  /// Marks the new site as complete. From then on, it replaces the previous site even if the program is killed.
  func complete(removing paths: [String]) throws(SiteOutputError) {
    var bytes: [UInt8] = []
    for path in paths {
      bytes += path.utf8
      bytes.append(0)
    }
    let list = bytes
    try withFiles { () throws(FileError) in
      _ = try FileSystem.writeNew(list, to: removals)
      try FileSystem.move(new, to: complete)
    }
  }

  /// Moves a complete site into the output and removes files that are no longer part of the site. Steps that an earlier, interrupted call
  /// has completed are skipped.
  ///
  /// Pages are moved after the files that they show, and files are removed last. So a visitor meanwhile finds all targets of a page's
  /// links.
  func putInPlaceIfComplete(_ output: String) throws(SiteOutputError) {
    guard isComplete else { return }
    do throws(FileError) {
      var later: [SitePath.Role: [String]] = [:]
      var folders: [String] = []
      try put("", in: output, .part, &later, &folders)
      for role in SitePath.Role.allCases {
        for path in later[role] ?? [] { try put(path, in: output) }
      }
      for path in try FileBytes.read(removals).split(separator: 0) {
        try FileSystem.removeOne(output + "/" + String(decoding: path, as: UTF8.self))
      }
      // Inner folders follow the folders that contain them.
      for folder in folders.reversed() { try FileSystem.removeOne(complete + "/" + folder) }
      try FileSystem.remove(complete)
    } catch {
      throw .halfInPlace(folder: output, error)
    }
  }

  /// Moves the files of a folder that have a role. The folders are listed once, because a site may have tens of thousands.
  ///
  /// - Parameters:
  ///   - later: receives the paths of the other files.
  ///   - folders: receives the paths of the folders in the folder.
  private func put(
    _ folder: String, in output: String, _ role: SitePath.Role, _ later: inout [SitePath.Role: [String]],
    _ folders: inout [String]
  ) throws(FileError) {
    for entry in try FileSystem.entries(of: complete + (folder.isEmpty ? "" : "/" + folder)) {
      let path = folder.isEmpty ? entry.name : folder + "/" + entry.name
      guard entry.kind != .folder else {
        folders.append(path)
        try put(path, in: output, role, &later, &folders)
        continue
      }
      let own = SitePath(path).role
      if own == role { try put(path, in: output) } else { later[own, default: []].append(path) }
    }
  }

  private func put(_ path: String, in output: String) throws(FileError) {
    try FileSystem.put(complete + "/" + path, at: output + "/" + path, below: output)
  }
}

/// The files of a site, by their paths relative to the site's top folder.
private final class WrittenFiles: Sendable {
  /// A path compared by bytes, because two paths that only look the same are two different files on some disks.
  private struct FilePath: Hashable {
    let text: String

    static func == (lhs: FilePath, rhs: FilePath) -> Bool { lhs.text.isSameBytes(as: rhs.text) }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  private struct State {
    /// Whether the owner provides each file.
    var files: [FilePath: Bool] = [:]
    /// The signatures of files that the output already contained and that are kept. The first build of a site has none.
    var kept: [FilePath: FileSignature] = [:]
    /// The owner's files that replace a generated file.
    var replaced: Set<FilePath> = []
  }

  private let state = Mutex(State())

  /// - Parameters:
  ///   - isOwn: whether the owner provides the file; a generated file never replaces it.
  ///   - signature: the signature of a file that the output already contains and that is kept.
  /// - Returns: `false` if the owner provides the file at this path, so that nothing must be written.
  /// - Throws: `SiteOutputError.writtenTwice` if the path was added before, unless a generated file conflicts with a file of the owner.
  func add(
    _ path: String, isOwn: Bool = false, signature: FileSignature? = nil
  ) throws(SiteOutputError) -> Bool {
    let key = FilePath(text: path)
    let isOwned = state.withLock { state -> Bool? in
      guard let isOwned = state.files[key] else {
        state.files[key] = isOwn
        if let signature { state.kept[key] = signature }
        return nil
      }
      if isOwned { state.replaced.insert(key) }
      return isOwned
    }
    guard let isOwned else { return true }
    guard isOwned, !isOwn else { throw .writtenTwice(path: path) }
    return false
  }

  func contains(_ path: String) -> Bool { isOwned(path) != nil }

  /// Whether the owner provides the file at a path; `nil` if the path was not added.
  func isOwned(_ path: String) -> Bool? { state.withLock { $0.files[FilePath(text: path)] } }

  /// Returns the paths of known files of the output that are not files of the site. All kept files are known.
  func missing(among known: [String: FileSignature]) -> [String] {
    state.withLock { state in
      // Most builds remove no file and write few files. Counting the written ones is then sufficient.
      let replaced = state.files.keys.count { path in
        guard state.kept[path] == nil, let index = known.index(forKey: path.text) else { return false }
        return known[index].key.isSameBytes(as: path.text)
      }
      guard state.kept.count + replaced != known.count else { return [] }
      return known.keys.filter { state.files[FilePath(text: $0)] == nil }
    }
  }

  var paths: [String] { state.withLock { $0.files.keys.map(\.text) } }

  var all: [(path: String, signature: FileSignature?)] {
    state.withLock { state in state.files.keys.map { ($0.text, state.kept[$0]) } }
  }

  var replaced: [String] { state.withLock { $0.replaced.map(\.text) } }
}
