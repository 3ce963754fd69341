import JSONText
import ThreadModel
import UTF8Text

/// All that the AppView, or an account's own server, has shown of posts and people, by id.
///
/// Whoever asks not to be shown to strangers is not in it: of their posts nothing is kept but that they exist.
struct BlueskySightings: Sendable {
  let now: Timestamp
  private(set) var posts: [RecordAddress: Post] = [:]
  private(set) var authors: [AuthorID: Author] = [:]
  /// Posts that are not shown, and why.
  private(set) var missing: [RecordAddress: Tombstone] = [:]
  /// What posts answer, quote, and belong to.
  private(set) var parents: [RecordAddress: RecordAddress] = [:]
  private(set) var roots: [RecordAddress: RecordAddress] = [:]
  private(set) var quotes: [RecordAddress: RecordAddress] = [:]
  /// Accounts that show their posts to those who are signed in, and to nobody else, with their handles.
  private(set) var signedInOnly: [String: String?] = [:]
  /// Accounts that have a video among their posts here, so that their servers have to be known.
  private(set) var filmMakers: Set<String> = []

  init(now: Timestamp) { self.now = now }

  mutating func replace(_ address: RecordAddress, _ post: Post) { posts[address] = post }

  // MARK: Taking

  /// Takes a `postView`, as threads, feeds and lookups have it; gives its address.
  @discardableResult
  mutating func add(postView view: JSONValue) -> RecordAddress? {
    guard let address = RecordAddress(view["uri"]?.string), address.isPost, let record = view["record"] else {
      return nil
    }
    add(address, record: record, embed: view["embed"], view: view, depth: 0)
    return address
  }

  /// Takes a record as the account's own server has it, of which nobody has said what labels it has.
  @discardableResult
  mutating func add(record: JSONValue, at address: RecordAddress) -> Bool {
    guard address.isPost, record["text"]?.string != nil else { return false }
    add(address, record: record, embed: nil, view: nil, depth: 0)
    return true
  }

  mutating func add(author view: JSONValue?) {
    guard let view, let author = Author(bluesky: view, at: now) else { return }
    if BlueskyLabels(account: view, at: now).isForSignedIn {
      signedInOnly[author.id.value] = .some(author.handle)
      authors[author.id] = nil
      return
    }
    guard signedInOnly[author.id.value] == nil else { return }
    authors[author.id] = authors[author.id]?.merged(with: author) ?? author
  }

  mutating func note(missing address: RecordAddress, _ reason: TombstoneReason) {
    guard posts[address] == nil else { return }
    // What was said first is mostly more than that a lookup found nothing.
    if let known = missing[address], known.reason != .notFound { return }
    var stone = Tombstone(id: address.postID, reason: reason)
    stone.authorID = address.authorID
    stone.observedAt = now
    stone.handle = signedInOnly[address.did] ?? authors[address.authorID]?.handle
    missing[address] = stone
  }

  /// How many quotes are followed within each other.
  private static let deepestQuote = 3

  private mutating func add(
    _ address: RecordAddress, record: JSONValue, embed view: JSONValue?, view post: JSONValue?, depth: Int
  ) {
    add(author: post?["author"])
    link(address, record)
    var labels = BlueskyLabels(post?["labels"], at: now)
    labels.join(BlueskyLabels(own: record))
    let account = BlueskyLabels(account: post?["author"], at: now)
    if account.isForSignedIn || signedInOnly[address.did] != nil || labels.isForSignedIn {
      return hide(address, .signedInOnly)
    }
    if labels.isHidden || account.isHidden { return hide(address, .withheld) }
    labels.join(account)

    let embed = BlueskyEmbed(record: record["embed"], view: view, did: address.did)
    let facts = facts(of: address, record, view: post, embed, labels)
    let seen = Post(facts)
    posts[address] = posts[address]?.merged(with: seen) ?? seen
    missing[address] = nil
    if facts.media.contains(where: { $0.kind != .photo }) { filmMakers.insert(address.did) }
    if let quoted = embed.quotes { quotes[address] = quoted }
    if let (gone, reason) = embed.missing { note(missing: gone, reason) }
    if depth < Self.deepestQuote, let quoted = embed.quotedView { add(quoted: quoted, depth: depth + 1) }
  }

  private mutating func hide(_ address: RecordAddress, _ reason: TombstoneReason) {
    posts[address] = nil
    quotes[address] = nil
    missing[address] = nil
    note(missing: address, reason)
  }

  /// Takes the view of a quoted post, which names its parts otherwise than others do.
  private mutating func add(quoted view: JSONValue, depth: Int) {
    guard let address = RecordAddress(view["uri"]?.string), address.isPost, let record = view["value"] else {
      return
    }
    add(address, record: record, embed: view["embeds"]?[0] ?? view["embed"], view: view, depth: depth)
  }

  private mutating func link(_ address: RecordAddress, _ record: JSONValue) {
    guard let parent = RecordAddress(record["reply"]?["parent"]?["uri"]?.string), parent.isPost,
      parent != address
    else { return }
    parents[address] = parent
    if let root = RecordAddress(record["reply"]?["root"]?["uri"]?.string), root.isPost {
      roots[address] = root
    }
  }

  private func facts(
    of address: RecordAddress, _ record: JSONValue, view: JSONValue?, _ embed: BlueskyEmbed,
    _ labels: BlueskyLabels
  ) -> Post.Facts {
    var facts = Post.Facts(
      id: address.postID, authorID: address.authorID,
      text: InlineText(
        bluesky: record["text"]?.string ?? "", facets: record["facets"], entities: record["entities"]))
    facts.conversationID = (roots[address] ?? (parents[address] == nil ? address : nil))?.postID
    facts.createdAt = time(of: record, view)
    facts.language = record["langs"]?[0]?.string.flatMap { $0.isEmpty ? nil : $0 }
    facts.url = address.webAddress
    facts.inReplyTo = parents[address]?.postID
    facts.inReplyToAuthor = parents[address]?.authorID
    facts.quotes = embed.quotes?.postID
    facts.media = embed.media
    facts.card = embed.card
    facts.metrics = Metrics(
      likes: view?["likeCount"]?.int, replies: view?["replyCount"]?.int, reposts: view?["repostCount"]?.int,
      quotes: view?["quoteCount"]?.int, bookmarks: view?["bookmarkCount"]?.int)
    facts.isSensitive = labels.isSensitive
    if labels.isWarnedOf || (labels.isSensitive && facts.media.isEmpty) {
      let names = labels.names.filter { !$0.hasBytePrefix("!") }
      facts.warnings = names.isEmpty ? [.moderation] : names.map { PostWarning(rawValue: $0) }
    }
    facts.observedAt = view == nil ? nil : now
    addExtras(&facts, record, embed, labels, cid: view?["cid"])
    return facts
  }

  private func addExtras(
    _ facts: inout Post.Facts, _ record: JSONValue, _ embed: BlueskyEmbed, _ labels: BlueskyLabels,
    cid: JSONValue?
  ) {
    if !labels.names.isEmpty { facts.extra["labels"] = .array(labels.names.map { .string($0) }) }
    for name in ["tags", "bridgyOriginalUrl"] { facts.extra[name] = record[name] }
    if let cid { facts.extra["cid"] = cid }
    guard !embed.unknown.isEmpty else { return }
    facts.extra["unknown_embeds"] = .array(embed.unknown.map { .string($0) })
    for (index, kind) in embed.unknown.enumerated() {
      // The page names what it cannot show, and leads to the post.
      let word = kind.split(atBytes: ".").last?.prefix(upToBytes: "#") ?? kind[...]
      facts.media.append(Media(id: "embed-\(index)", kind: MediaKind(rawValue: String(word))))
    }
  }

  /// A client may claim any time: the AppView's is the latest that it can be, and nothing was written before 1970.
  private func time(of record: JSONValue, _ view: JSONValue?) -> Timestamp? {
    func time(_ value: JSONValue?) -> Timestamp? {
      guard let text = value?.string else { return nil }
      return Timestamp(iso8601: text) ?? Timestamp(iso8601: text + "Z")
    }
    let latest = time(view?["indexedAt"]) ?? now
    guard let claimed = time(record["createdAt"]), claimed.milliseconds >= 0 else {
      return time(view?["indexedAt"])
    }
    return min(claimed, latest)
  }
}
