import Foundation
import MediaMirror
import TestSupport
import ThreadModel
import ThreadStore
import XNetwork

/// A store in an empty folder, a network in memory, and conversations to mirror.
struct MirrorBench {
  let folder: TemporaryFolder
  let network = FakeTransport()
  var options = MediaMirrorOptions()

  init() throws {
    folder = try TemporaryFolder()
    options.networks = [XLinks()]
  }

  var store: ThreadStore { ThreadStore(folder: folder.path) }

  /// A new mirror, as in a new run.
  func mirror() throws -> MediaMirror {
    try MediaMirror(store: store, transport: network, options: options)
  }

  /// The media folder's files without temporary files.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path + "/media").filter { !$0.hasPrefix(".") }
      .sorted()
  }

  /// The remaining temporary files.
  func unfinished() throws -> [String] {
    try folder.tree("media/.incoming").keys.filter { $0 != ".gitignore" && $0 != "sources" }.sorted()
  }

  static func conversation(_ posts: [Post], authors: [Author] = []) -> Conversation {
    var conversation = Conversation(id: PostID("1", on: .x), authorID: AuthorID("7", on: .x))
    conversation.posts = posts
    conversation.authors = authors
    return conversation
  }

  static func post(_ id: String, media: [Media] = [], card: LinkCard? = nil) -> Post {
    var post = Post(id: PostID(id, on: .x), authorID: AuthorID("7", on: .x))
    post.media = media
    post.card = card
    return post
  }

  static func photo(_ url: String) -> Media { Media(id: url, kind: .photo, url: url) }

  static func film(_ kind: MediaKind, _ variants: [MediaVariant], poster: String? = nil) -> Media {
    var media = Media(id: "13_1", kind: kind)
    media.variants = variants
    media.posterURL = poster
    return media
  }

  /// A conversation of one post with these photos.
  static func photos(_ urls: String...) -> Conversation { conversation([post("1", media: urls.map(photo))]) }
}

extension Conversation {
  /// All media, in order.
  var media: [Media] { (posts + related).flatMap(\.media) }
}
