package import Files
import UTF8Text

/// A site on its way: written beside the output folder and put in its place as a whole.
///
/// Until `publish` nothing of the previous site is touched; a build that stops half-way leaves it as it was, and what it
/// left behind is cleared by the next one. Files may be written from many threads at once. Files are not flushed to
/// the disk one by one: a site is made again by a build, unlike the store.
///
/// The staging folder `.<output>.staging` holds `new`, which becomes the site, and for a moment `old`, which was it. It is
/// locked while the value lives, so that two builds of one site cannot mix their pages.
package struct StagedSite: Sendable {
  /// Says that threadsite wrote the folder and may replace it.
  package static let markerName = ".threadsite"

  private let output: String
  private let staging: String
  private let lock: FolderLock

  private var new: String { staging + "/new" }

  /// Makes the empty staging folder.
  ///
  /// - Parameters:
  ///   - output: an absolute path; the folder may exist only if it is empty, or threadsite wrote it, or `force` is given.
  /// - Throws: `SiteOutputError` if the folder is somebody else's, if another build is at it, or if the staging folder cannot
  ///   be made.
  package init(output: String, force: Bool) throws(SiteOutputError) {
    let output = PathText.withoutTrailingSlashes(output)
    guard let folder = PathText.folder(of: output), output.utf8.count > 1 else {
      throw .unsafeOutput(folder: output, problem: "it has to be a folder of its own.")
    }
    let staging = "\(folder)/.\(PathText.name(of: output)).staging"
    // Before anything is made: a refusal leaves no trace.
    try Self.check(output, force: force)
    guard let lock = try withFiles({ () throws(FileError) in try FolderLock.take(staging) }) else {
      throw .busy(folder: output)
    }
    self.output = output
    self.staging = staging
    self.lock = lock
    try recover()
    do throws(SiteOutputError) {
      try begin(force: force)
    } catch {
      // Nobody else will: there is no value to discard. What cannot be removed either is cleared by the next build.
      try? discard()
      throw error
    }
  }

  /// Empties the staging folder and begins the new site in it.
  private func begin(force: Bool) throws(SiteOutputError) {
    // Between the look and the lock, another build may have come and gone.
    try Self.check(output, force: force)
    try withFiles { () throws(FileError) in
      for name in try FileSystem.names(in: staging) { try FileSystem.remove(staging + "/" + name) }
      try FileSystem.makeFolders(new)
    }
    try write(
      Array("This folder is written by threadsite, which replaces all of it at every build.\n".utf8),
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

  /// Where the system cannot exchange two folders, a build that was killed at the worst moment has put the site aside and
  /// nothing in its place.
  private func recover() throws(SiteOutputError) {
    guard FileSystem.kind(of: output) == .nothing, FileSystem.kind(of: staging + "/old") == .folder else {
      return
    }
    try withFiles { () throws(FileError) in try FileSystem.move(staging + "/old", to: output) }
  }

  /// Writes one file of the site.
  ///
  /// - Throws: `SiteOutputError.writtenTwice` for a path that has been written already, which no site should have.
  package func write(_ bytes: [UInt8], to path: SitePath) throws(SiteOutputError) {
    let isNew = try withFiles { () throws(FileError) in
      try FileSystem.writeNew(bytes, to: new + "/" + path.file)
    }
    guard isNew else { throw .writtenTwice(path: path.file) }
  }

  /// Fills the place that was kept open in a file of the site: its bytes come before the one at `offset`.
  package func insert(_ bytes: [UInt8], at offset: Int, of path: SitePath) throws(SiteOutputError) {
    try withFiles { () throws(FileError) in
      try FileSystem.insert(bytes, at: offset, of: new + "/" + path.file)
    }
  }

  /// Copies a file into the site.
  package func copy(from source: String, to path: SitePath) throws(SiteOutputError) {
    let file: OpenFile
    do throws(FileError) {
      file = try OpenFile(source)
    } catch {
      throw .file(error)
    }
    try copy(file, to: path)
  }

  /// Copies an open file into the site.
  package func copy(_ file: borrowing OpenFile, to path: SitePath) throws(SiteOutputError) {
    let isNew: Bool
    do throws(FileError) {
      isNew = try FileSystem.copy(file, to: new + "/" + path.file)
    } catch {
      throw .file(error)
    }
    guard isNew else { throw .writtenTwice(path: path.file) }
  }

  /// Puts the site in its place; the previous one goes.
  package func publish() throws(SiteOutputError) {
    try withFiles { () throws(FileError) in
      try FileSystem.replace(output, with: new, aside: staging + "/old")
    }
    try discard()
  }

  /// Throws the staged files away; the previous site stays.
  package func discard() throws(SiteOutputError) {
    try withFiles { () throws(FileError) in try FileSystem.remove(staging) }
  }
}
