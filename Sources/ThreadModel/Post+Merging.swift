extension Post {
  /// The same post from two sightings: each field from the later one, or from the other where that has none; files of media
  /// from an archive, where one has them.
  package func merged(with other: Post) -> Post {
    let (older, newer) = order.isAfter(other.order) ? (other, self) : (self, other)
    var result = newer.facts
    result.conversationID = newer.conversationID ?? older.conversationID
    result.createdAt = newer.createdAt ?? older.createdAt
    result.text = Self.fuller(newer: newer, older: older)
    result.title = newer.title ?? older.title
    result.language = newer.language ?? older.language
    result.url = newer.url ?? older.url
    result.inReplyTo = newer.inReplyTo ?? older.inReplyTo
    result.inReplyToAuthor = newer.inReplyToAuthor ?? older.inReplyToAuthor
    result.quotes = newer.quotes ?? older.quotes
    result.media = Self.merge(older: older.media, newer: newer.media)
    result.poll = Poll.merge(older: older.poll, newer: newer.poll)
    result.card = LinkCard.merge(older: older.card, newer: newer.card)
    result.metrics = newer.metrics.filled(from: older.metrics)
    result.isSensitive = newer.isSensitive || older.isSensitive
    result.contentWarning = newer.contentWarning ?? older.contentWarning
    result.editedAt = newer.editedAt ?? older.editedAt
    result.earlierVersions =
      newer.earlierVersions.isEmpty ? older.earlierVersions : newer.earlierVersions
    result.withheld = Withholding.merge(older: older.withheld, newer: newer.withheld)
    result.departure = Departure.merge(older: older, newer: newer)
    result.observedAt = newer.observedAt ?? older.observedAt
    result.archive = ArchiveSighting.merge(older.archive, newer.archive)
    result.extra = older.extra.merging(newer.extra) { _, new in new }
    result.text = result.textWithoutAttachments
    return Post(result)
  }

  private var order: SightingOrder { SightingOrder(archive: archive, observedAt: observedAt) }

  /// When it was last known to be there.
  var lastSeen: Timestamp? { Timestamp.later(observedAt, archive?.date) }

  /// Which of two texts of one post to keep.
  ///
  /// An edit makes the later text the right one; a later sighting that says nothing of an edit is none. Otherwise the author wrote one text, and the sighting which asked for
  /// more fields has more of it: entities, or the part beyond the length at which a network cuts.
  private static func fuller(newer: Post, older: Post) -> InlineText {
    if newer.text == older.text || older.text.isEmpty { return newer.text }
    // The network kept the words back.
    if newer.text.isEmpty, newer.withheld?.notice != nil { return older.text }
    if let edited = newer.editedAt, older.editedAt.map({ $0 < edited }) ?? true { return newer.text }
    if newer.text.isEmpty { return older.text }
    if newer.text.text.last == "…", older.text.text.utf8.count > newer.text.text.utf8.count,
      older.text.text.hasPrefix(newer.text.text.dropLast())
    {
      return older.text
    }
    return newer.text.entities.isEmpty && !older.text.entities.isEmpty ? older.text : newer.text
  }

  private static func merge(older: [Media], newer: [Media]) -> [Media] {
    guard !newer.isEmpty else { return older }
    let known = Dictionary(older.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let merged = newer.map { known[$0.id]?.merged(with: $0) ?? $0 }
    let present = Set(newer.map(\.id))
    return merged + older.filter { !present.contains($0.id) }
  }
}

extension Media {
  /// The same media from two sightings; `other`'s fields win where it has them.
  func merged(with other: Media) -> Media {
    var result = other
    result.url = other.url ?? url
    result.posterURL = other.posterURL ?? posterURL
    result.altText = other.altText ?? altText
    result.durationMilliseconds = other.durationMilliseconds ?? durationMilliseconds
    result.variants = other.variants.isEmpty ? variants : other.variants
    result.takeFile(from: self, or: other)
    result.posterFile = other.posterFile ?? posterFile
    result.extra = extra.merging(other.extra) { _, new in new }
    return result
  }

  /// The copy in the store, with what belongs to it: an archive's before any other, else the later.
  private mutating func takeFile(from older: Media, or newer: Media) {
    let isOlderBetter = older.isFileFromArchive && older.file != nil && !newer.isFileFromArchive
    let (first, second) = newer.file == nil || isOlderBetter ? (older, newer) : (newer, older)
    let isSame = first.file == second.file || second.file == nil || first.file == nil
    file = first.file ?? second.file
    isFileFromArchive = first.isFileFromArchive || (isSame && second.isFileFromArchive)
    sizes = first.sizes.isEmpty && isSame ? second.sizes : first.sizes
    // A file's own size is what a page shows; without one, what the later sighting said.
    let (size, spare) = first.file == nil ? (newer, older) : (first, second)
    width = size.width ?? spare.width
    height = size.height ?? spare.height
  }
}

extension Poll {
  /// The same poll from two sightings, votes kept where the later one hides them.
  static func merge(older: Poll?, newer: Poll?) -> Poll? {
    guard let older, let newer else { return newer ?? older }
    var result = newer
    result.id = newer.id ?? older.id
    if newer.options.isEmpty { result.options = older.options }
    if newer.options.count == older.options.count {
      for index in result.options.indices where result.options[index].votes == nil {
        result.options[index].votes = older.options[index].votes
      }
    }
    if newer.status == .unknown { result.status = older.status }
    result.endsAt = newer.endsAt ?? older.endsAt
    result.voters = newer.voters ?? older.voters
    result.extra = older.extra.merging(newer.extra) { _, new in new }
    return result
  }
}

extension LinkCard {
  static func merge(older: LinkCard?, newer: LinkCard?) -> LinkCard? {
    guard let older, let newer, older.url == newer.url else { return newer ?? older }
    var result = newer
    result.title = newer.title ?? older.title
    result.summary = newer.summary ?? older.summary
    if newer.imageURL == nil || newer.imageURL == older.imageURL {
      result.imageURL = older.imageURL
      result.imageWidth = newer.imageWidth ?? older.imageWidth
      result.imageHeight = newer.imageHeight ?? older.imageHeight
    }
    // A copy of another picture is none of this one.
    let isSamePicture = newer.imageURL == nil || newer.imageURL == older.imageURL
    result.imageFile = newer.imageFile ?? (isSamePicture ? older.imageFile : nil)
    return result
  }
}

extension Metrics {
  func filled(from other: Metrics) -> Metrics {
    Metrics(
      likes: likes ?? other.likes, replies: replies ?? other.replies, reposts: reposts ?? other.reposts,
      quotes: quotes ?? other.quotes, bookmarks: bookmarks ?? other.bookmarks, views: views ?? other.views)
  }
}

extension Author {
  /// The same author from two sightings: each field from the later one, or from the other where that has none.
  package func merged(with other: Author) -> Author {
    let (older, newer) = order.isAfter(other.order) ? (other, self) : (self, other)
    var result = newer
    result.handle = newer.handle ?? older.handle
    result.name = newer.name ?? older.name
    result.url = newer.url ?? older.url
    result.avatarURL = newer.avatarURL ?? older.avatarURL
    let isSamePicture = newer.avatarURL == nil || newer.avatarURL == older.avatarURL
    result.avatarFile = newer.avatarFile ?? (isSamePicture ? older.avatarFile : nil)
    result.bio = newer.bio ?? older.bio
    result.location = newer.location ?? older.location
    result.website = newer.website ?? older.website
    result.joinedAt = newer.joinedAt ?? older.joinedAt
    result.isProtected = newer.isProtected ?? older.isProtected
    result.isVerified = newer.isVerified ?? older.isVerified
    result.followers = newer.followers ?? older.followers
    result.following = newer.following ?? older.following
    result.posts = newer.posts ?? older.posts
    result.observedAt = newer.observedAt ?? older.observedAt
    result.archive = ArchiveSighting.merge(older.archive, newer.archive)
    result.extra = older.extra.merging(newer.extra) { _, new in new }
    return result
  }

  private var order: SightingOrder { SightingOrder(archive: archive, observedAt: observedAt) }
}

extension Departure {
  /// A post that was seen again has not gone.
  fileprivate static func merge(older: Post, newer: Post) -> Departure? {
    if let departure = newer.departure { return departure }
    guard let departure = older.departure else { return nil }
    guard let gone = departure.observedAt, let seen = newer.observedAt else { return departure }
    return seen > gone ? nil : departure
  }
}

extension Tombstone {
  /// The same tombstone from two sightings; what the network said beats that an archive does not hold it, which beats
  /// `unknown`.
  package func merged(with other: Tombstone) -> Tombstone {
    let (older, newer) = isStronger(than: other) ? (other, self) : (self, other)
    var result = newer
    result.authorID = newer.authorID ?? older.authorID
    result.handle = newer.handle ?? older.handle
    result.detail = newer.detail ?? older.detail
    result.observedAt = newer.observedAt ?? older.observedAt
    result.removedAt = Timestamp.later(removedAt, other.removedAt)
    return result
  }

  private func isStronger(than other: Tombstone) -> Bool {
    if reason.weight != other.reason.weight { return reason.weight > other.reason.weight }
    guard let mine = observedAt, let theirs = other.observedAt else { return false }
    return mine > theirs
  }
}

extension TombstoneReason {
  /// How much a reason says.
  fileprivate var weight: Int {
    switch self {
    case .unknown: 0
    case .notInArchive: 1
    default: 2
    }
  }
}
