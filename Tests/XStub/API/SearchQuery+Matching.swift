extension SearchQuery {
  func matches(_ post: StubPost, in world: StubWorld) -> Bool {
    switch self {
    case .all(let parts): parts.allSatisfy { $0.matches(post, in: world) }
    case .any(let parts): parts.contains { $0.matches(post, in: world) }
    case .not(let part): !part.matches(post, in: world)
    case .phrase(let phrase): Self.text(of: post).contains(phrase.lowercased())
    case .term(let name, let value): Self.matches(post, name, value, in: world)
    }
  }

  private static func matches(
    _ post: StubPost, _ name: String, _ value: String, in world: StubWorld
  ) -> Bool {
    let pieces = (post.note ?? post.text).pieces
    switch name {
    case "from": return isUser(value, post.author, in: world)
    case "to": return post.replyToUser.map { isUser(value, $0, in: world) } ?? false
    // A search for a conversation does not return its first post (x-api.md, "Unrolling").
    case "conversation_id": return post.conversation.description == value && post.isReply
    case "in_reply_to_tweet_id": return post.replyTo?.description == value
    case "quotes_of_tweet_id": return post.quotes?.description == value
    case "retweets_of":
      return post.reposts.flatMap { world.posts[$0] }.map { isUser(value, $0.author, in: world) } ?? false
    case "lang": return post.lang == value
    case "url":
      return pieces.contains { if case .link(let link) = $0 { link.expanded.contains(value) } else { false } }
    case "is": return isKind(value, post, in: world)
    case "has": return has(value, post)
    default: return matchesWord(value, post)
    }
  }

  private static func isUser(_ name: String, _ id: StubID, in world: StubWorld) -> Bool {
    name == id.description
      || world.user(named: name.hasPrefix("@") ? String(name.dropFirst()) : name)?.id == id
  }

  private static func isKind(_ kind: String, _ post: StubPost, in world: StubWorld) -> Bool {
    switch kind {
    case "retweet": post.reposts != nil
    case "reply": post.isReply
    case "quote": post.quotes != nil
    default: world.users[post.author]?.verified ?? false
    }
  }

  private static func has(_ what: String, _ post: StubPost) -> Bool {
    let pieces = post.text.pieces
    switch what {
    case "media": return !post.media.isEmpty
    case "images": return post.media.contains { $0.kind == .photo }
    case "videos", "video_link": return post.media.contains { $0.kind == .video }
    case "links":
      return post.mediaLink != nil || post.quoteLink != nil
        || pieces.contains { if case .link = $0 { true } else { false } }
    case "hashtags": return pieces.contains { if case .hashtag = $0 { true } else { false } }
    default: return !post.text.mentions.isEmpty
    }
  }

  private static func text(of post: StubPost) -> String { (post.note ?? post.text).plain.lowercased() }

  private static func matchesWord(_ word: String, _ post: StubPost) -> Bool {
    let words = text(of: post).split { !($0.isLetter || $0.isNumber || "#@$_".contains($0)) }
    let wanted = word.lowercased()
    return words.contains {
      $0 == wanted
        || !"#@$".contains(wanted.first ?? " ") && $0.dropFirst() == wanted && "#@$".contains($0.first ?? " ")
    }
  }
}
