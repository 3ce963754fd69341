import Basics
import Dispatch
package import SiteOutput
import Synchronization

/// A file of a site at the time of publishing.
package struct ListedFile: Sendable, Hashable {
  /// Relative to the site's top folder.
  package let path: SitePath
  /// In bytes.
  package let size: Int
  /// In hexadecimal digits. The listing determines the kind of digest.
  package let digest: String
}

/// All files of a folder with digests of their content, sorted by the bytes of their paths.
package struct SiteListing: Sendable {
  package let folder: String
  package let files: [ListedFile]

  /// Returns the path of a file in the file system.
  package func location(of file: ListedFile) -> String { folder + "/" + file.path.text }
}

extension SiteListing {
  /// Lists a folder. Files whose digests are in the cache, and that have not been changed since, are not read again.
  ///
  /// - Parameters:
  ///   - cache: the path of a file that stores digests for the next run; `nil` if every file is read.
  ///   - leavesOut: whether to leave out a path, which is relative to the folder.
  /// - Throws: `PublishError` if an entry is neither a file nor a folder, or if a file cannot be read.
  package init(
    of folder: String, _ digest: FileDigest, cache: String?, jobs: Int,
    leavingOut leavesOut: (String) -> Bool = { _ in false }
  ) throws(PublishError) {
    self.folder = folder
    let start = FileSignature.now
    // An unreadable folder must not look like one without files, or its files would be deleted at the destination.
    let tree = try withFiles { () throws(FileError) in try FileTree(whole: folder) }
    let found = tree.files.filter { !leavesOut($0.path) }.sorted {
      $0.path.precedesInBytes($1.path)
    }
    let known = cache.map(DigestCache.init(reading:)) ?? DigestCache()
    let missing = found.indices.filter { known.digest(of: found[$0].path, found[$0].signature) == nil }
    let next = Atomic(0)
    let read = Mutex<(digests: [Int: (digest: String, size: Int)], error: PublishError?)>(([:], nil))
    DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, missing.count))) { _ in
      while true {
        let position = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard position < missing.count else { break }
        let index = missing[position]
        do throws(PublishError) {
          let result = try withFiles { () throws(FileError) -> (String, Int) in
            let file = try OpenFile(folder + "/" + found[index].path)
            return (try digest.digits(of: file), file.count)
          }
          read.withLock { $0.digests[index] = result }
        } catch {
          read.withLock { $0.error = $0.error ?? error }
        }
      }
    }
    let (digests, error) = read.withLock { ($0.digests, $0.error) }
    if let error { throw error }
    var files: [ListedFile] = []
    files.reserveCapacity(found.count)
    for (index, entry) in found.enumerated() {
      guard
        let (digest, size) = digests[index]
          ?? known.digest(of: entry.path, entry.signature).map({ ($0, Int(entry.signature.size)) })
      else { continue }
      files.append(ListedFile(path: SitePath(entry.path), size: size, digest: digest))
    }
    self.files = files
    guard let cache, !missing.isEmpty || known.count != found.count else { return }
    // Digests that cannot be stored are computed again in the next run.
    try? DigestCache.bytes(
      zip(found, files).lazy.filter { $0.0.signature.isSettled(at: start) }.map {
        ($0.0.path, $0.0.signature, $0.1.digest)
      }
    ).write(to: cache)
  }
}

extension SiteListing {
  /// Removes deleted files from a cache of digests.
  static func forget(_ paths: some Sequence<SitePath>, inCache file: String) {
    var cache = DigestCache(reading: file)
    let before = cache.count
    cache.forget(paths)
    // A cache that cannot be written is deleted: it only saves time.
    guard cache.count != before else { return }
    do { try cache.bytes.write(to: file) } catch { try? FileSystem.remove(file) }
  }
}

/// A cache of file digests by path, each with the signature of the file from which it was computed.
///
/// The file has one entry per digest: four numbers, the digest and the path, separated by spaces, and a zero byte at the end.
private struct DigestCache {
  private var entries: [SitePath: (FileSignature, String)] = [:]

  var count: Int { entries.count }

  /// An empty cache.
  init() {}

  /// Reads a cache; a missing or damaged file is treated as an empty one.
  init(reading file: String) {
    guard let bytes = try? FileBytes.read(file, atMost: 1 << 30) else { return }
    for line in bytes.split(separator: 0) {
      let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard parts.count == 6 else { continue }
      let texts = parts.map { String(decoding: $0, as: UTF8.self) }
      guard let inode = UInt64(texts[0]), let size = Int64(texts[1]), let modified = Int64(texts[2]),
        let changed = Int64(texts[3])
      else { continue }
      entries[SitePath(texts[5])] = (
        FileSignature(inode: inode, size: size, modified: modified, changed: changed), texts[4]
      )
    }
  }

  mutating func forget(_ paths: some Sequence<SitePath>) { for path in paths { entries[path] = nil } }

  /// The cache as a file, sorted by path.
  var bytes: Bytes {
    Self.bytes(
      entries.sorted { $0.key.text.precedesInBytes($1.key.text) }.lazy.map {
        ($0.key.text, $0.value.0, $0.value.1)
      })
  }

  func digest(of path: String, _ signature: FileSignature) -> String? {
    guard let entry = entries[SitePath(path)], entry.0 == signature else { return nil }
    return entry.1
  }

  struct Bytes {
    var bytes: [UInt8] = []

    func write(to file: String) throws(FileError) {
      if let folder = PathText.folder(of: file) { try FileSystem.makeFolders(String(folder)) }
      try AtomicFile.write(bytes, to: file)
    }
  }

  static func bytes(_ entries: some Sequence<(String, FileSignature, String)>) -> Bytes {
    var result = Bytes()
    for (path, signature, digest) in entries {
      result.bytes +=
        "\(signature.inode) \(signature.size) \(signature.modified) \(signature.changed) \(digest) \(path)\0"
        .utf8
    }
    return result
  }
}
