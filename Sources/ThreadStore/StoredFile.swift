import Basics
package import ThreadModel

/// A conversation's place in the store, known from its name alone.
package struct StoredFile: Hashable, Sendable {
  /// The folder of the network: `x`.
  package let platform: Platform
  /// The folder of the author, named by the handle they had when the first file came into it.
  package let folder: String
  /// The file's name without `.json`: mostly the value of the conversation's id, but which conversation a file holds is only known by
  /// reading it.
  package let name: String

  /// `x/ada/1346889436626259968`: what names the thread wherever a short name is needed.
  package let stem: String
  /// The path below the store's folder: `x/ada/1346889436626259968.json`. Kept, as sorting asks for it again and again.
  package let path: String

  package init(platform: Platform, folder: String, name: String) {
    self.platform = platform
    self.folder = folder
    self.name = name
    stem = "\(platform.rawValue)/\(folder)/\(name)"
    path = stem + ".json"
  }
}

extension StoredFile {
  /// The name of the file for an author's conversation.
  ///
  /// The folder says whose it is, and with the author the authority that their own posts have. Where the conversation is of another (an
  /// answer in somebody else's), its name says so.
  static func name(of id: PostID, by author: AuthorID) -> String {
    // An account on Bluesky is the authority of its posts; elsewhere both have the same one.
    SafeName.make(id, isScoped: id.authority == (author.authority ?? author.value))
  }

  /// The names that files of a conversation may have, whoever's they are.
  static func names(of id: PostID) -> [String] {
    id.authority == nil
      ? [SafeName.make(id, isScoped: true)]
      : [SafeName.make(id, isScoped: true), SafeName.make(id, isScoped: false)]
  }
}

extension StoredFile: Comparable {
  /// By the bytes of the path, so that the order is the same on any machine.
  package static func < (lhs: StoredFile, rhs: StoredFile) -> Bool {
    lhs.path.utf8.lexicographicallyPrecedes(rhs.path.utf8)
  }
}

/// What the store asks of the file system, with the store's own rules: links are not followed, what is hidden is not seen, and a
/// file that is missing is no error.
enum StoreFiles {
  /// The entries of a folder, sorted, those that begin with a dot left out; none where there is no folder.
  static func entries(of path: String) throws(ThreadStoreError) -> [FileSystem.Entry] {
    guard FileSystem.kind(of: path) != .nothing else { return [] }
    return try withFiles { () throws(FileError) in try FileSystem.entries(of: path) }
      .filter { !PathText.isHidden($0.name) }
  }

  /// The bytes of a file; `nil` where there is none.
  static func read(_ path: String, atMost limit: Int) throws(ThreadStoreError) -> [UInt8]? {
    do throws(FileError) {
      return try FileBytes.read(path, atMost: limit)
    } catch {
      if error.kind == .missing { return nil }
      throw ThreadStoreError(error)
    }
  }

  /// Puts the bytes at a path so that there is, at any moment and after any crash, either the file as it was or the whole
  /// new one.
  static func write(_ bytes: [UInt8], to path: String) throws(ThreadStoreError) {
    try withFiles { () throws(FileError) in try AtomicFile.write(bytes, to: path) }
  }

  private static func withFiles<Result>(
    _ work: () throws(FileError) -> Result
  ) throws(ThreadStoreError) -> Result {
    do {
      return try work()
    } catch {
      throw ThreadStoreError(error)
    }
  }
}

/// Files of the store by their names, which tell the few that may hold a conversation from all others; which of these does is known by
/// reading them.
package struct StoreListing: Sendable {
  private let files: [String: [StoredFile]]

  package init(_ files: [StoredFile]) {
    self.files = Dictionary(grouping: files) { Self.key($0.platform, $0.name) }
  }

  /// In the order of the list that this was made of.
  package func files(thatMayHold id: PostID) -> [StoredFile] {
    StoredFile.names(of: id).flatMap { files[Self.key(id.platform, $0)] ?? [] }
  }

  private static func key(_ platform: Platform, _ name: String) -> String { "\(platform.rawValue)/\(name)" }
}
