import Basics
import ThreadModel

/// Stores each received page until its threads are saved, so that an interrupted fetch can be continued and no post is paid for twice.
///
/// Its folder has one folder per session, with one file per page: the request, the times of the response and of writing, and X's response.
/// It contains no credentials. A damaged file counts as a missing page.
struct XResponseCache: Sendable {
  /// The time for which a page is reused. X requires that deleted posts are removed after a day.
  static let lifetime: Int64 = 24 * 3_600_000

  let folder: String

  /// Opens the cache, and removes the sessions without a page from the last day.
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

  /// Returns a safe file name of lower-case letters, digits and `-`, with a hash if the name had to be changed.
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
    /// The time of the response by X's clock.
    var fetchedAt: Timestamp
    /// The time of writing by this machine's clock.
    var keptAt: Timestamp
    var body: JSONObject
    /// The page size that was requested.
    var pageSize: Int?
  }

  let folder: String

  /// Returns the stored page for a request if it is complete and not older than 24 hours.
  func page(for request: XRequest, at now: Timestamp) -> Page? {
    guard let (identity, page) = read(path(of: request)), identity == request.identity,
      Self.isFresh(page, at: now)
    else { return nil }
    return page
  }

  /// Stores a page. The page is on the disk when the function returns.
  func keep(_ page: Page, for request: XRequest) throws(FileError) {
    try FileSystem.makeFolders(folder)
    var document: JSONObject = [
      "request": .string(request.identity), "fetched_at": .string(page.fetchedAt.iso8601),
      "kept_at": .string(page.keptAt.iso8601), "body": .object(page.body),
    ]
    document["page_size"] = page.pageSize.map { .integer(Int64($0)) }
    try AtomicFile.write(JSONWriter.text(of: .object(document), .compact).bytes, to: path(of: request))
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

  /// Returns the page in a file; `nil` if the file cannot be read or is invalid.
  private func read(_ path: String) -> (identity: String, Page)? {
    guard let bytes = try? FileBytes.read(path),
      let json = try? JSONValue(parsing: bytes), let identity = json["request"]?.string,
      let fetched = json["fetched_at"]?.string.flatMap({ Timestamp(iso8601: $0) }),
      let kept = json["kept_at"]?.string.flatMap({ Timestamp(iso8601: $0) }), let body = json["body"]?.object
    else { return nil }
    return (
      identity, Page(fetchedAt: fetched, keptAt: kept, body: body, pageSize: json["page_size"]?.int)
    )
  }
}
