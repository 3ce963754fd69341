import Basics
import NetworkSources

/// The likes in an archive of X: `data/like.js`, whose elements have the id of the post, its text and a URL
/// (`{"like": {"tweetId": "…", "fullText": "…", "expandedUrl": "…"}}`). An archive has no bookmarks.
struct ArchiveLikes {
  let path: String

  /// Reads the likes in the order of the archive, which is latest first.
  func list() throws(SourceError) -> ReadingList {
    let rules = ArchiveLikesRules()
    let source: any ArchiveSource =
      FileSystem.isFolder(path) ? FolderArchive(path: path, rules) : PackedArchive(path: path, .zip, rules)
    let files = try source.list().entries.map(\.path).sorted(by: ArchiveAllowList.precedes)
    guard !files.isEmpty else {
      throw SourceError(export: path, "contains no likes: there is no data/like.js in it")
    }
    var parts: [String: ReadingList] = [:]
    try source.read(Set(files)) { (entry, content) throws(SourceError) in
      var elements = ScriptElements(archive: path, entry: entry.path)
      var (list, count) = (ReadingList(), 0)
      while let bytes = try content.next() {
        count += bytes.count
        guard count <= XArchiveLimits.postsFile else {
          throw SourceError(export: path, entry.path, "is too large for a file of likes from X")
        }
        try elements.feed(bytes) { reader throws(JSONError) in list.add(Self.entry(try reader.readValue())) }
      }
      if let cut = elements.cut {
        list.shortfalls = ["\(path)/\(entry.path):\(cut.line):\(cut.column): error: \(cut.message)"]
      }
      parts[entry.path] = list
    }
    var list = ReadingList()
    for file in files { if let part = parts[file] { list.append(part) } }
    return list
  }

  private static func entry(_ element: JSONValue) -> ReadingList.Entry? {
    guard let like = element["like"], let id = like["tweetId"]?.string, XID.isValid(id) else { return nil }
    let text = like["fullText"]?.string.map { text in
      var plain = String.UnicodeScalarView()
      plain.append(contentsOf: XTextEscaping.unescape(Array(text.unicodeScalars)[...]))
      return String(plain)
    }
    return ReadingList.Entry(url: "https://x.com/i/status/\(id)", text: text)
  }
}

/// The rules for reading only the likes: `like.js` and its parts, in the folder of the data.
private struct ArchiveLikesRules: ArchiveRules {
  let owner = "X"

  func role(of path: String) -> ArchiveRole? {
    let parts = path.split(atBytes: "/")
    guard parts.count <= 3, let name = parts.last, !PathText.isHidden(name),
      ["like", "likes"].contains(ArchiveAllowList.stem(name)?.base)
    else { return nil }
    return .facts
  }

  func enters(_ folder: String, depth: Int, beside names: [String]) -> Bool { depth < 2 }

  func wouldRead(_ path: String, depth: Int) -> Bool {
    role(of: path) != nil || PathText.name(of: path) == "data" && depth < 2
  }
}
