import JSONText
import ThreadModel
import UTF8Text

/// What `manifest.js` says: whose archive it is, when X made it, and which files it has.
struct ArchiveManifest: Sendable {
  private(set) var accountID: String?
  private(set) var handle: String?
  private(set) var name: String?
  /// When X made the archive.
  private(set) var generationDate: Timestamp?
  /// Whether X says that the archive does not hold all.
  private(set) var isPartial = false
  /// The entries that each file should have, by the file's name without its folder; `nil` where the manifest gives no number. Only files
  /// that may be opened are here.
  private(set) var counts: [String: Int?] = [:]

  /// Takes the object that the file assigns: `userInfo`, `archiveInfo`, and by their kinds `dataTypes.….files` with `fileName` and
  /// `count`, a string of digits.
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
    // Of a file that is listed twice the larger number counts.
    let known = counts[String(last)] ?? nil
    counts[String(last)] = .some([known, count].compactMap { $0 }.max())
  }
}
