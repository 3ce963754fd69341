import Basics

extension Conversation {
  /// Returns the union of this conversation and `other`, field by field, without losing known facts.
  ///
  /// If a field has two values, the one that was observed later is kept. If the times are equal or unknown, the value whose text sorts last is
  /// kept. A known post replaces its tombstone, unless the post was removed after it was last seen. Posts are sorted by `PostOrder`, other lists by
  /// id. The result therefore does not depend on the order or the number of observations. The exception is a removed post that is seen again:
  /// facts from before the removal may be lost.
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
    // Lists are stored sorted, so most of them need no sorting.
    let isSorted = zip(elements, elements.dropFirst()).allSatisfy { id($0) < id($1) }
    return isSorted ? elements : elements.sorted { id($0) < id($1) }
  }
}

extension Post {
  /// Whether the post was found to be missing after it was last seen.
  fileprivate func isRemoved(by removals: [PostID: Timestamp]) -> Bool {
    guard let removal = removals[facts.id] else { return false }
    return lastSeen.map { $0 <= removal } ?? true
  }
}

extension Coverage {
  /// Returns the better of two coverages: a fetch reports its coverage and an imported file does not, and the later of two fetches is more
  /// accurate. The two are never mixed, because limits depend on the method that found the posts.
  package func merged(with other: Coverage) -> Coverage {
    func order(_ coverage: Coverage) -> (Int64, Int, Int, Int, String, String) {
      let limits = coverage.limits
      return (
        coverage.foundBy == nil ? .min : coverage.checkedAt?.milliseconds ?? .min + 1,
        coverage.foundBy?.sight ?? -1,
        // A file without limits may have any limits, but a fetch without limits was not limited.
        coverage.foundBy == nil ? limits.count : -limits.count, coverage.expectedPosts ?? -1,
        coverage.foundBy?.rawValue ?? "",
        // The other fields, so that the choice is always the same.
        "\(coverage.checkedAt?.milliseconds ?? -1) "
          + limits.map { "\($0.kind.rawValue) \($0.day ?? "")" }.joined(separator: "\n")
      )
    }
    return order(self) < order(other) ? other : self
  }
}

extension FindingMethod {
  /// How much of a thread this method finds; 0 is the least.
  fileprivate var sight: Int {
    [Self.climbing, .timeline, .conversation, .recentSearch, .fullSearch].firstIndex(of: self) ?? 0
  }
}

extension Conversation {
  /// Whether merging `other` into this conversation changed only the dates of archives with the same content.
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
    guard facts.archive != nil else { return }
    change { facts in
      facts.archive?.date = other.archive?.date
      facts.older = facts.older.dated(like: other.older)
    }
  }
}

extension [String: ObservationTime] {
  /// Returns these times with the other side's archive dates, so that the same archive content with different dates compares as equal.
  fileprivate func dated(like other: Self) -> Self {
    var result = self
    for (field, time) in self where time.isFromArchive {
      result[field] = other[field].flatMap { $0.isFromArchive ? $0 : time }
    }
    return result
  }
}

extension Post {
  /// Merges two observations of the same post. Each field comes from the later observation that has it. Media files from an archive are preferred.
  ///
  /// The result is the same for any order and any grouping of observations (`FieldMerge`).
  package func merged(with other: Post) -> Post {
    if storage === other.storage { return self }
    let (one, other) = (facts, other.facts)
    var merge = FieldMerge(one.side, other.side)
    var result = Facts.mergingFields(one, other, "", &merge)
    // The earliest known time, because edits have later times.
    result.createdAt = Timestamp.earlier(one.createdAt, other.createdAt)
    result.isSensitive = one.isSensitive || other.isSensitive
    result.earlierVersions =
      one.earlierVersions == other.earlierVersions
      ? one.earlierVersions : Set(one.earlierVersions + other.earlierVersions).sorted()
    (result.text, result.editedAt) = Self.fuller(
      Text(one, in: result), Text(other, in: result), &merge)
    result.observedAt = Timestamp.later(one.observedAt, other.observedAt)
    result.removal = Removal.merge(one.removal, other.removal, seenAt: result.observedAt)
    result.older = merge.older
    return Post(result)
  }

  /// When the post was last known to exist.
  private var lastSeen: Timestamp? { Timestamp.later(facts.observedAt, facts.archive?.date) }

  /// Returns the better of two texts of a post, with the time of the edit that produced it.
  ///
  /// After an edit, the later text is correct. A later observation without an edit time is not an edit. Otherwise both texts are the same post, and
  /// one may be more complete: it has entities, or the part that the network's shorter form replaces with an ellipsis.
  private static func fuller(_ one: Text?, _ other: Text?, _ merge: inout FieldMerge) -> (
    InlineText, Timestamp?
  ) {
    let kept = merge.pick("text", one, other) { one, other in
      one.rank == other.rank ? nil : one.rank < other.rank
    }
    return (kept?.text ?? InlineText(""), kept?.editedAt)
  }
}

/// The text of an observation, with the time of the edit that produced it.
private struct Text: Hashable {
  var text: InlineText
  var editedAt: Timestamp?

  /// - Parameter post: the merged facts of the post. The URLs of its attachments are ignored when two texts are compared.
  init?(_ facts: Post.Facts, in post: Post.Facts) {
    if facts.text.isEmpty, facts.editedAt == nil { return nil }
    text = post.withoutAttachments(facts.text)
    editedAt = facts.editedAt
  }

  static func == (lhs: Text, rhs: Text) -> Bool {
    lhs.editedAt == rhs.editedAt && CanonicalText.isSame(lhs.text, rhs.text)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The criteria that outrank the time of observation, most important first.
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
  /// Returns the earlier of two times, or the known one.
  fileprivate static func earlier(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}

// MARK: Attachments

extension Media {
  /// Returns all media of both observations, each merged, in the order of their positions.
  package static func merge(
    _ field: String, _ one: [Media], _ other: [Media], _ merge: inout FieldMerge
  ) -> [Media] {
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
        ? $0.media.id.precedesInBytes($1.media.id) : $0.place < $1.place
    }
    return result.enumerated().map { index, item in
      var media = item.media
      media.position = item.place == index ? nil : item.place
      return media
    }
  }

  /// Merges two observations of the same media; one of them may be missing.
  private init(_ id: String, _ one: Media?, _ other: Media?, _ merge: inout FieldMerge) {
    func field(_ name: String) -> String { "media.\(id).\(name)" }
    // The kind may be unknown.
    let kinds = [one, other].map { $0?.kind == "unknown" ? nil : $0?.kind }
    let kind = merge.pick(field("kind"), kinds[0], kinds[1]) ?? "unknown"
    let empty = Media(id: id, kind: kind)
    self = Media.mergingFields(one ?? empty, other ?? empty, field(""), &merge)
    self.kind = kind
    posterFile = merge.copy(one?.posterFile, other?.posterFile)
    let size = Size(
      width: merge.pick(field("width"), one?.width, other?.width),
      height: merge.pick(field("height"), one?.height, other?.height))
    takeFile(one, other, size, merge)
  }

  private struct Size {
    var width: Int?
    var height: Int?
  }

  /// Chooses the copy in the store and its properties: a copy from an archive if there is one, otherwise the later copy.
  ///
  /// - Parameter size: the size that the network states; a page shows the size of the file.
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
  /// Returns the captions that were seen last, with the copies of files at the same URLs.
  package static func merge(
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
  /// Merges two observations of the same poll. Known votes are kept if the later observation hides them. Options are matched by position.
  package static func merge(
    _ field: String, _ one: Poll?, _ other: Poll?, _ merge: inout FieldMerge
  ) -> Poll? {
    guard one != nil || other != nil else { return nil }
    let empty = Poll(options: [])
    var result = mergingFields(one ?? empty, other ?? empty, "\(field).", &merge)
    var options: [PollOption] = []
    for index in 0..<max(one?.options.count ?? 0, other?.options.count ?? 0) {
      let (mine, theirs) = (one?.option(index), other?.option(index))
      options.append(
        PollOption(
          merge.pick("poll.options.\(index).label", mine?.label, theirs?.label) ?? "",
          votes: merge.pick("poll.options.\(index).votes", mine?.votes, theirs?.votes)))
    }
    result.options = options
    let known = [one, other].map { $0?.status == .unknown ? nil : $0?.status }
    result.status = merge.pick("poll.status", known[0], known[1]) ?? .unknown
    result.allowsMultiple = one?.allowsMultiple == true || other?.allowsMultiple == true
    return result
  }

  private func option(_ index: Int) -> PollOption? { options.indices.contains(index) ? options[index] : nil }
}

extension LinkCard {
  /// Merges two observations of the same card, field by field.
  ///
  /// If the cards show different pages, the card whose URL sorts last is kept: a post has only one card, the network's choice is unknown, and
  /// fields of different pages must not be mixed.
  package static func merge(
    _ field: String, _ one: LinkCard?, _ other: LinkCard?, _ merge: inout FieldMerge
  ) -> LinkCard? {
    guard let url = [one?.url, other?.url].compactMap({ $0 }).max(by: CanonicalText.precedes) else {
      return nil
    }
    let (one, other) = (one?.url == url ? one : nil, other?.url == url ? other : nil)
    let empty = LinkCard(url: url)
    var result = mergingFields(one ?? empty, other ?? empty, "\(field).", &merge)
    // The size and the copy of a different image do not match this card.
    let (first, second) = (
      one?.imageURL == result.imageURL ? one : nil, other?.imageURL == result.imageURL ? other : nil
    )
    result.imageWidth = merge.pick("card.image_width", first?.imageWidth, second?.imageWidth)
    result.imageHeight = merge.pick("card.image_height", first?.imageHeight, second?.imageHeight)
    result.imageFile = merge.copy(first?.imageFile, second?.imageFile)
    return result
  }
}

// MARK: Authors

extension Author {
  /// Merges two observations of the same author. Each field comes from the later observation that has it.
  ///
  /// If the account was found closed, everything observed before that is dropped.
  package func merged(with other: Author) -> Author {
    guard let removal = Removal.later(removal, other.removal) else { return joined(with: other) }
    var result = forgetting(before: removal).joined(with: other.forgetting(before: removal))
    result.removal = removal
    return result
  }

  private func forgetting(before removal: Removal) -> Author {
    guard let end = removal.observedAt, let observedAt, observedAt > end else {
      return removed(removal)
    }
    return self
  }

  private func joined(with other: Author) -> Author {
    var merge = FieldMerge(side, other.side)
    var result = Author.mergingFields(self, other, "", &merge)
    // The copy of a different avatar does not match this URL.
    result.avatarFile = merge.copy(
      avatarURL == result.avatarURL ? avatarFile : nil,
      other.avatarURL == result.avatarURL ? other.avatarFile : nil)
    result.observedAt = Timestamp.later(observedAt, other.observedAt)
    result.removal = nil
    result.older = merge.older
    return result
  }

  private var side: FieldMerge.Side {
    FieldMerge.Side(time: ObservationTime(archive: archive, observedAt: observedAt), older: older)
  }
}

// MARK: What is missing

extension Removal {
  /// Returns the later of two removals.
  fileprivate static func later(_ one: Removal?, _ other: Removal?) -> Removal? {
    merge(one, other, seenAt: nil)
  }

  /// Returns the later of two removals; `nil` if the post was seen again after that.
  fileprivate static func merge(
    _ one: Removal?, _ other: Removal?, seenAt seen: Timestamp?
  ) -> Removal? {
    func order(_ removal: Removal) -> (Int64, String) {
      (removal.observedAt?.milliseconds ?? .min, removal.reason.rawValue)
    }
    guard let last = [one, other].compactMap({ $0 }).max(by: { order($0) < order($1) }) else { return nil }
    guard let seen else { return last }
    return last.observedAt.map { $0 >= seen } == true ? last : nil
  }
}

extension Tombstone {
  /// Merges two tombstones of the same post. The more informative reason is kept; if both are equally informative, the later one. A specific reason
  /// is most informative, followed by `notFound`, `notInArchive` and `unknown`.
  package func merged(with other: Tombstone) -> Tombstone {
    var result = order < other.order ? other : self
    // The author of a post never changes, so two tombstones cannot disagree; one may lack the author.
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
  /// How informative a reason is. Networks report missing posts as not found for many reasons, so `notFound` never replaces a known reason.
  fileprivate var weight: Int {
    switch self {
    case .unknown: 0
    case .notInArchive: 1
    case .notFound, .notShown: 2
    default: 3
    }
  }

  /// Whether this reason is less informative than another one.
  package func isVaguer(than other: TombstoneReason) -> Bool { weight < other.weight }
}
