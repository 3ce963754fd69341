import Basics
import NetworkSources
import ThreadModel

/// The files of an archive by their kinds.
struct ArchiveLayout: Sendable {
  /// The files of posts in the order of their parts, community posts last.
  var posts: [ArchiveEntry] = []
  var notes: [ArchiveEntry] = []
  var circle: [ArchiveEntry] = []
  var account: [ArchiveEntry] = []
  var profile: [ArchiveEntry] = []
  var manifest: [ArchiveEntry] = []
  /// The media files by their names, `<post id>-<name>`.
  var media: [String: ArchiveEntry] = [:]
  var profileMedia: [String: ArchiveEntry] = [:]
  /// The folder that contains all of these files; empty for the archive's top folder.
  private let folder: String

  /// All files except the media.
  var listed: [ArchiveEntry] { posts + notes + circle + account + profile + manifest }

  /// Returns the path of a file with this name, whether it exists or not.
  func path(of name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }

  /// Finds the data folder, which may be nested.
  init(_ listing: ArchiveListing, archive: String) throws(SourceError) {
    let found = listing.entries.compactMap { entry in
      ArchiveAllowList.find(entry.path).map { (entry, $0.folder, $0.kind) }
    }
    let folders = Set(found.filter { $0.2 == .posts }.map(\.1))
    guard let folder = folders.first else { throw Self.noPosts(listing, archive) }
    guard folders.count == 1 else {
      let names = folders.sorted().map { $0.isEmpty ? "." : $0 }.joined(separator: ", ")
      throw SourceError(
        export: archive, "contains more than one X archive (in \(names)): unpack it, and import each folder"
      )
    }
    self.folder = folder
    for (entry, place, kind) in found where place == folder {
      switch kind {
      case .posts: posts.append(entry)
      case .notes: notes.append(entry)
      case .circle: circle.append(entry)
      case .account: account.append(entry)
      case .profile: profile.append(entry)
      case .manifest: manifest.append(entry)
      case .media: if media[String(entry.name)] == nil { media[String(entry.name)] = entry }
      case .profileMedia: profileMedia[String(entry.name)] = entry
      }
    }
    posts.sort { ArchiveAllowList.precedes($0.path, $1.path) }
    notes.sort { ArchiveAllowList.precedes($0.path, $1.path) }
  }

  private static func noPosts(_ listing: ArchiveListing, _ archive: String) -> SourceError {
    let words: String
    if let zip = listing.zips.first {
      words = "contains no posts, but a zip file (\(zip)): unpack this file, and import the zip file in it"
    } else if listing.fileCount == 0 {
      words = "is empty"
    } else {
      words =
        "contains no X archive: there is no data/tweets.js in it. If X sent you several zip files, unpack all of them "
        + "into one folder, and import that"
    }
    return SourceError(export: archive, words)
  }
}

/// The content of `manifest.js`: the account, the time of the archive, and its files.
struct ArchiveManifest: Sendable {
  private(set) var accountID: String?
  private(set) var handle: String?
  private(set) var name: String?
  /// The time at which X made the archive.
  private(set) var generationDate: Timestamp?
  /// Whether the manifest states that the archive is partial.
  private(set) var isPartial = false
  /// The expected number of entries of each file, by the file's name without its folder; `nil` if the manifest has no number. Contains only
  /// files that may be opened.
  private(set) var counts: [String: Int?] = [:]

  /// Reads the object that the file assigns: `userInfo`, `archiveInfo`, and by kind `dataTypes.….files` with `fileName` and `count`, a
  /// string of digits.
  mutating func take(_ manifest: JSONValue) {
    let user = manifest["userInfo"]
    accountID = user?["accountId"]?.string.flatMap { XID.isValid($0) ? $0 : nil }
    handle = user?["userName"]?.string
    name = user?["displayName"]?.string
    let archive = manifest["archiveInfo"]
    generationDate = archive?["generationDate"]?.string.flatMap(XVersion1Date.parse)
    isPartial = archive?["isPartialArchive"].map { $0.bool ?? ($0.string == "true") } ?? false
    for (_, type) in manifest["dataTypes"]?.object ?? [:] {
      for file in type["files"]?.array ?? [] { take(file: file) }
    }
  }

  private mutating func take(file: JSONValue) {
    guard let path = file["fileName"]?.string, let last = path.split(atBytes: "/").last,
      let kind = ArchiveAllowList.kind(ofFile: last), kind != .manifest
    else { return }
    let number = file["count"].flatMap { $0.int ?? $0.string.flatMap { Int($0) } }
    let count = number.flatMap { $0 >= 0 ? $0 : nil }
    // If a file is listed twice, the larger number is used.
    let known = counts[String(last)] ?? nil
    counts[String(last)] = .some([known, count].compactMap { $0 }.max())
  }
}
