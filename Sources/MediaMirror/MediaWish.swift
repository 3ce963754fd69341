import ThreadModel

/// A file that a conversation would like to have in the store.
struct MediaWish: Hashable, Sendable {
  /// Where its network has it; `nil` where nobody said.
  var url: String?
  /// What it has to be; `nil` for anything.
  var family: MediaType.Family?
  /// What the conversation believes to have, by name.
  var file: String?
  /// Whether smaller copies are wanted, too.
  var isPhoto = false
  /// The smaller copies that the conversation believes to have.
  var sizes: [MediaSize] = []

  /// Only where there is something to fetch or to look at.
  private init?(_ url: String?, _ family: MediaType.Family?, file: String?) {
    let url = url.flatMap { $0.isEmpty ? nil : $0 }
    guard url != nil || file != nil else { return nil }
    self.url = url
    self.family = family
    self.file = file
  }

  /// The photo; `nil` for a video, a GIF or a sound.
  init?(photo media: Media) {
    guard !media.isFilm, media.kind != .audio else { return nil }
    self.init(media.url, .image, file: media.file)
    isPhoto = true
    sizes = media.sizes
  }

  /// The video or GIF itself; `nil` for a photo, and where there is nothing but a stream. A GIF of some networks is a film, of others a
  /// picture.
  init?(film media: Media) {
    guard media.isFilm else { return nil }
    let url = media.variants.isEmpty ? media.url : media.bestVideo?.url
    self.init(url, media.kind == .gif ? nil : .video, file: media.file)
  }

  /// The sound; `nil` for all else.
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
  fileprivate var isFilm: Bool { kind == .video || kind == .gif }
}

/// What became of a wish.
struct GrantedWish: Sendable {
  var stored: StoredMedia
  /// Smaller copies, narrowest first.
  var sizes: [MediaSize] = []
}
