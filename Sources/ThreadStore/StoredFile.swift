import Basics
package import ThreadModel

/// A conversation's place in the store, according to its file name.
package struct StoredFile: Hashable, Sendable {
  /// The network's folder: `x`.
  package let platform: Platform
  /// The author's folder, named after the author's handle at the time of the folder's first file.
  package let folder: String
  /// The file's name without `.json`: usually the value of the conversation's id. Only the file itself shows which conversation it
  /// contains.
  package let name: String

  /// `x/ada/1346889436626259968`: the short name of the thread.
  package let stem: String
  /// The path below the store's folder: `x/ada/1346889436626259968.json`. It is stored, because sorting reads it repeatedly.
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
  /// Returns the name of the file for an author's conversation.
  ///
  /// The folder identifies the author, and thereby the authority of the author's posts. If the conversation has a different authority (an
  /// answer in another author's conversation), the file name identifies it.
  static func name(of id: PostID, by author: AuthorID) -> String {
    // On Bluesky, an account's id is the authority of its posts; on other networks account and posts have the same authority.
    SafeName.make(id, isScoped: id.authority == (author.authority ?? author.value))
  }

  /// Returns the possible file names of a conversation, for any author.
  static func names(of id: PostID) -> [String] {
    id.authority == nil
      ? [SafeName.make(id, isScoped: true)]
      : [SafeName.make(id, isScoped: true), SafeName.make(id, isScoped: false)]
  }
}

extension StoredFile: Comparable {
  /// Compares the bytes of the paths, so that the order is the same on any machine.
  package static func < (lhs: StoredFile, rhs: StoredFile) -> Bool {
    lhs.path.precedesInBytes(rhs.path)
  }
}

/// The store's access to the file system: links are not followed, hidden files are ignored, and a missing file is not an error.
enum StoreFiles {
  /// Returns the entries of a folder, sorted, without those that begin with a dot; empty if the folder is missing.
  static func entries(of path: String) throws(ThreadStoreError) -> [FileSystem.Entry] {
    guard FileSystem.kind(of: path) != .nothing else { return [] }
    return try withFiles { () throws(FileError) in try FileSystem.entries(of: path) }
      .filter { !PathText.isHidden($0.name) }
  }

  /// Returns the bytes of a file; `nil` if the file is missing.
  static func read(_ path: String, atMost limit: Int) throws(ThreadStoreError) -> [UInt8]? {
    do throws(FileError) {
      return try FileBytes.read(path, atMost: limit)
    } catch {
      if error.kind == .missing { return nil }
      throw ThreadStoreError(error)
    }
  }

  /// Writes a file atomically: at any moment and after any crash, the path has either the old file or the complete new one.
  static func write(_ bytes: [UInt8], to path: String) throws(ThreadStoreError) {
    try withFiles { () throws(FileError) in try AtomicFile.write(bytes, to: path) }
  }

  /// Deletes a file; does nothing if it is missing.
  static func remove(_ path: String) throws(ThreadStoreError) {
    try withFiles { () throws(FileError) in try FileSystem.remove(path) }
  }

  /// Parses the contents of a file that is an object.
  ///
  /// - Throws: if a key is repeated, as after a merge in git that kept both sides. One of the values would be lost.
  static func object(in bytes: [UInt8], file: String) throws(ThreadStoreError) -> JSONValue {
    do throws(JSONError) {
      return try JSONReader.read(bytes) { reader throws(JSONError) in try strictObject(&reader) }
    } catch {
      throw .damaged(file: file, error)
    }
  }

  private static func strictObject(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
    var members: JSONObject = [:]
    try reader.beginObject()
    while let key = try reader.nextKey() {
      let name = key.string
      guard members[name] == nil else { throw reader.repeated(key, in: "file") }
      members[name] = try strictValue(&reader)
    }
    return .object(members)
  }

  private static func strictValue(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
    switch reader.nextKind() {
    case .object: try strictObject(&reader)
    case .array: .array(try reader.readArray { reader throws(JSONError) in try strictValue(&reader) })
    default: try reader.readValue()
    }
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

/// Files of the store by their names, for finding the few files that may contain a conversation. They have to be read to determine which of
/// them does.
package struct StoreListing: Sendable {
  private let files: [StoredFile]
  /// A hash of each file's network and name with the index in `files`, sorted. It takes 16 bytes per file, a tenth of a dictionary of names.
  private let indices: [(hash: UInt64, index: Int32)]

  package init(_ files: [StoredFile]) {
    self.files = files
    indices = files.enumerated().map { (Self.hash($1.platform, $1.name), Int32($0)) }
      .sorted { ($0.hash, $0.index) < ($1.hash, $1.index) }
  }

  /// Returns the files that may contain a conversation, in the order of the list from which this value was created.
  package func files(thatMayHold id: PostID) -> [StoredFile] {
    StoredFile.names(of: id).flatMap { name in
      let hash = Self.hash(id.platform, name)
      var (low, high) = (0, indices.count)
      while low < high {
        let middle = (low + high) / 2
        if indices[middle].hash < hash { low = middle + 1 } else { high = middle }
      }
      return indices[low...].prefix { $0.hash == hash }.map { files[Int($0.index)] }
        .filter { $0.platform == id.platform && $0.name == name }
    }
  }

  private static func hash(_ platform: Platform, _ name: String) -> UInt64 {
    var digest = ContentDigest()
    digest.add(platform.rawValue)
    digest.add(name)
    return digest.value
  }
}
