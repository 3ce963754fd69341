import Basics
package import NetworkSources
import ThreadModel

/// The archive that X provides to its users, as a zip file or unpacked.
///
/// It is read several times instead of being kept in memory: first a summary of every post, to find the threads (`survey`), then their
/// media files (`readMedia`), then the posts of the threads (`conversations`).
package struct XArchive: ThreadExport {
  let source: any ArchiveSource
  let layout: ArchiveLayout
  package let passedOver: [String]

  /// Opens a zip file with any name, or the folder of an unpacked archive; `nil` for other files.
  static func find(_ path: String) throws(SourceError) -> XArchive? {
    if FileSystem.isFolder(path) { return isUnpacked(at: path) ? try open(path) : nil }
    if path.lowercased().hasByteSuffix(".zip") { return try open(path) }
    do throws(FileError) {
      guard try OpenFile(path).bytes(4, at: 0) == [0x50, 0x4B, 3, 4] else { return nil }
    } catch {
      // The error is reported when the file has to be read.
      return nil
    }
    return try open(path)
  }

  /// Opens a zip file or a folder.
  package static func open(_ path: String) throws(SourceError) -> XArchive {
    if isUnpacked(at: path) { return try XArchive(FolderArchive(path: path, XArchiveRules())) }
    return try XArchive(zip(path))
  }

  /// Returns a zip file of which only the files of X's archives are opened.
  package static func zip(_ path: String) -> PackedArchive {
    PackedArchive(path: path, .zip, XArchiveRules())
  }

  /// Whether a folder, its `data` folder, or the `data` folder of one of its subfolders has a file of posts or of the account. An archive
  /// without its posts is still recognized as an archive.
  package static func isUnpacked(at folder: String) -> Bool {
    guard FileSystem.isFolder(folder) else { return false }
    return candidates(folder).contains { data in
      names(in: data).contains { [.posts, .account].contains(ArchiveAllowList.kind(ofFile: $0)) }
    }
  }

  private static func candidates(_ folder: String) -> [String] {
    let below = names(in: folder).filter { !PathText.isHidden($0) }.map { "\(folder)/\($0)/data" }
    return ([folder, folder + "/data"] + below).filter(FileSystem.isFolder)
  }

  /// A folder that cannot be listed counts as empty.
  private static func names(in folder: String) -> [String] {
    (try? FileSystem.names(in: folder)) ?? []
  }

  package init(_ source: any ArchiveSource) throws(SourceError) {
    self.source = source
    let listing = try source.list()
    layout = try ArchiveLayout(listing, archive: source.path)
    passedOver = listing.passedOver
  }

  package var path: String { source.path }
  package var neverOpened: String? {
    "direct messages, contacts, deleted posts, advertising and all other private files"
  }
  package var withoutMedia: String {
    "their posts link to X's copies; `threadsite fetch` copies the files that still exist"
  }

  package func survey(
    progress: (_ done: Int, _ total: Int) -> Void
  ) throws(SourceError) -> any SurveyedExport {
    let total = max(1, layout.posts.reduce(0) { $0 + ($1.size ?? 0) } >> 20)
    var last = 0
    return try readSurvey { bytes in
      guard bytes >> 20 > last else { return }
      last = bytes >> 20
      progress(min(last, total), total)
    }
  }

  package func readingList(_ kind: ReadingList.Kind) throws(SourceError) -> ReadingList {
    guard kind == .likes else { throw SourceError(export: path, contains: kind, never: "X") }
    return try ArchiveLikes(path: path).list()
  }

  // MARK: Reading

  /// Reads files of elements, each element with `body`, in the order of the archive.
  ///
  /// A truncated file is read up to its last complete element.
  ///
  /// - Parameters:
  ///   - progress: called at intervals with the number of bytes read so far.
  ///   - body: returns whether the element is valid.
  /// - Returns: how far each file was read, by path.
  @discardableResult
  func readElements(
    _ entries: [ArchiveEntry], progress: (Int) -> Void = { _ in },
    _ body: (inout JSONReader) throws(JSONError) -> Bool
  ) throws(SourceError) -> [String: ArchiveFileReading] {
    var total = 0
    var readings: [String: ArchiveFileReading] = [:]
    try source.read(Set(entries.map(\.path))) { (entry, content) throws(SourceError) in
      var elements = ScriptElements(archive: path, entry: entry.path)
      var reading = ArchiveFileReading()
      var count = 0
      while let bytes = try content.next() {
        count += bytes.count
        total += bytes.count
        guard count <= XArchiveLimits.postsFile else {
          throw SourceError(export: path, entry.path, "is too large for a file of posts from X")
        }
        try elements.feed(bytes) { reader throws(JSONError) in
          if try body(&reader) { reading.count += 1 }
        }
        progress(total)
      }
      reading.cut = elements.cut
      readings[entry.path] = reading
    }
    return readings
  }

  /// Reads small files, each element with `body`, as `readElements` does.
  func readSmall(
    _ entries: [ArchiveEntry], _ body: (JSONValue) -> Void
  ) throws(SourceError) -> [String: ArchiveFileReading] {
    for entry in entries {
      if let size = entry.size, size > XArchiveLimits.smallFile {
        throw SourceError(export: path, entry.path, "is too large for a file of this kind from X")
      }
    }
    return try readElements(entries) { reader throws(JSONError) in
      body(try reader.readValue())
      return true
    }
  }

  /// Reads the posts at the wanted positions completely.
  func readWanted(
    _ survey: ArchiveSurvey, wants: (Int) -> Bool,
    _ body: (JSONObject, Int) -> Void
  ) throws(SourceError) {
    var position = -1
    try readElements(layout.posts) { reader throws(JSONError) in
      position += 1
      guard position < survey.summaries.count, wants(position) else {
        try reader.skipValue()
        return false
      }
      let element = try reader.readValue()
      let post = ["tweet", "communityTweet", "community_tweet"].lazy.compactMap { element[$0]?.object }.first
      if let object = post ?? element.object { body(object, position) }
      return true
    }
  }
}
