import Foundation
import TestSupport
import ThreadModel

/// Invented posts and threads.
enum Invented {
  static let ada: Author = {
    var author = Author(id: AuthorID("1", on: .x), handle: "ada", name: "Ada Lovelace")
    author.url = "https://x.com/ada"
    return author
  }()

  static let babbage: Author = {
    var author = Author(id: AuthorID("2", on: .x), handle: "c_babbage", name: "Charles *Babbage*")
    author.url = "https://x.com/c_babbage"
    return author
  }()

  /// 2021-01-06T18:40:00Z plus a number of minutes.
  static func time(_ minutes: Int64) -> Timestamp { Timestamp(seconds: 1_609_958_400 + minutes * 60) }

  static func post(
    _ id: String, _ text: String, entities: [TextEntity] = [], language: String? = "en",
    author: Author = ada
  ) -> Post {
    var post = Post(
      id: PostID(id, on: .x), authorID: author.id, text: InlineText(text, entities: entities))
    post.language = language
    post.createdAt = time(Int64(id) ?? 0)
    post.url = "https://x.com/\(author.handle ?? "i")/status/\(id)"
    return post
  }

  static func thread(_ posts: [Post], author: Author = ada) -> UnrolledThread {
    thread(posts.map { .post(ThreadPost($0)) }, author: author)
  }

  static func thread(_ items: [ThreadItem], author: Author = ada) -> UnrolledThread {
    var thread = UnrolledThread(id: PostID("10", on: .x), author: author)
    thread.items = items
    thread.completeness = Completeness(known: items.count)
    return thread
  }

  static func photo(_ id: String, alt: String?) -> Media {
    var media = Media(id: id, kind: .photo, url: "https://pbs.example.com/media/\(id).jpg")
    media.altText = alt
    media.width = 1200
    media.height = 800
    return media
  }

  static func video(_ id: String, kind: MediaKind = .video, alt: String?) -> Media {
    var media = Media(id: id, kind: kind)
    media.altText = alt
    media.width = 640
    media.height = 360
    media.posterURL = "https://pbs.example.com/poster/\(id).jpg"
    media.variants = [
      MediaVariant(url: "https://video.example.com/\(id).m3u8", contentType: "application/x-mpegURL"),
      MediaVariant(
        url: "https://video.example.com/\(id)-low.mp4", contentType: "video/mp4",
        bitrate: kind == .gif ? 0 : 256_000),
    ]
    if kind == .video {
      media.variants.append(
        MediaVariant(
          url: "https://video.example.com/\(id).mp4?tag=1&x=_y_", contentType: "video/mp4", bitrate: 2_176_000
        ))
    }
    return media
  }

  /// The entity of the first occurrence of `part` in `text`.
  static func entity(_ part: String, in text: String, _ kind: TextEntity.Kind) -> TextEntity {
    guard let range = text.range(of: part) else { return TextEntity(0..<0, kind) }
    let start = text.unicodeScalars.distance(from: text.startIndex, to: range.lowerBound)
    return TextEntity(start..<start + part.unicodeScalars.count, kind)
  }
}
