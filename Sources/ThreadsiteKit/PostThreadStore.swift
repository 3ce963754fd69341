import Basics
import ThreadModel
import ThreadStore

/// The stored threads of a site: a folder with one JSON file per thread, such as `threads`.
///
/// A value reads the folder at each call and keeps nothing in memory.
public struct PostThreadStore: Sendable {
  /// An entry of the index: a file of the store.
  public struct Entry: Sendable, Hashable, Identifiable {
    /// The path below the store's folder: `x/ada/1346889436626259968.json`.
    public let id: String
    /// The name of the network, such as "x", "bluesky" or "mastodon".
    public let platform: String
    /// The author's folder, named after the author's handle at the time of the first file.
    public let folder: String

    fileprivate let file: StoredFile

    fileprivate init(_ file: StoredFile) {
      self.file = file
      id = file.path
      platform = file.platform.rawValue
      folder = file.folder
    }
  }

  private let store: ThreadStore

  /// Opens a store.
  ///
  /// - Parameter folder: the path of the store's folder.
  /// - Throws: ``ThreadsiteError`` of the kind `file` if the folder does not exist.
  public init(folder: String) throws(ThreadsiteError) {
    guard FileSystem.isFolder(folder) else {
      throw ThreadsiteError(.file, ["\(folder): error: there is no such folder."])
    }
    store = ThreadStore(folder: folder)
  }

  /// Returns the index of all threads, sorted by path, without reading the threads.
  public func index() throws(ThreadsiteError) -> [Entry] {
    do {
      return try store.list().map(Entry.init)
    } catch {
      throw ThreadsiteError(error)
    }
  }

  /// Reads the thread of an entry.
  ///
  /// - Throws: ``ThreadsiteError`` with line and column if the file is invalid.
  public func thread(_ entry: Entry) throws(ThreadsiteError) -> PostThread {
    do {
      return PostThread(try store.read(entry.file))
    } catch {
      throw ThreadsiteError(error)
    }
  }

  /// Reads all threads with posts by their author, sorted by path.
  ///
  /// - Throws: ``ThreadsiteError`` for the first invalid file. To skip invalid files, read the entries of ``index()`` one by one.
  public func threads() throws(ThreadsiteError) -> [PostThread] {
    var threads: [PostThread] = []
    for entry in try index() {
      let thread = try thread(entry)
      if !thread.posts.isEmpty { threads.append(thread) }
    }
    return threads
  }
}
