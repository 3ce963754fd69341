extension Post {
  /// The same post from two sightings: each field from the later one, or from the other where that has none; files of media
  /// from an archive, where one has them.
  ///
  /// The same whichever of them comes first, and however several are grouped (`FieldMerge`).
  package func merged(with other: Post) -> Post {
    if storage === other.storage { return self }
    let (one, other) = (facts, other.facts)
    var merge = FieldMerge(one.side, other.side)
    var result = Facts(
      id: one.id, authorID: merge.pick("author_id", one.authorID, other.authorID) ?? one.authorID)
    result.conversationID = merge.pick("conversation_id", one.conversationID, other.conversationID)
    // The first time that is known: an edit makes later ones.
    result.createdAt = Timestamp.earlier(one.createdAt, other.createdAt)
    result.title = merge.pick("title", one.title, other.title)
    result.language = merge.pick("language", one.language, other.language)
    result.url = merge.pick("url", one.url, other.url)
    result.inReplyTo = merge.pick("in_reply_to", one.inReplyTo, other.inReplyTo)
    result.inReplyToAuthor = merge.pick("in_reply_to_author", one.inReplyToAuthor, other.inReplyToAuthor)
    result.quotes = merge.pick("quotes", one.quotes, other.quotes)
    result.media = Media.merge(one.media, other.media, &merge)
    result.poll = Poll.merge(one.poll, other.poll, &merge)
    result.card = LinkCard.merge(one.card, other.card, &merge)
    result.metrics = Metrics.merge(one.metrics, other.metrics, &merge)
    result.emoji = CustomEmoji.merge(one.emoji, other.emoji, &merge)
    result.isSensitive = one.isSensitive || other.isSensitive
    result.contentWarning = merge.pick("content_warning", one.contentWarning, other.contentWarning)
    result.warnings = merge.pick("warnings", one.warnings, other.warnings)
    result.earlierVersions =
      one.earlierVersions == other.earlierVersions
      ? one.earlierVersions : Set(one.earlierVersions + other.earlierVersions).sorted()
    (result.text, result.editedAt) = Self.fuller(
      Text(one, in: result), Text(other, in: result), &merge)
    result.withheld = Withholding.merge(one.withheld, other.withheld, &merge)
    result.observedAt = Timestamp.later(one.observedAt, other.observedAt)
    result.departure = Departure.merge(one.departure, other.departure, seenAt: result.observedAt)
    result.archive = ArchiveSighting.merge(one.archive, other.archive)
    result.extra = merge.pick("extra", one.extra, other.extra)
    result.older = merge.older
    return Post(result)
  }

  /// When it was last known to be there.
  var lastSeen: Timestamp? { Timestamp.later(observedAt, archive?.date) }

  /// Which of two texts of one post to keep, with the time of the edit that made it.
  ///
  /// An edit makes the later text the right one; a later sighting that says nothing of an edit is none. Otherwise the author wrote one
  /// text, and the sighting which asked for more fields has more of it: the part beyond the length at which a network cuts, which
  /// leaves an ellipsis, or entities.
  private static func fuller(_ one: Text?, _ other: Text?, _ merge: inout FieldMerge) -> (
    InlineText, Timestamp?
  ) {
    let kept = merge.pick("text", one, other) { one, other in
      one.rank == other.rank ? nil : one.rank < other.rank
    }
    return (kept?.text ?? InlineText(""), kept?.editedAt)
  }
}

/// The text of a sighting, with the time of the edit that made it.
private struct Text: Hashable {
  var text: InlineText
  var editedAt: Timestamp?

  /// - Parameter post: what both sightings know of the post: a text that shows the addresses of what is attached says no more than one
  ///   that does not.
  init?(_ facts: Post.Facts, in post: Post.Facts) {
    if facts.text.isEmpty, facts.editedAt == nil { return nil }
    text = post.withoutAttachments(facts.text)
    editedAt = facts.editedAt
  }

  static func == (lhs: Text, rhs: Text) -> Bool {
    lhs.editedAt == rhs.editedAt && CanonicalText.isSame(lhs.text, rhs.text)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// What counts more than when it was seen, the weightiest first.
  var rank: (Int, Int64, Int, Int) {
    (
      text.isEmpty ? 0 : 1, editedAt?.milliseconds ?? .min, text.text.last == "…" ? 0 : 1,
      text.entities.isEmpty ? 0 : 1
    )
  }
}

extension Post.Facts {
  fileprivate var side: FieldMerge.Side {
    FieldMerge.Side(time: SightingTime(archive: archive, observedAt: observedAt), older: older)
  }
}

extension Timestamp {
  /// The earlier of two times, or the one that is known.
  fileprivate static func earlier(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}

// MARK: Attachments

extension Media {
  /// All media that either sighting has, each merged, in the order of their places.
  static func merge(_ one: [Media], _ other: [Media], _ merge: inout FieldMerge) -> [Media] {
    if one.isEmpty, other.isEmpty { return [] }
    func places(_ media: [Media]) -> [String: (place: Int, media: Media)] {
      Dictionary(
        media.enumerated().map { ($1.id, ($1.position ?? $0, $1)) }, uniquingKeysWith: { first, _ in first })
    }
    let (first, second) = (places(one), places(other))
    var result: [(place: Int, media: Media)] = []
    for id in Set(first.keys).union(second.keys) {
      let place = [first[id]?.place, second[id]?.place].compactMap { $0 }.min() ?? 0
      result.append((place, Media(id, first[id]?.media, second[id]?.media, &merge)))
    }
    result.sort {
      $0.place == $1.place
        ? $0.media.id.utf8.lexicographicallyPrecedes($1.media.id.utf8) : $0.place < $1.place
    }
    return result.enumerated().map { index, item in
      var media = item.media
      media.position = item.place == index ? nil : item.place
      return media
    }
  }

  /// The same media from two sightings, of which one may not have it.
  private init(_ id: String, _ one: Media?, _ other: Media?, _ merge: inout FieldMerge) {
    func field(_ name: String) -> String { "media.\(id).\(name)" }
    // What kind it is may not have been said.
    let kinds = [one, other].map { $0?.kind == "unknown" ? nil : $0?.kind }
    self.init(
      id: id, kind: merge.pick(field("kind"), kinds[0], kinds[1]) ?? "unknown",
      url: merge.pick(field("url"), one?.url, other?.url))
    posterURL = merge.pick(field("poster_url"), one?.posterURL, other?.posterURL)
    altText = merge.pick(field("alt_text"), one?.altText, other?.altText)
    durationMilliseconds = merge.pick(
      field("duration_ms"), one?.durationMilliseconds, other?.durationMilliseconds)
    variants = merge.pick(field("variants"), one?.variants ?? [], other?.variants ?? [])
    captions = MediaCaptions.merge(field("captions"), one?.captions ?? [], other?.captions ?? [], &merge)
    posterFile = merge.copy(one?.posterFile, other?.posterFile)
    extra = merge.pick(field("extra"), one?.extra ?? [:], other?.extra ?? [:])
    let size = Size(
      width: merge.pick(field("width"), one?.width, other?.width),
      height: merge.pick(field("height"), one?.height, other?.height))
    takeFile(one, other, size, merge)
  }

  private struct Size {
    var width: Int?
    var height: Int?
  }

  /// The copy in the store, with what belongs to it: an archive's before any other, else the later.
  ///
  /// - Parameter size: what the network says; a file's own size is what a page shows.
  private mutating func takeFile(_ one: Media?, _ other: Media?, _ size: Size, _ merge: FieldMerge) {
    isFileFromArchive = one?.isFileFromArchive == true || other?.isFileFromArchive == true
    (width, height) = (size.width, size.height)
    guard let one, let other else {
      (file, sizes) = (one?.file ?? other?.file, one?.sizes ?? other?.sizes ?? [])
      return
    }
    guard let mine = one.file, let theirs = other.file, mine != theirs else {
      file = one.file ?? other.file
      sizes = merge.copy(one.sizes.isEmpty ? nil : one.sizes, other.sizes.isEmpty ? nil : other.sizes) ?? []
      if one.file != other.file {
        let holder = one.file == nil ? other : one
        isFileFromArchive = holder.isFileFromArchive
        sizes = holder.sizes
        (width, height) = (holder.width ?? size.width, holder.height ?? size.height)
      }
      return
    }
    let isOther =
      one.isFileFromArchive != other.isFileFromArchive
      ? other.isFileFromArchive : merge.isSecondLater(mine, theirs)
    let kept = isOther ? other : one
    (file, isFileFromArchive, sizes) = (kept.file, kept.isFileFromArchive, kept.sizes)
    (width, height) = (kept.width ?? size.width, kept.height ?? size.height)
  }
}

extension MediaCaptions {
  /// The captions that were seen last, with the copies of what is at the same place.
  fileprivate static func merge(
    _ field: String, _ one: [MediaCaptions], _ other: [MediaCaptions], _ merge: inout FieldMerge
  ) -> [MediaCaptions] {
    func withoutCopies(_ captions: [MediaCaptions]) -> [MediaCaptions] {
      captions.map { MediaCaptions(language: $0.language, url: $0.url) }
    }
    return merge.pick(field, withoutCopies(one), withoutCopies(other)).map { captions in
      var captions = captions
      func file(_ all: [MediaCaptions]) -> String? { all.first { $0.url == captions.url }?.file }
      captions.file = merge.copy(file(one), file(other))
      return captions
    }
  }
}

extension Poll {
  /// The same poll from two sightings, votes kept where the later one hides them. An option is known by its place.
  static func merge(_ one: Poll?, _ other: Poll?, _ merge: inout FieldMerge) -> Poll? {
    guard one != nil || other != nil else { return nil }
    var options: [PollOption] = []
    for index in 0..<max(one?.options.count ?? 0, other?.options.count ?? 0) {
      let (mine, theirs) = (one?.option(index), other?.option(index))
      options.append(
        PollOption(
          merge.pick("poll.options.\(index).label", mine?.label, theirs?.label) ?? "",
          votes: merge.pick("poll.options.\(index).votes", mine?.votes, theirs?.votes)))
    }
    let known = [one, other].map { $0?.status == .unknown ? nil : $0?.status }
    var result = Poll(
      options: options, status: merge.pick("poll.status", known[0], known[1]) ?? .unknown,
      endsAt: merge.pick("poll.ends_at", one?.endsAt, other?.endsAt))
    result.id = merge.pick("poll.id", one?.id, other?.id)
    result.voters = merge.pick("poll.voters", one?.voters, other?.voters)
    result.allowsMultiple = one?.allowsMultiple == true || other?.allowsMultiple == true
    result.extra = merge.pick("poll.extra", one?.extra ?? [:], other?.extra ?? [:])
    return result
  }

  private func option(_ index: Int) -> PollOption? { options.indices.contains(index) ? options[index] : nil }
}

extension LinkCard {
  /// The same card from two sightings, field by field.
  ///
  /// Of the cards of two pages the one is kept whose address sorts last: a post shows one, nothing tells which its network
  /// showed, and fields of different pages must not be mixed.
  static func merge(_ one: LinkCard?, _ other: LinkCard?, _ merge: inout FieldMerge) -> LinkCard? {
    guard let url = [one?.url, other?.url].compactMap({ $0 }).max(by: CanonicalText.precedes) else {
      return nil
    }
    let (one, other) = (one?.url == url ? one : nil, other?.url == url ? other : nil)
    var result = LinkCard(url: url)
    result.title = merge.pick("card.title", one?.title, other?.title)
    result.summary = merge.pick("card.summary", one?.summary, other?.summary)
    result.imageURL = merge.pick("card.image_url", one?.imageURL, other?.imageURL)
    // What belongs to another picture is none of this one's.
    let (first, second) = (
      one?.imageURL == result.imageURL ? one : nil, other?.imageURL == result.imageURL ? other : nil
    )
    result.imageWidth = merge.pick("card.image_width", first?.imageWidth, second?.imageWidth)
    result.imageHeight = merge.pick("card.image_height", first?.imageHeight, second?.imageHeight)
    result.imageFile = merge.copy(first?.imageFile, second?.imageFile)
    return result
  }
}

extension Metrics {
  static func merge(_ one: Metrics, _ other: Metrics, _ merge: inout FieldMerge) -> Metrics {
    Metrics(
      likes: merge.pick("metrics.likes", one.likes, other.likes),
      replies: merge.pick("metrics.replies", one.replies, other.replies),
      reposts: merge.pick("metrics.reposts", one.reposts, other.reposts),
      quotes: merge.pick("metrics.quotes", one.quotes, other.quotes),
      bookmarks: merge.pick("metrics.bookmarks", one.bookmarks, other.bookmarks),
      views: merge.pick("metrics.views", one.views, other.views))
  }
}

// MARK: Authors

extension Author {
  /// The same author from two sightings: each field from the later one, or from the other where that has none.
  ///
  /// Where an account was found closed, what either knew of before that is dropped.
  package func merged(with other: Author) -> Author {
    guard let departure = Departure.later(departure, other.departure) else { return joined(with: other) }
    var result = forgetting(before: departure).joined(with: other.forgetting(before: departure))
    result.departure = departure
    return result
  }

  private func forgetting(before departure: Departure) -> Author {
    guard let end = departure.observedAt, let observedAt, observedAt > end else {
      return departed(departure)
    }
    return self
  }

  private func joined(with other: Author) -> Author {
    var merge = FieldMerge(side, other.side)
    var result = Author(
      id: id, handle: merge.pick("handle", handle, other.handle), name: merge.pick("name", name, other.name))
    result.url = merge.pick("url", url, other.url)
    result.avatarURL = merge.pick("avatar_url", avatarURL, other.avatarURL)
    // A copy of another picture is none of this one.
    result.avatarFile = merge.copy(
      avatarURL == result.avatarURL ? avatarFile : nil,
      other.avatarURL == result.avatarURL ? other.avatarFile : nil)
    result.emoji = CustomEmoji.merge(emoji, other.emoji, &merge)
    result.bio = merge.pick("bio", bio, other.bio)
    result.location = merge.pick("location", location, other.location)
    result.website = merge.pick("website", website, other.website)
    result.joinedAt = merge.pick("joined_at", joinedAt, other.joinedAt)
    result.isProtected = merge.pick("protected", isProtected, other.isProtected)
    result.isVerified = merge.pick("verified", isVerified, other.isVerified)
    result.followers = merge.pick("followers", followers, other.followers)
    result.following = merge.pick("following", following, other.following)
    result.posts = merge.pick("posts", posts, other.posts)
    result.observedAt = Timestamp.later(observedAt, other.observedAt)
    result.archive = ArchiveSighting.merge(archive, other.archive)
    result.extra = merge.pick("extra", extra, other.extra)
    result.older = merge.older
    return result
  }

  private var side: FieldMerge.Side {
    FieldMerge.Side(time: SightingTime(archive: archive, observedAt: observedAt), older: older)
  }
}

// MARK: What is missing

extension Departure {
  /// What was found last, of two.
  fileprivate static func later(_ one: Departure?, _ other: Departure?) -> Departure? {
    merge(one, other, seenAt: nil)
  }

  /// What was found last; a post that was seen again has not gone.
  fileprivate static func merge(
    _ one: Departure?, _ other: Departure?, seenAt seen: Timestamp?
  ) -> Departure? {
    func order(_ departure: Departure) -> (Int64, String) {
      (departure.observedAt?.milliseconds ?? .min, departure.reason.rawValue)
    }
    guard let last = [one, other].compactMap({ $0 }).max(by: { order($0) < order($1) }) else { return nil }
    guard let seen else { return last }
    return last.observedAt.map { $0 >= seen } == true ? last : nil
  }
}

extension Tombstone {
  /// The same tombstone from two sightings; what the network said beats that an archive does not hold it, which beats
  /// `unknown`. Of two that say as much the later one is kept.
  package func merged(with other: Tombstone) -> Tombstone {
    var result = order < other.order ? other : self
    // Whose it was does not change, and sightings that differ in it do not exist; some do not say.
    result.authorID = [authorID, other.authorID].compactMap { $0 }.max()
    result.handle = [handle, other.handle].compactMap { $0 }.max(by: CanonicalText.precedes)
    result.removedAt = Timestamp.later(removedAt, other.removedAt)
    return result
  }

  private var order: (Int, Int64, Int, String, String) {
    (
      reason.weight, observedAt?.milliseconds ?? .min, detail == nil ? 0 : 1, reason.rawValue, detail ?? ""
    )
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
