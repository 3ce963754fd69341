import ThreadModel

/// What a conversation or a profile would like to have, and how what was granted is written into it: the two go through the same
/// places.
struct MediaWishList {
  let videos: Bool

  func wishes(of conversation: Conversation) -> [MediaWish] {
    let posts = conversation.posts + conversation.related
    return posts.flatMap(wishes) + wishes(of: conversation.authors)
  }

  func wishes(of authors: [Author]) -> [MediaWish] {
    authors.flatMap { [MediaWish(avatarOf: $0)] + $0.emoji.map { MediaWish($0) } }.compactMap(\.self)
  }

  private func wishes(of post: Post) -> [MediaWish] {
    let media = post.media.flatMap { media in
      // Without the film there is nothing that its captions could go with.
      [main(of: media), MediaWish(posterOf: media)] + (videos ? media.captions.map { MediaWish($0) } : [])
    }
    let emoji = post.emoji.map { MediaWish($0) }
    return (media + [post.card.flatMap(MediaWish.init(imageOf:))] + emoji).compactMap { $0 }
  }

  /// The file that the medium is.
  private func main(of media: Media) -> MediaWish? {
    MediaWish(photo: media) ?? MediaWish(sound: media) ?? (videos ? MediaWish(film: media) : nil)
  }

  func fill(_ conversation: inout Conversation, from granted: [MediaWish: GrantedWish]) {
    for index in conversation.posts.indices { fill(&conversation.posts[index], from: granted) }
    for index in conversation.related.indices { fill(&conversation.related[index], from: granted) }
    fill(&conversation.authors, from: granted)
  }

  func fill(_ authors: inout [Author], from granted: [MediaWish: GrantedWish]) {
    for index in authors.indices {
      fill(&authors[index].emoji, from: granted)
      guard let wish = MediaWish(avatarOf: authors[index]) else { continue }
      authors[index].avatarFile = granted[wish]?.stored.name
    }
  }

  /// Sets what changes and nothing else: to set a fact copies the post.
  private func fill(_ post: inout Post, from granted: [MediaWish: GrantedWish]) {
    var media = post.media
    for index in media.indices { fill(&media[index], from: granted) }
    if media != post.media { post.media = media }
    var emoji = post.emoji
    fill(&emoji, from: granted)
    if emoji != post.emoji { post.emoji = emoji }
    guard var card = post.card, let wish = MediaWish(imageOf: card) else { return }
    let image = granted[wish]?.stored
    card.imageFile = image?.name
    card.imageWidth = image?.shape.width ?? card.imageWidth
    card.imageHeight = image?.shape.height ?? card.imageHeight
    if card != post.card { post.card = card }
  }

  private func fill(_ emoji: inout [CustomEmoji], from granted: [MediaWish: GrantedWish]) {
    for index in emoji.indices {
      guard let wish = MediaWish(emoji[index]) else { continue }
      emoji[index].file = granted[wish]?.stored.name
    }
  }

  private func fill(_ media: inout Media, from granted: [MediaWish: GrantedWish]) {
    let poster = MediaWish(posterOf: media)
    let main = main(of: media)
    if let poster {
      let file = granted[poster]
      media.posterFile = file?.stored.name
      // Better than nothing: a poster has the film's proportions.
      if media.width == nil || media.height == nil { media.setShape(file?.stored.shape) }
    }
    if videos {
      for index in media.captions.indices {
        guard let wish = MediaWish(media.captions[index]) else { continue }
        media.captions[index].file = granted[wish]?.stored.name
      }
    }
    if let main {
      let file = granted[main]
      media.file = file?.stored.name
      media.sizes = file?.sizes ?? []
      media.setShape(file?.stored.shape)
      media.durationMilliseconds = media.durationMilliseconds ?? file?.stored.shape.durationMilliseconds
    }
  }
}

extension Media {
  fileprivate mutating func setShape(_ shape: MediaShape?) {
    // A sound has none; the size of its picture stays.
    guard let shape, shape.width > 0 else { return }
    width = shape.width
    height = shape.height
  }
}

extension Conversation {
  /// The names of all files in the store's media folder that this conversation mentions.
  package var mediaFiles: Set<String> {
    var names = Set(authors.flatMap(\.mediaFiles))
    for post in posts + related {
      names.formUnion(post.emoji.compactMap(\.file))
      for media in post.media {
        names.formUnion([media.file, media.posterFile].compactMap { $0 } + media.sizes.map(\.file))
        names.formUnion(media.captions.compactMap(\.file))
      }
      if let image = post.card?.imageFile { names.insert(image) }
    }
    return names
  }
}

extension Profile {
  /// The names of all files in the store's media folder that this profile mentions.
  package var mediaFiles: Set<String> { Set(([author] + followers).flatMap(\.mediaFiles)) }
}

extension Author {
  fileprivate var mediaFiles: [String] { ([avatarFile] + emoji.map(\.file)).compactMap(\.self) }
}
