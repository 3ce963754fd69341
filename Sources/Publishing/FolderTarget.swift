import Basics
import SiteOutput

/// A folder, such as one that a web server serves, or one on a mounted disk.
///
/// Each file is copied to a staging folder and then renamed, so that readers see either the old file or the new one. A list in the folder
/// names the files of the site; other files are not replaced or removed.
package struct FolderTarget: PublishTarget {
  /// The name of the list.
  static let manifestName = ".threadsite-published.json"
  /// The staging folder, which is locked during publishing.
  private static let stagingName = ".threadsite-publishing"

  private let folder: String
  private let replacesForeign: Bool

  /// - Parameters:
  ///   - folder: an absolute path without symbolic links.
  ///   - replacesForeign: whether files that are not in the list are replaced by files of the site with the same name.
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
        .configuration, "\(folder): error: this is not a folder, so nothing can be published to it.")
    }
    let listing = try site.listing(.sha256)
    let cache = "\(site.state)/folder-\(ContentHash.of(folder.utf8)).sha256"
    let manifest = try readManifest()
    // Foreign files are not read.
    let concerned = Set(listing.files.map(\.path)).union(manifest.files.keys)
    let there = try SiteListing(
      of: folder, .sha256, cache: cache,
      jobs: site.jobs,
      leavingOut: { path in
        !concerned.contains(SitePath(path)) || FileSystem.kind(of: folder + "/" + path) != .file
      })
    var ours: [SitePath: String] = [:]
    var foreign: Set<SitePath> = []
    for file in there.files {
      // A file that was changed after it was published counts as foreign.
      if manifest.files[file.path]?.contains(file.digest) == true {
        ours[file.path] = file.digest
      } else {
        foreign.insert(file.path)
      }
    }
    let difference = try SiteDifference(of: listing, from: known(ours, foreign, there, listing))
    return PublishWork(difference) { () throws(PublishError) in
      try publish(difference, manifest, listing, site.progress)
      // File names may contain words that the site no longer contains.
      SiteListing.forget(difference.removed, inCache: cache)
    }
  }

  private func readManifest() throws(PublishError) -> PublishManifest {
    guard FileSystem.kind(of: manifestPath) != .nothing else { return PublishManifest() }
    let bytes = try withFiles { () throws(FileError) in try FileBytes.read(manifestPath, atMost: 1 << 30) }
    guard let manifest = PublishManifest(bytes) else {
      throw PublishError(
        .content,
        "\(manifestPath): error: this list of published files cannot be read. Delete it and run once with --force to replace the files "
          + "of the site; files that the site no longer has remain.")
    }
    return manifest
  }

  /// Returns the files in the folder that may be replaced: those of the site, and foreign ones that are already equal or that the user
  /// allows to be replaced.
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
        "\(folder): error: \(taken.count) of the site's files would replace files that threadsite did not publish, or that were "
          + "changed since: \(shown)\(taken.count > 5 ? ", …" : ""). Move them away, or use --force to replace them."
      )
    }
    return known
  }

  /// Whether a path is free: neither the path nor one of its folders is blocked by a foreign file, link or folder.
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
        .conflict, "\(folder): error: another process is publishing to it. Try again when it has finished.")
    }
    defer { withExtendedLifetime(lock) {} }
    AtomicFile.removeAbandoned(in: folder)
    try withFiles { () throws(FileError) in
      for name in try FileSystem.names(in: staging) { try FileSystem.remove(staging + "/" + name) }
    }
    // The new files are added to the list before anything changes, so that the next run recognizes them even if this one is interrupted.
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
    "error: \(folder) contains a mix of old and new files. Run `threadsite publish` again to resume."
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

  /// Removes a file, and then its folders as far as they are empty.
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
      "\(path): error: this file was changed while the site was being published. Build and publish again."
    )
  }
}
