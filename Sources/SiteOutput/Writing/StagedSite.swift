package import Basics
import Synchronization

/// A site on its way to its folder: what differs from the site that stands there is written beside it, and then put in place file by file.
///
/// A file that the folder has already, byte for byte, is left alone, with its time: so whoever copies sites by time, mounts the folder
/// or serves it sees only what changed, and the folder itself is never another one.
///
/// Until `publish` nothing of the previous site is touched; a build that stops half-way leaves it as it was, and what it
/// left behind is cleared by the next one. From there on the new site is complete beside the old one, and only has to be put in
/// its place: a program that is killed while it does so leaves the rest to ``finish(output:)``, which every build begins with. Files may be
/// written from many threads at once. Files are not flushed to the disk one by one: a site is made again by a build, unlike the store.
///
/// The staging folder `.<output>.staging` holds `new`, what is written; once all of it is there, the list `removals` of what the site has no
/// more is beside it, and `new` is called `complete`. The folder is locked while the value lives, so that two builds of one site cannot mix
/// their pages.
package struct StagedSite: Sendable {
  /// Says that threadsite wrote the folder and may replace what is in it.
  package static let markerName = ".threadsite"

  private let output: String
  private let staging: Staging
  private let lock: FolderLock
  /// Whether there was a folder to compare with.
  private let hasPrevious: Bool
  private let files = WrittenFiles()

  /// Makes the empty staging folder.
  ///
  /// - Parameters:
  ///   - output: an absolute path; the folder may exist only if it is empty, or threadsite wrote it, or `force` is given.
  /// - Throws: `SiteOutputError` if the folder is somebody else's, if another build is at it, or if the staging folder cannot
  ///   be made.
  package init(output: String, force: Bool) throws(SiteOutputError) {
    let output = PathText.withoutTrailingSlashes(output)
    let staging = try Staging(of: output)
    // Before anything is made: a refusal leaves no trace.
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
      // Nobody else will: there is no value to discard. What cannot be removed either is cleared by the next build.
      try? discard()
      throw error
    }
  }

  /// Puts in place what a program that was killed had complete, so that the folder holds one site and not parts of two.
  ///
  /// - Throws: `SiteOutputError` if another build is at it, or if a file cannot be put in place.
  package static func finish(output: String) throws(SiteOutputError) {
    let output = PathText.withoutTrailingSlashes(output)
    let staging = try Staging(of: output)
    guard staging.isComplete else { return }
    guard let lock = try withFiles({ () throws(FileError) in try FolderLock.take(staging.path) }) else {
      throw .busy(folder: output)
    }
    try withExtendedLifetime(lock) { () throws(SiteOutputError) in
      try staging.putInPlaceIfComplete(output)
      try staging.remove()
    }
  }

  /// Keeps builds from a site while it is read as a whole.
  ///
  /// - Throws: `SiteOutputError` if a build is at it, or if one was killed while it put its site in place.
  package static func hold(output: String) throws(SiteOutputError) -> SiteHold {
    let staging = try Staging(of: PathText.withoutTrailingSlashes(output))
    guard let lock = try withFiles({ () throws(FileError) in try FolderLock.take(staging.path) }) else {
      throw .busy(folder: output)
    }
    guard !staging.isComplete else { throw .unfinished(folder: output) }
    return SiteHold(staging.path, lock)
  }

  /// Empties the staging folder and begins the new site in it.
  private func begin(force: Bool) throws(SiteOutputError) {
    // Between the look and the lock, another build may have come and gone.
    try Self.check(output, force: force)
    try staging.clear()
    try write(
      Array("This folder is written by threadsite, which removes from it what is not the site's.\n".utf8),
      to: SitePath(Self.markerName))
  }

  private static func check(_ output: String, force: Bool) throws(SiteOutputError) {
    switch FileSystem.kind(of: output) {
    case .nothing: break
    case .link:
      throw .unsafeOutput(
        folder: output,
        problem: "it is, or is reached through, a symbolic link, and nothing is written through one; "
          + "name the folder that it leads to.")
    case .file, .other: throw .unsafeOutput(folder: output, problem: "there is a file of that name.")
    case .folder:
      if force || FileSystem.kind(of: output + "/" + markerName) == .file { return }
      guard try withFiles({ () throws(FileError) in try FileSystem.names(in: output).isEmpty }) else {
        throw .notOurs(folder: output)
      }
    }
  }

  /// Copies a file of the owner's into the site, where it takes the place of whatever is written to the same path later.
  ///
  /// - Throws: `SiteOutputError.writtenTwice` for a path that has been written already.
  package func copyOwn(from source: String, to path: SitePath) throws(SiteOutputError) {
    try copy(try open(source), to: path, isOwn: true)
  }

  /// Whether the owner has a file of their own at a path.
  package func isOwned(_ path: SitePath) -> Bool { files.isOwned(path.file) == true }

  /// The paths at which the owner's files stand in the place of others, sorted.
  package var replaced: [SitePath] { files.replaced.map { SitePath($0) }.sorted() }

  /// Writes one file of the site, unless it is there.
  ///
  /// - Throws: `SiteOutputError.writtenTwice` for a path that has been written already, which no site should have.
  package func write(_ bytes: [UInt8], to path: SitePath) throws(SiteOutputError) {
    guard try files.add(path.file) else { return }
    if hasPrevious, FileSystem.isFile(output + "/" + path.file, of: bytes) { return }
    try withFiles { () throws(FileError) in
      _ = try FileSystem.writeNew(bytes, to: staging.new + "/" + path.file)
    }
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

  /// Copies an open file into the site, unless it is there.
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

  /// Says that a file of the site stands there already, and is left as it is.
  ///
  /// - Parameter signature: of the file, as it was looked at.
  package func keep(_ path: SitePath, _ signature: FileSignature) throws(SiteOutputError) {
    _ = try files.add(path.file, signature: signature)
  }

  /// All files of the site so far, by their paths.
  package var paths: [String] { files.all.map(\.path) }

  /// All files of the site so far, with the signatures of those that were kept.
  package var contents: [(path: String, signature: FileSignature?)] { files.all }

  /// A place for what is written on the way to the site and is no part of it; it goes with the staging folder.
  package func spool(_ name: String) throws(SiteOutputError) -> SpoolFile {
    try withFiles { () throws(FileError) in try SpoolFile(staging.path + "/\(name).spool") }
  }

  /// A path for a file on the way to the site; it goes with the staging folder, too.
  package func temporaryPath(_ name: String) -> String { staging.path + "/" + name }

  /// Puts the site in its place, where what is not part of it goes, and gives it free for other builds.
  package func publish() throws(SiteOutputError) {
    try putInPlace()
    try discard()
  }

  /// Puts the site in its place; what is not part of it goes. No other build touches it before `discard`.
  ///
  /// - Parameter known: what the folder holds, where somebody knows; `nil` to have all of it listed.
  /// - Returns: the paths of what was removed.
  /// - Throws: `SiteOutputError`; if the folder is half-way between two sites, the error says so, and ``finish(output:)`` goes on from there.
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

  /// What the folder of a site is known to hold, as the build that wrote it left it: so not every folder has to be listed to find what is no
  /// part of the site any more.
  package struct KnownContents: Sendable {
    /// The paths of all files.
    let files: [String]
    /// The paths of all folders, of which the top one's is empty: whether something may have come into it, or gone from it, since.
    let folders: [String: Bool]

    package init(files: [String], folders: [String: Bool]) {
      self.files = files
      self.folders = folders
    }
  }

  /// The folder that a path is in; empty for the top one.
  package static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  /// The folders that files are in, and those that these are in, with the top one.
  package static func folders(of paths: some Sequence<String>) -> Set<String> {
    var folders: Set<String> = [""]
    for path in paths {
      var folder = folder(of: path)
      while folders.insert(folder).inserted { folder = self.folder(of: folder) }
    }
    return folders
  }

  /// What is no part of the site, where it is known what is in most folders. What a folder holds comes before the folder.
  private func strays(in known: KnownContents) throws(FileError) -> [String] {
    var strays = known.files.filter { !files.contains($0) }
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
    let needed = Self.folders(of: files.all.lazy.map(\.path))
    let empty = known.folders.keys.filter { !needed.contains($0) && !files.contains($0) }
    return strays + empty.sorted { $0.utf8.count > $1.utf8.count }
  }

  /// What is in a folder of the output and no part of the site.
  private struct Strays {
    /// What a folder holds comes before the folder.
    var paths: [String] = []
    /// Whether the folder holds nothing else.
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
          // A file takes its place.
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

  /// Throws the staged files away; the previous site stays. What is complete and only half in place is kept, for the next build to finish.
  package func discard() throws(SiteOutputError) {
    guard !staging.isComplete else { return }
    try staging.remove()
  }
}

/// A site that no build changes for as long as this lives.
package final class SiteHold: Sendable {
  private let path: String
  private let lock: FolderLock

  fileprivate init(_ path: String, _ lock: FolderLock) {
    self.path = path
    self.lock = lock
  }

  deinit {
    // While it is still ours. An empty folder that stays behind is cleared by the next build.
    try? FileSystem.removeOne(path)
    withExtendedLifetime(lock) {}
  }
}

/// The folder beside the output, and what its parts mean.
private struct Staging: Sendable {
  let path: String

  /// What is being written.
  var new: String { path + "/new" }
  /// The same when all of it is there.
  private var complete: String { path + "/complete" }
  /// Paths of the output, each followed by a zero byte.
  private var removals: String { path + "/removals" }

  init(of output: String) throws(SiteOutputError) {
    guard let folder = PathText.folder(of: output), output.utf8.count > 1 else {
      throw .unsafeOutput(folder: output, problem: "it has to be a folder of its own.")
    }
    path = "\(folder)/.\(PathText.name(of: output)).staging"
  }

  var isComplete: Bool { FileSystem.kind(of: complete) == .folder }

  func remove() throws(SiteOutputError) {
    try withFiles { () throws(FileError) in try FileSystem.remove(path) }
  }

  func clear() throws(SiteOutputError) {
    try withFiles { () throws(FileError) in
      for name in try FileSystem.names(in: path) { try FileSystem.remove(path + "/" + name) }
      try FileSystem.makeFolders(new)
    }
  }

  /// From here on the new site is the site, whatever happens.
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

  /// Moves what is complete into the output, and removes what belongs to it no more; what was done of that before is not done again.
  ///
  /// Pages come after what they show, and what goes is removed at the end, so that somebody who looks meanwhile finds what a page names.
  func putInPlaceIfComplete(_ output: String) throws(SiteOutputError) {
    guard isComplete else { return }
    do throws(FileError) {
      for role in SitePath.Role.allCases { try put("", in: output, role) }
      for path in try FileBytes.read(removals).split(separator: 0) {
        try FileSystem.removeOne(output + "/" + String(decoding: path, as: UTF8.self))
      }
      try FileSystem.remove(complete)
    } catch {
      throw .halfInPlace(folder: output, error)
    }
  }

  private func put(_ folder: String, in output: String, _ role: SitePath.Role) throws(FileError) {
    for entry in try FileSystem.entries(of: complete + (folder.isEmpty ? "" : "/" + folder)) {
      let path = folder.isEmpty ? entry.name : folder + "/" + entry.name
      if entry.kind == .folder {
        try put(path, in: output, role)
      } else if SitePath(path).role == role {
        try FileSystem.put(complete + "/" + path, at: output + "/" + path, below: output)
      }
    }
  }
}

/// The files of a site, by their paths below its top.
private final class WrittenFiles: Sendable {
  /// Compared by bytes: two paths that only look the same are two files on some disks.
  private struct FilePath: Hashable {
    let text: String

    static func == (lhs: FilePath, rhs: FilePath) -> Bool { lhs.text.isSameBytes(as: rhs.text) }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  private struct File {
    /// Whether it is the owner's own.
    var isOwn: Bool
    /// Of one that stood there, and was looked at.
    var signature: FileSignature?
  }

  private struct State {
    var files: [FilePath: File] = [:]
    /// The owner's own files in whose place another one was to stand.
    var replaced: Set<FilePath> = []
  }

  private let state = Mutex(State())

  /// - Parameters:
  ///   - isOwn: whether the file is the owner's own, in whose place no other may stand.
  ///   - signature: of a file that stands there and is kept.
  /// - Returns: `false` where the owner's own file stands at the path already, and nothing is to be written.
  /// - Throws: `SiteOutputError.writtenTwice` for one that has been added before.
  func add(
    _ path: String, isOwn: Bool = false, signature: FileSignature? = nil
  ) throws(SiteOutputError) -> Bool {
    let key = FilePath(text: path)
    let isOwned = state.withLock { state -> Bool? in
      guard let isOwned = state.files[key]?.isOwn else {
        state.files[key] = File(isOwn: isOwn, signature: signature)
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

  /// `nil` for a path that was not added.
  func isOwned(_ path: String) -> Bool? { state.withLock { $0.files[FilePath(text: path)]?.isOwn } }

  var all: [(path: String, signature: FileSignature?)] {
    state.withLock { $0.files.map { ($0.key.text, $0.value.signature) } }
  }

  var replaced: [String] { state.withLock { $0.replaced.map(\.text) } }
}
