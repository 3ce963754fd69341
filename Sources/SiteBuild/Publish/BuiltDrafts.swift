import Basics
import SiteWorkspace

/// The record of the output folders whose site has drafts, because `build --drafts` wrote it. Without the record, the drafts of a preview
/// could be published by mistake.
struct BuiltDrafts: Sendable {
  private let file: String

  init(of site: SiteFolder) { file = site.path + "/.threadsite/drafts" }

  private var folders: Set<String> {
    // An unreadable record is treated like none; `publish` then warns that the site is out of date.
    let bytes = (try? FileBytes.read(file)) ?? []
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// Whether the site in an output folder has drafts.
  func includes(_ output: String) -> Bool { folders.contains(output) }

  /// Records whether the site in an output folder has drafts.
  func record(_ output: String, hasDrafts: Bool) throws(FileError) {
    let before = folders
    let after = hasDrafts ? before.union([output]) : before.subtracting([output])
    guard after != before else { return }
    guard !after.isEmpty else { return try FileSystem.remove(file) }
    try FileSystem.makeFolders(PathText.folder(of: file).map(String.init) ?? "/")
    try AtomicFile.write(Array(after.sorted().map { $0 + "\n" }.joined().utf8), to: file)
  }
}
