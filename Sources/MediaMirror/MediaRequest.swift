import ThreadModel

/// A file that a conversation or a profile needs in the store.
struct MediaRequest: Hashable, Sendable {
  /// The URL of the file at its network; `nil` if it is unknown.
  var url: String?
  /// The required family; `nil` for any.
  var family: MediaType.Family?
  /// The name of the copy according to the conversation. The store may lack the file.
  var file: String?
  /// Whether smaller copies are also wanted.
  var isPhoto = false
  /// The smaller copies according to the conversation. The store may lack the files.
  var sizes: [MediaSize] = []

  /// Returns `nil` if there is neither a URL to fetch nor a file to check.
  private init?(_ url: String?, _ family: MediaType.Family?, file: String?) {
    let url = url.flatMap { $0.isEmpty ? nil : $0 }
    guard url != nil || file != nil else { return nil }
    self.url = url
    self.family = family
    self.file = file
  }

  /// The request for a photo; `nil` for a video, a GIF or a sound.
  init?(photo media: Media) {
    guard !media.isVideo, media.kind != .audio else { return nil }
    self.init(media.url, .image, file: media.file)
    isPhoto = true
    sizes = media.sizes
  }

  /// The request for a video or GIF itself; `nil` for a photo, or if the video is available only as a stream. A GIF is a video on some networks and a
  /// picture on others.
  init?(video media: Media) {
    guard media.isVideo else { return nil }
    let url = media.variants.isEmpty ? media.url : media.bestVideo?.url
    self.init(url, media.kind == .gif ? nil : .video, file: media.file)
  }

  /// The request for a sound; `nil` for all other media.
  init?(sound media: Media) {
    guard media.kind == .audio else { return nil }
    self.init(media.url, .audio, file: media.file)
  }

  init?(_ captions: MediaCaptions) { self.init(captions.url, .captions, file: captions.file) }

  init?(posterOf media: Media) { self.init(media.posterURL, .image, file: media.posterFile) }

  init?(avatarOf author: Author) { self.init(author.avatarURL, .image, file: author.avatarFile) }

  init?(_ emoji: CustomEmoji) { self.init(emoji.url, .image, file: emoji.file) }

  init?(imageOf card: LinkCard) { self.init(card.imageURL, .image, file: card.imageFile) }
}

extension Media {
  fileprivate var isVideo: Bool { kind == .video || kind == .gif }
}

/// The result of a request.
struct ResolvedMedia: Sendable {
  var stored: StoredMedia
  /// Smaller copies, narrowest first.
  var sizes: [MediaSize] = []
}

/// Lists the files that a conversation or a profile needs, and writes the resolved files into it. Both tasks are in one type because they visit the
/// same properties.
struct MediaRequestList {
  let videos: Bool

  func requests(of conversation: Conversation) -> [MediaRequest] {
    let posts = conversation.posts + conversation.related
    return posts.flatMap(requests) + requests(of: conversation.authors)
  }

  func requests(of authors: [Author]) -> [MediaRequest] {
    authors.flatMap { [MediaRequest(avatarOf: $0)] + $0.emoji.map { MediaRequest($0) } }.compactMap(\.self)
  }

  private func requests(of post: Post) -> [MediaRequest] {
    let media = post.media.flatMap { media in
      // Captions are useful only with the video.
      [main(of: media), MediaRequest(posterOf: media)]
        + (videos ? media.captions.map { MediaRequest($0) } : [])
    }
    let emoji = post.emoji.map { MediaRequest($0) }
    return (media + [post.card.flatMap(MediaRequest.init(imageOf:))] + emoji).compactMap { $0 }
  }

  /// Returns the request for the media item itself, without its poster.
  private func main(of media: Media) -> MediaRequest? {
    MediaRequest(photo: media) ?? MediaRequest(sound: media) ?? (videos ? MediaRequest(video: media) : nil)
  }

  func fill(_ conversation: inout Conversation, from resolved: [MediaRequest: ResolvedMedia]) {
    for index in conversation.posts.indices { fill(&conversation.posts[index], from: resolved) }
    for index in conversation.related.indices { fill(&conversation.related[index], from: resolved) }
    fill(&conversation.authors, from: resolved)
  }

  func fill(_ authors: inout [Author], from resolved: [MediaRequest: ResolvedMedia]) {
    for index in authors.indices {
      fill(&authors[index].emoji, from: resolved)
      guard let request = MediaRequest(avatarOf: authors[index]) else { continue }
      authors[index].avatarFile = resolved[request]?.stored.name
    }
  }

  /// Sets only properties that change, because setting a property copies the post.
  private func fill(_ post: inout Post, from resolved: [MediaRequest: ResolvedMedia]) {
    var media = post.media
    for index in media.indices { fill(&media[index], from: resolved) }
    if media != post.media { post.media = media }
    var emoji = post.emoji
    fill(&emoji, from: resolved)
    if emoji != post.emoji { post.emoji = emoji }
    guard var card = post.card, let request = MediaRequest(imageOf: card) else { return }
    let image = resolved[request]?.stored
    card.imageFile = image?.name
    card.imageWidth = image?.shape.width ?? card.imageWidth
    card.imageHeight = image?.shape.height ?? card.imageHeight
    if card != post.card { post.card = card }
  }

  private func fill(_ emoji: inout [CustomEmoji], from resolved: [MediaRequest: ResolvedMedia]) {
    for index in emoji.indices {
      guard let request = MediaRequest(emoji[index]) else { continue }
      emoji[index].file = resolved[request]?.stored.name
    }
  }

  private func fill(_ media: inout Media, from resolved: [MediaRequest: ResolvedMedia]) {
    let poster = MediaRequest(posterOf: media)
    let main = main(of: media)
    if let poster {
      let file = resolved[poster]
      media.posterFile = file?.stored.name
      // Until the video's size is known, the poster's size is used, because it has the same proportions.
      if media.width == nil || media.height == nil { media.setShape(file?.stored.shape) }
    }
    if videos {
      for index in media.captions.indices {
        guard let request = MediaRequest(media.captions[index]) else { continue }
        media.captions[index].file = resolved[request]?.stored.name
      }
    }
    if let main {
      let file = resolved[main]
      media.file = file?.stored.name
      media.sizes = file?.sizes ?? []
      media.setShape(file?.stored.shape)
      media.durationMilliseconds = media.durationMilliseconds ?? file?.stored.shape.durationMilliseconds
    }
  }
}

extension Media {
  fileprivate mutating func setShape(_ shape: MediaDimensions?) {
    // A sound has no size, so the size of its picture stays.
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
