extension Conversation {
  /// This conversation with what `other` knows: the union of both, field by field, losing nothing known.
  ///
  /// Of two values for one field the one observed later wins, and where times are equal or unknown the one whose text sorts last. A
  /// post that is known beats a tombstone for it, unless it was removed after it was last seen. The posts come out in their order, and the other lists sorted by id. So the
  /// result does not depend on the order in which facts arrived, nor on how many came at once (posts that were removed, and
  /// seen again later, apart: what was seen of them before the removal may be gone).
  package func merged(with other: Conversation) -> Conversation {
    var result = self
    result.posts = Self.union(posts, other.posts, id: \.id) { $0.merged(with: $1) }
    let tombstones = Self.union(self.tombstones, other.tombstones, id: \.id) { $0.merged(with: $1) }
    let removals = Dictionary(
      tombstones.compactMap { stone in stone.removedAt.map { (stone.id, $0) } }, uniquingKeysWith: max)
    result.posts.removeAll { $0.isRemoved(by: removals) }
    let own = Set(result.posts.map(\.id))
    result.related = Self.union(related, other.related, id: \.id) { $0.merged(with: $1) }
    result.related.removeAll { $0.isRemoved(by: removals) }
    let twice = Dictionary(
      result.related.filter { own.contains($0.id) }.map { ($0.id, $0) },
      uniquingKeysWith: { $0.merged(with: $1) })
    if !twice.isEmpty {
      for index in result.posts.indices {
        if let post = twice[result.posts[index].id] {
          result.posts[index] = result.posts[index].merged(with: post)
        }
      }
      result.related.removeAll { own.contains($0.id) }
    }
    result.posts = PostOrder.sorted(result.posts)
    result.related = PostOrder.sorted(result.related)
    result.authors = Self.union(authors, other.authors, id: \.id) { $0.merged(with: $1) }
    let known = own.union(result.related.map(\.id))
    result.tombstones = tombstones.filter { !known.contains($0.id) }
    result.provenance = Provenance.union(provenance, other.provenance)
    result.coverage = coverage.merged(with: other.coverage)
    return result
  }

  private static func union<Element, ID: Hashable & Comparable>(
    _ first: [Element], _ second: [Element], id: (Element) -> ID, merge: (Element, Element) -> Element
  ) -> [Element] {
    var positions: [ID: Int] = [:]
    positions.reserveCapacity(first.count + second.count)
    var elements: [Element] = []
    elements.reserveCapacity(max(first.count, second.count))
    for part in [first, second] {
      for element in part {
        let key = id(element)
        if let position = positions[key] {
          elements[position] = merge(elements[position], element)
        } else {
          positions[key] = elements.count
          elements.append(element)
        }
      }
    }
    // Lists are stored sorted, so that there is seldom anything to do.
    let isSorted = zip(elements, elements.dropFirst()).allSatisfy { id($0) < id($1) }
    return isSorted ? elements : elements.sorted { id($0) < id($1) }
  }
}

extension Post {
  /// Whether it was found to be gone after it was last seen.
  fileprivate func isRemoved(by removals: [PostID: Timestamp]) -> Bool {
    guard let removal = removals[id] else { return false }
    return lastSeen.map { $0 <= removal } ?? true
  }
}

extension Coverage {
  /// What is known of a thread's reach after a second look at it: a fetch knows its own, which an imported file does not, and
  /// the later of two knows better. One of them is taken whole, as its limits are about how it found its posts.
  package func merged(with other: Coverage) -> Coverage {
    func order(_ coverage: Coverage) -> (Int64, Int, Int, Int, String, String) {
      let limits = coverage.limits
      return (
        coverage.foundBy == nil ? .min : coverage.checkedAt?.milliseconds ?? .min + 1,
        coverage.foundBy?.sight ?? -1,
        // A file that says nothing of limits knows of none; a fetch that names none had none.
        coverage.foundBy == nil ? limits.count : -limits.count, coverage.expectedPosts ?? -1,
        coverage.foundBy?.rawValue ?? "",
        // What else differs, so that the choice is one and the same.
        "\(coverage.checkedAt?.milliseconds ?? -1) "
          + limits.map { "\($0.kind.rawValue) \($0.day ?? "")" }.joined(separator: "\n")
      )
    }
    return order(self) < order(other) ? other : self
  }
}

extension FindingMethod {
  /// How much of a thread it sees, from 0.
  fileprivate var sight: Int {
    [Self.climbing, .timeline, .recentSearch, .fullSearch].firstIndex(of: self) ?? 0
  }
}

extension Conversation {
  /// Whether this one, which `other` was merged into, differs from it in nothing but when archives were made that hold the same.
  package func saysNoMore(than other: Conversation) -> Bool {
    guard posts.count == other.posts.count, authors.count == other.authors.count,
      related.count == other.related.count
    else { return false }
    var result = self
    result.provenance = other.provenance
    for index in posts.indices { result.posts[index].takeDates(of: other.posts[index]) }
    for index in related.indices { result.related[index].takeDates(of: other.related[index]) }
    for index in authors.indices {
      result.authors[index].archive?.date = other.authors[index].archive?.date
      result.authors[index].older = result.authors[index].older.dated(like: other.authors[index].older)
    }
    return result == other
  }
}

extension Post {
  fileprivate mutating func takeDates(of other: Post) {
    guard archive != nil else { return }
    change { facts in
      facts.archive?.date = other.archive?.date
      facts.older = facts.older.dated(like: other.older)
    }
  }
}

extension [String: ObservationTime] {
  /// The same with the other's dates of archives: what the other saw with the rest, this one saw in an archive before the last.
  fileprivate func dated(like other: Self) -> Self {
    var result = self
    for (field, time) in self where time.isFromArchive {
      result[field] = other[field].flatMap { $0.isFromArchive ? $0 : time }
    }
    return result
  }
}

extension Post {
  /// The same post from two observations: each field from the later one, or from the other where that has none; files of media
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
    result.archive = ArchiveObservation.merge(one.archive, other.archive)
    result.extra = merge.pick("extra", one.extra, other.extra)
    result.older = merge.older
    return Post(result)
  }

  /// When it was last known to be there.
  private var lastSeen: Timestamp? { Timestamp.later(observedAt, archive?.date) }

  /// Which of two texts of one post to keep, with the time of the edit that made it.
  ///
  /// An edit makes the later text the right one; a later observation that says nothing of an edit is none. Otherwise the author wrote one
  /// text, and the observation which asked for more fields has more of it: the part beyond the length at which a network cuts, which
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

/// The text of a observation, with the time of the edit that made it.
private struct Text: Hashable {
  var text: InlineText
  var editedAt: Timestamp?

  /// - Parameter post: what both observations know of the post: a text that shows the addresses of what is attached says no more than one
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
    FieldMerge.Side(time: ObservationTime(archive: archive, observedAt: observedAt), older: older)
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
  /// All media that either observation has, each merged, in the order of their places.
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

  /// The same media from two observations, of which one may not have it.
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
  /// The same poll from two observations, votes kept where the later one hides them. An option is known by its place.
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
  /// The same card from two observations, field by field.
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
  /// The same author from two observations: each field from the later one, or from the other where that has none.
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
    result.archive = ArchiveObservation.merge(archive, other.archive)
    result.extra = merge.pick("extra", extra, other.extra)
    result.older = merge.older
    return result
  }

  private var side: FieldMerge.Side {
    FieldMerge.Side(time: ObservationTime(archive: archive, observedAt: observedAt), older: older)
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
  /// The same tombstone from two observations; what the network said beats that an archive does not hold it, which beats
  /// `unknown`. Of two that say as much the later one is kept.
  package func merged(with other: Tombstone) -> Tombstone {
    var result = order < other.order ? other : self
    // Whose it was does not change, and observations that differ in it do not exist; some do not say.
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
