import Basics
import SiteOutput

/// A folder, such as one that a web server serves or a disk that is mounted.
///
/// Each file is copied beside and then renamed, so that a reader sees the old one or the new one. A list in the folder says which of its files
/// are the site's; nothing else is replaced or removed.
package struct FolderTarget: PublishTarget {
  /// What the list is called.
  static let manifestName = ".threadsite-published.json"
  /// Where files wait on their way; locked while somebody publishes.
  private static let stagingName = ".threadsite-publishing"

  private let folder: String
  private let replacesForeign: Bool

  /// - Parameters:
  ///   - folder: absolute, without links.
  ///   - replacesForeign: whether files that nobody knows are replaced where the site has one of the same name.
  package init(_ folder: String, replacesForeign: Bool) {
    self.folder = PathText.withoutTrailingSlashes(folder)
    self.replacesForeign = replacesForeign
  }

  package var name: String { "the folder \(folder)" }

  private var manifestPath: String { "\(folder)/\(Self.manifestName)" }
  private var staging: String { "\(folder)/\(Self.stagingName)" }

  package func compare(_ site: PublishedSite) async throws(PublishError) -> PublishWork {
    switch FileSystem.kind(of: folder) {
    case .nothing, .folder: break
    case .link, .file, .other:
      throw PublishError(
        .configuration, "\(folder): error: this is no folder, so nothing can be published to it.")
    }
    let listing = try site.listing(.sha256)
    let manifest = try readManifest()
    // Of what others have there, nothing is read.
    let concerned = Set(listing.files.map(\.path)).union(manifest.files.keys)
    let there = try SiteListing(
      of: folder, .sha256, cache: "\(site.state)/folder-\(ContentHash.of(folder.utf8)).sha256",
      jobs: site.jobs,
      leavingOut: { path in
        !concerned.contains(SitePath(path)) || FileSystem.kind(of: folder + "/" + path) != .file
      })
    var ours: [SitePath: String] = [:]
    var foreign: Set<SitePath> = []
    for file in there.files {
      // What somebody changed since is theirs.
      if manifest.files[file.path]?.contains(file.digest) == true {
        ours[file.path] = file.digest
      } else {
        foreign.insert(file.path)
      }
    }
    let difference = try SiteDifference(of: listing, from: known(ours, foreign, there, listing))
    return PublishWork(difference) { () throws(PublishError) in
      try publish(difference, manifest, listing, site.progress)
    }
  }

  private func readManifest() throws(PublishError) -> PublishManifest {
    guard FileSystem.kind(of: manifestPath) != .nothing else { return PublishManifest() }
    let bytes = try withFiles { () throws(FileError) in try FileBytes.read(manifestPath, atMost: 1 << 30) }
    guard let manifest = PublishManifest(bytes) else {
      throw PublishError(
        .content,
        "\(manifestPath): error: this list of what was published here cannot be read. Delete it, and say --force once, so that what is here is "
          + "replaced by the site; files that the site has no more then stay.")
    }
    return manifest
  }

  /// The files that stand there and may be replaced: our own, and those of others that are the same already or that the user gives free.
  private func known(
    _ ours: [SitePath: String], _ foreign: Set<SitePath>, _ there: SiteListing, _ listing: SiteListing
  ) throws(PublishError) -> [SitePath: String] {
    var known = ours
    var taken: [String] = []
    let digests = Dictionary(there.files.map { ($0.path, $0.digest) }) { first, _ in first }
    for file in listing.files {
      if foreign.contains(file.path) {
        if digests[file.path] == file.digest || replacesForeign {
          known[file.path] = digests[file.path]
        } else {
          taken.append(file.path.text)
        }
        continue
      }
      let path = folder + "/" + file.path.text
      if ours[file.path] == nil, !isFree(path, ours) { taken.append(file.path.text) }
    }
    guard taken.isEmpty else {
      let shown = taken.prefix(5).joined(separator: ", ")
      throw PublishError(
        .content,
        "\(folder): error: \(taken.count) of the site's files would take the place of files that threadsite did not put there, or that were "
          + "changed since: \(shown)\(taken.count > 5 ? ", …" : ""). Move them away, or say --force, which replaces them."
      )
    }
    return known
  }

  /// Whether nothing of others stands at a path or in its way: a link, a folder, or a file where a folder has to be.
  private func isFree(_ path: String, _ ours: [SitePath: String]) -> Bool {
    switch FileSystem.kind(of: path) {
    case .file: return true
    case .folder, .other, .link: return false
    case .nothing: break
    }
    var part = PathText.folder(of: path)
    while let above = part, above.utf8.count > folder.utf8.count {
      switch FileSystem.kind(of: String(above)) {
      case .folder: return true
      case .nothing: part = PathText.folder(of: above)
      case .file: return ours[SitePath(String(above.dropFirst(folder.count + 1)))] != nil
      case .link, .other: return false
      }
    }
    return true
  }

  private func publish(
    _ difference: SiteDifference, _ old: PublishManifest, _ listing: SiteListing, _ progress: PublishProgress
  ) throws(PublishError) {
    guard let lock = try withFiles({ () throws(FileError) in try FolderLock.take(staging) }) else {
      throw PublishError(
        .conflict, "\(folder): error: somebody else is publishing to it. Wait until that is done.")
    }
    defer { withExtendedLifetime(lock) {} }
    try withFiles { () throws(FileError) in
      for name in try FileSystem.names(in: staging) { try FileSystem.remove(staging + "/" + name) }
    }
    // Before anything changes, the list has what will be there, too: whatever is left half-way, the next time knows whose it is.
    var manifest = old
    for file in listing.files {
      let digests = manifest.files[file.path] ?? []
      if !digests.contains(file.digest) { manifest.files[file.path] = digests + [file.digest] }
    }
    if manifest != old { try write(manifest) }
    let total = difference.added.count + difference.changed.count
    var done = 0
    for file in difference.uploads.joined() {
      guard !Task.isCancelled else { throw PublishError(.interrupted, Self.interrupted(folder)) }
      try copy(file, listing)
      done += 1
      progress("Copying files", done, total)
    }
    for path in difference.removed {
      guard !Task.isCancelled else { throw PublishError(.interrupted, Self.interrupted(folder)) }
      try remove(path.text)
    }
    var new = PublishManifest()
    for file in listing.files { new.files[file.path] = [file.digest] }
    if new != manifest { try write(new) }
    try withFiles { () throws(FileError) in try FileSystem.remove(staging) }
  }

  private static func interrupted(_ folder: String) -> String {
    "error: \(folder) has some of the new files and some of the old ones. `threadsite publish` goes on from there."
  }

  private func write(_ manifest: PublishManifest) throws(PublishError) {
    try withFiles { () throws(FileError) in try AtomicFile.write(manifest.bytes, to: manifestPath) }
  }

  private func copy(_ file: ListedFile, _ listing: SiteListing) throws(PublishError) {
    let copy = staging + "/file"
    try withFiles { () throws(FileError) in
      try FileSystem.remove(copy)
      _ = try FileSystem.copy(try OpenFile(listing.location(of: file)), to: copy)
    }
    let digest = try withFiles { () throws(FileError) in try FileDigest.sha256.digits(of: try OpenFile(copy))
    }
    guard digest == file.digest else { throw .changedMeanwhile(listing.location(of: file)) }
    try withFiles { () throws(FileError) in
      try FileSystem.put(copy, at: folder + "/" + file.path.text, below: folder)
    }
  }

  /// With the folders that are empty then.
  private func remove(_ path: String) throws(PublishError) {
    try withFiles { () throws(FileError) in
      try FileSystem.removeOne(folder + "/" + path)
      var above = PathText.folder(of: path)
      while let part = above, !part.isEmpty, part != "/" {
        try FileSystem.removeOne(folder + "/" + part)
        above = PathText.folder(of: part)
      }
    }
  }
}

extension PublishError {
  static func changedMeanwhile(_ path: String) -> PublishError {
    PublishError(
      .conflict,
      "\(path): error: this file was changed while the site was being published. Build again, and then publish again."
    )
  }
}
