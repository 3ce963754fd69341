import Basics
import MediaMirror
import NetworkSources
import ThreadModel
import ThreadStore

/// Deletes the copies of words in a site's `.threadsite/` folder after words have been removed from the store.
///
/// The caches of builds, the shards of builds, the preview, the list of checked links, and the data about publications (the lists of
/// published files and the repository of `publish.git`) repeat the former contents of the store. They are created again when needed, so
/// they are deleted as a whole. Responses of networks that an interrupted fetch stored are deleted one by one,
/// because they may have cost money. The store's record of dead links keeps only links that are still in the store's texts.
package struct RemovedWords: Sendable {
  private let folder: String
  private let store: ThreadStore
  /// The names of the folders in which networks store responses.
  private let responseFolders: [String]

  package init(of site: SiteFolder) {
    folder = site.path + "/.threadsite"
    store = ThreadStore(folder: site.store)
    responseFolders = site.networks.networks.map(\.platform.rawValue)
  }

  /// Deletes the copies.
  ///
  /// - Parameter marks: ids and names. A response that contains the removed words contains at least one of them.
  /// - Throws: if a file cannot be deleted, because its words would stay on the machine.
  package func deleteCopies(marks: Set<String>) throws {
    for name in ["build", "shards", "links.json", "publish"] { try FileSystem.remove("\(folder)/\(name)") }
    try deletePreview()
    try deleteScaledImages()
    try forgetDeadLinks()
    let search = ByteSearch(marks)
    for name in responseFolders {
      for file in FileTree("\(folder)/\(name)").files {
        let path = "\(folder)/\(name)/\(file.path)"
        // An unreadable response is also useless for a fetch.
        guard let bytes = try? FileBytes.read(path), !search.finds(in: bytes) else {
          try FileSystem.remove(path)
          continue
        }
      }
    }
  }

  /// Deletes the preview, unless `threadsite serve` is running, which rebuilds the preview itself when the store changes.
  private func deletePreview() throws {
    let preview = "\(folder)/preview"
    guard FileSystem.kind(of: preview) == .folder, let lock = try FolderLock.take(preview) else { return }
    try withExtendedLifetime(lock) { try FileSystem.remove(preview) }
  }

  /// Removes links that no post in the store contains from the record of dead links. If that cannot be decided, the whole record is
  /// deleted; the next check writes it again.
  private func forgetDeadLinks() throws {
    do {
      let before = try DeadLinks.load(store: store.folder)
      guard !before.urls.isEmpty else { return }
      var linked: Set<String> = []
      for file in try store.list() {
        let conversation = try store.read(file)
        for post in conversation.posts + conversation.related {
          if let card = post.card { linked.insert(WebArchive.comparable(card.url)) }
          for case .link(let url, _) in post.text.entities.map(\.kind) {
            linked.insert(WebArchive.comparable(url))
          }
        }
      }
      var dead = before
      dead.keep { linked.contains(WebArchive.comparable($0)) }
      if dead != before { try dead.save(store: store.folder) }
    } catch {
      try FileSystem.remove("\(store.folder)/\(DeadLinks.fileName)")
    }
  }

  /// Deletes smaller copies of photos that the store no longer has.
  private func deleteScaledImages() throws {
    let images = "\(folder)/images"
    guard FileSystem.kind(of: images) == .folder else { return }
    for name in try FileSystem.names(in: images) {
      // The name of a file ends with a digest. The next build makes removed copies again.
      guard let dot = name.lastIndex(of: "."), let copy = ScaledImageName(String(name[..<dot])),
        let path = try? store.mediaPath(copy.photo), FileSystem.kind(of: path) == .file
      else {
        try FileSystem.remove("\(images)/\(name)")
        continue
      }
    }
  }
}

/// A case-insensitive (in ASCII) search for any of several texts in bytes.
///
/// At every position, the bytes before it are looked up in a table, so that the time does not depend on the number of texts.
package struct ByteSearch: Sendable {
  /// Texts by their last bytes, which differ more often than the first ones.
  private struct Table: Sendable {
    /// The number of last bytes, at most 8.
    let length: Int
    private(set) var marks: [UInt64: [[UInt8]]] = [:]

    init(_ marks: [[UInt8]]) {
      length = min(marks.map(\.count).min() ?? ByteSearch.longestEnd, ByteSearch.longestEnd)
      for mark in marks { self.marks[key(of: mark), default: []].append(mark) }
    }

    /// Returns the key for the folded bytes up to a position.
    func key(_ tail: UInt64) -> UInt64 {
      length == ByteSearch.longestEnd ? tail : tail & ((UInt64(1) << UInt64(8 * length)) - 1)
    }

    private func key(of mark: [UInt8]) -> UInt64 { key(mark.reduce(0) { $0 << 8 | UInt64($1) }) }
  }

  private static let longestEnd = 8

  /// Short texts have their own table, because few bytes distinguish few texts.
  private let tables: [Table]
  /// Whether a text ends with two bytes, by these bytes. Few places of other bytes have to be looked up.
  private let ends: [Bool]

  package init(_ marks: some Sequence<String>) {
    let marks = Set(marks.map { $0.utf8.map(Self.folded) }.filter { !$0.isEmpty })
    let parts = [
      marks.filter { $0.count < Self.longestEnd }, marks.filter { $0.count >= Self.longestEnd },
    ]
    tables = parts.filter { !$0.isEmpty }.map { Table(Array($0)) }
    var ends = [Bool](repeating: false, count: 1 << 16)
    for mark in marks {
      let last = Int(mark[mark.count - 1])
      for first in mark.count > 1 ? [Int(mark[mark.count - 2])] : Array(0..<256) {
        ends[first << 8 | last] = true
      }
    }
    self.ends = ends
  }

  package func finds(in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var tail: UInt64 = 0
      for end in bytes.indices {
        tail = tail << 8 | UInt64(Self.folded(bytes[end]))
        guard ends[Int(tail & 0xFFFF)] else { continue }
        for table in tables {
          guard let marks = table.marks[table.key(tail)] else { continue }
          if marks.contains(where: { Self.isEnd($0, of: bytes, at: end) }) { return true }
        }
      }
      return false
    }
  }

  /// Whether a text ends at a position.
  private static func isEnd(_ mark: [UInt8], of bytes: UnsafeBufferPointer<UInt8>, at end: Int) -> Bool {
    let start = end + 1 - mark.count
    guard start >= 0 else { return false }
    for offset in mark.indices where folded(bytes[start + offset]) != mark[offset] { return false }
    return true
  }

  private static func folded(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}
