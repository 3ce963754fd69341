import Basics
import NetworkSources

/// Recognizes the exports in which Meta gives users their posts on Threads. They are not imported.
///
/// The posts are in an export of Instagram, in `your_instagram_activity/threads/threads_and_replies.json`. Each has a text, a time and its
/// media, but no id, no URL and no reference to the post that it answers, so that no thread can be made from them.
enum InstagramExport {
  case json
  case html

  func refusal(of path: String) -> SourceError {
    let problem =
      "this is an Instagram export. Its posts of Threads have no ids, no URLs and no references to the posts that they answer, so they cannot be joined to threads"
    let hint = self == .html ? "; this is also true of an export as JSON" : ""
    return SourceError(
      export: path,
      "\(problem)\(hint). Save responses of the Threads API instead and import them (`threadsite help threads`)"
    )
  }

  /// In bytes.
  private static let head = 4096

  /// Returns the form of an export: a zip file, an unpacked folder, or its file of posts alone; `nil` for other files, and for files that
  /// cannot be read.
  static func form(of path: String) -> InstagramExport? {
    if FileSystem.isFolder(path) { return form(ofFolder: path) }
    if let form = form(ofEntry: path) { return form == .html || isListOfPosts(path) ? form : nil }
    // An error is reported when the file has to be read.
    if (try? PackedArchive.Format.of(path)) == .zip {
      let listing = try? PackedArchive(path: path, .zip, Rules()).list()
      return listing?.entries.lazy.compactMap { form(ofEntry: $0.path) }.first
    }
    return path.lowercased().hasByteSuffix(".json") && isListOfPosts(path) ? .json : nil
  }

  /// Returns the form of a file of posts, by its name: `threads_and_replies.json`, also with the number of a part.
  private static func form(ofEntry path: String) -> InstagramExport? {
    let name = PathText.name(of: path).lowercased()
    guard name.hasBytePrefix("threads_and_replies") else { return nil }
    return name.hasByteSuffix(".json") ? .json : name.hasByteSuffix(".html") ? .html : nil
  }

  private static func form(ofFolder folder: String) -> InstagramExport? {
    for place in ["your_instagram_activity/threads", "threads", "."] {
      // A folder that does not exist or cannot be listed has no posts.
      let names = (try? FileSystem.names(in: "\(folder)/\(place)")) ?? []
      for name in names.sorted() {
        guard let form = form(ofEntry: name) else { continue }
        if form == .html || isListOfPosts("\(folder)/\(place)/\(name)") { return form }
      }
    }
    return nil
  }

  /// Whether a file begins like a list of Threads in an export: `{"text_post_app_text_posts": […]}`, or a list of likes, of saved posts or of
  /// archived posts.
  private static func isListOfPosts(_ path: String) -> Bool {
    guard let file = try? OpenFile(path), let bytes = try? file.bytes(head, at: 0) else { return false }
    let start = String(decoding: bytes, as: UTF8.self).prefix(200).filter { !$0.isWhitespace }
    return start.hasPrefix("{\"text_post_app_") || start.hasPrefix("[{\"text_post_app_")
  }

  /// Only the names of files are read, and no file is opened.
  private struct Rules: ArchiveRules {
    let owner = "Instagram"

    /// Media may be repeated, unlike files of facts, and the listing reports only repetitions.
    func role(of path: String) -> ArchiveRole? { InstagramExport.form(ofEntry: path) == nil ? nil : .media }
    func enters(_ folder: String, depth: Int, beside names: [String]) -> Bool { false }
    func wouldRead(_ path: String, depth: Int) -> Bool { false }
  }
}
