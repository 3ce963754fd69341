import Basics
import ThreadModel

/// Keeps each page that arrived until what it was fetched for is saved, so that an interrupted fetch goes on where it was
/// and nothing is paid for twice.
///
/// Below its folder stands one folder a session, in it one file a page: when it was fetched, which request it answers, and X's
/// answer. It holds no credential. A damaged file is a page that is missing.
struct XResponseCache: Sendable {
  /// A page is used again for so long; X asks that what it deleted is gone after a day.
  static let lifetime: Int64 = 24 * 3_600_000

  let folder: String

  /// Opens the cache, and removes what was left there more than a day ago.
  init(folder: String, now: Timestamp) throws(FileError) {
    self.folder = folder
    guard FileSystem.isFolder(folder) else { return }
    for name in try FileSystem.names(in: folder) {
      let path = folder + "/" + name
      guard FileSystem.kind(of: path) == .folder else { continue }
      if try !XResponseCacheSession(folder: path).hasPages(at: now) { try FileSystem.remove(path) }
    }
  }

  func session(named name: String) -> XResponseCacheSession {
    XResponseCacheSession(folder: folder + "/" + Self.fileName(name))
  }

  /// A name that is safe as a file's: letters in lower case, digits and `-`, told apart by a hash where something was changed.
  static func fileName(_ name: String) -> String {
    let plain = String(
      decoding: name.utf8.map { byte -> UInt8 in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        default: UInt8(ascii: "-")
        }
      }.prefix(60), as: UTF8.self)
    return plain == name && !plain.isEmpty ? plain : "\(plain)-\(ContentHash.of(name.utf8))"
  }
}

/// The pages of one session.
struct XResponseCacheSession: Sendable {
  struct Page: Sendable {
    /// When X answered, by X's clock.
    var fetchedAt: Timestamp
    /// When it was written, by this machine's.
    var keptAt: Timestamp
    var body: JSONObject
  }

  let folder: String

  /// The page that answers a request, where it is here, whole, and of the last 24 hours.
  func page(for request: XRequest, at now: Timestamp) -> Page? {
    guard let (identity, page) = read(path(of: request)), identity == request.identity,
      Self.isFresh(page, at: now)
    else { return nil }
    return page
  }

  /// Keeps a page; it is on the disk when this returns.
  func keep(_ page: Page, for request: XRequest) throws(FileError) {
    try FileSystem.makeFolders(folder)
    let document: JSONValue = [
      "request": .string(request.identity), "fetched_at": .string(page.fetchedAt.iso8601),
      "kept_at": .string(page.keptAt.iso8601), "body": .object(page.body),
    ]
    try AtomicFile.write(JSONWriter.text(of: document, .compact).bytes, to: path(of: request))
  }

  func remove() throws(FileError) { try FileSystem.remove(folder) }

  func hasPages(at now: Timestamp) throws(FileError) -> Bool {
    try FileSystem.names(in: folder).contains { name in
      read(folder + "/" + name).map { Self.isFresh($0.1, at: now) } ?? false
    }
  }

  private static func isFresh(_ page: Page, at now: Timestamp) -> Bool {
    (0..<XResponseCache.lifetime).contains(now.milliseconds - page.keptAt.milliseconds)
  }

  private func path(of request: XRequest) -> String {
    "\(folder)/\(ContentHash.of(request.identity.utf8)).json"
  }

  /// A file that cannot be read, or is no page, is none.
  private func read(_ path: String) -> (identity: String, Page)? {
    guard let bytes = try? FileBytes.read(path),
      let json = try? JSONValue(parsing: bytes), let identity = json["request"]?.string,
      let fetched = json["fetched_at"]?.string.flatMap({ Timestamp(iso8601: $0) }),
      let kept = json["kept_at"]?.string.flatMap({ Timestamp(iso8601: $0) }), let body = json["body"]?.object
    else { return nil }
    return (identity, Page(fetchedAt: fetched, keptAt: kept, body: body))
  }
}
