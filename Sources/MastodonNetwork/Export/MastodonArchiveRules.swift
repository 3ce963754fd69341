import NetworkSources
import UTF8Text

/// What of an archive of Mastodon's and its kin is opened: the posts, the account, its picture, and files of posts. Likes, bookmarks and lists of
/// people are not.
struct MastodonArchiveRules: ArchiveRules {
  let owner = "Mastodon"

  static let posts = "outbox.json"
  static let account = "actor.json"
  /// Folders that the archive itself may lie in.
  private static let deepest = 2

  func role(of path: String) -> ArchiveRole? {
    let parts = path.split(atBytes: "/")
    guard let name = parts.last, !PathText.isHidden(name) else { return nil }
    if parts.dropLast().contains(where: { $0 == ActivityNote.mediaFolder }) { return .media }
    guard parts.count <= Self.deepest + 1 else { return nil }
    if name == Self.posts || name == Self.account { return .facts }
    return name.hasBytePrefix("avatar.") ? .media : nil
  }

  func enters(_ folder: String, depth: Int, beside names: [String]) -> Bool {
    depth < Self.deepest || folder.split(atBytes: "/").contains { $0 == ActivityNote.mediaFolder }
  }

  func wouldRead(_ path: String, depth: Int) -> Bool {
    role(of: path) != nil || PathText.name(of: path) == ActivityNote.mediaFolder
  }
}
