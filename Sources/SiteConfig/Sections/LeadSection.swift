extension SiteConfig {
  /// The thread that the home page shows first, and larger than the others.
  package enum Lead: Sendable, Equatable {
    case newest
    /// The thread with the post that has the most likes.
    case liked
    /// A thread, by any of its posts.
    case thread(PostReference)

    /// The thread that the owner chose; `nil` if the program chooses it.
    package var reference: PostReference? { if case .thread(let post) = self { post } else { nil } }
  }
}

extension ValueReader where Value == SiteConfig.Lead {
  /// A word, or the URL of a post, whose position is remembered for the stage that looks it up.
  static var lead: ValueReader {
    .remembered(
      .addressed("newest, liked or the URL of a post") { (text, addresses) throws(InvalidValue) in
        switch text {
        case "newest": return .newest
        case "liked": return .liked
        default:
          guard text.contains("/") else {
            throw InvalidValue("expected newest, liked or the URL of a post, found \(quoted(text))")
          }
          return .thread(try addresses.post(text))
        }
      })
  }
}
