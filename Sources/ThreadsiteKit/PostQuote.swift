import ThreadModel

/// A post that another post quotes or answers.
public indirect enum PostQuote: Sendable, Hashable {
  /// A post with the names of its author.
  case post(PostThread.Post, handle: String?, authorName: String?)
  /// A post that is not available: its ID, and the reason, such as "deleted", "protected" or "unknown".
  case missing(id: String, reason: String)

  init(_ quote: Quote) {
    switch quote {
    case .post(let post, let author, let inner):
      self = .post(
        PostThread.Post(post, quote: inner), handle: author?.handle, authorName: author?.name)
    case .tombstone(let tombstone, _):
      self = .missing(id: tombstone.id.value, reason: tombstone.reason.rawValue)
    }
  }
}
