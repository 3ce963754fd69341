import Basics
import NetworkSources
import ThreadModel

/// All posts and accounts that the AppView or accounts' own servers have returned, by id.
///
/// For accounts that are shown only to signed-in people, only the AT URIs of their posts and of the posts that these answer are stored.
struct BlueskyObservations: Sendable {
  let now: Timestamp
  private(set) var posts: [RecordAddress: Post] = [:]
  private(set) var authors: [AuthorID: Author] = [:]
  /// Posts that are not shown, with the reason.
  private(set) var missing: [RecordAddress: Tombstone] = [:]
  /// The post that each post answers, the root of its conversation, and the post that it quotes.
  private(set) var parents: [RecordAddress: RecordAddress] = [:]
  private(set) var roots: [RecordAddress: RecordAddress] = [:]
  private(set) var quotes: [RecordAddress: RecordAddress] = [:]
  /// The handles of accounts that show their posts only to signed-in people, by DID.
  private(set) var signedInOnly: [String: String?] = [:]
  /// The DIDs of accounts with a video in one of these posts, so that their servers have to be looked up.
  private(set) var accountsWithVideos: Set<String> = []

  init(now: Timestamp) { self.now = now }

  private mutating func replace(_ address: RecordAddress, _ post: Post) { posts[address] = post }

  // MARK: Adding

  /// Adds a `postView`, as threads, feeds and lookups return it.
  ///
  /// - Returns: the AT URI of the post; `nil` if the value is not a post.
  @discardableResult
  mutating func add(postView view: JSONValue) -> RecordAddress? {
    guard let address = RecordAddress(view["uri"]?.string), address.isPost, let record = view["record"] else {
      return nil
    }
    add(address, record: record, embed: view["embed"], view: view, depth: 0)
    return address
  }

  /// Adds a record from the account's own server or its export, without the labels of Bluesky's moderation.
  ///
  /// - Returns: whether the record is a post.
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
    // A known reason is usually more precise than the fact that a lookup found nothing.
    if let known = missing[address], known.reason != .notFound { return }
    var stone = Tombstone(id: address.postID, reason: reason)
    stone.authorID = address.authorID
    stone.observedAt = now
    stone.handle = signedInOnly[address.did] ?? authors[address.authorID]?.handle
    missing[address] = stone
  }

  /// The maximum number of levels of quotes within quotes.
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
    if facts.media.contains(where: { $0.kind != .photo }) { accountsWithVideos.insert(address.did) }
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

  /// Adds the view of a quoted post, whose members have different names from those of a `postView`.
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
      // The page shows the name of the unknown embed with a link to the post.
      let word = kind.split(atBytes: ".").last?.prefix(upToBytes: "#") ?? kind[...]
      facts.media.append(Media(id: "embed-\(index)", kind: MediaKind(rawValue: String(word))))
    }
  }

  /// Returns the time at which a post was written. Clients may write any time into a record. So `indexedAt` of the AppView's view replaces
  /// a later time, a time before 1970 and a missing time. Without `indexedAt`, times later than `now` become `now`.
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

  /// Returns the root of the conversation that contains a post. To find the conversations of many posts, use ``conversations(of:)``.
  func root(of address: RecordAddress) -> RecordAddress {
    if let root = roots[address] { return root }
    // The reply names no root, so the known parents are followed upwards.
    var line = [address]
    var seen: Set = [address]
    var place = address
    while let parent = parents[place] {
      guard seen.insert(parent).inserted else {
        // Posts that answer each other in a circle have no first post; the lowest is used.
        return line.drop(while: { $0 != parent }).min { $0.text < $1.text } ?? parent
      }
      line.append(parent)
      place = parent
    }
    return place
  }

  /// Returns an account's posts by the roots of their conversations. In contrast to ``root(of:)`` for each post, all together take linear time.
  func conversations(of did: String) -> [RecordAddress: [RecordAddress]] {
    var tops = ConversationIDs<RecordAddress> { $0.text < $1.text }
    tops.resolve(parents)
    return Dictionary(grouping: posts.keys.lazy.filter { $0.did == did }) {
      roots[$0] ?? tops.conversation($0)
    }
  }

  /// Returns the posts of one account in a conversation.
  func posts(of did: String, in root: RecordAddress) -> [RecordAddress] {
    posts.keys.filter { $0.did == did && self.root(of: $0) == root }
  }

  /// Returns the number of posts in the account's longest chain in a conversation: posts that continue each other from the root or from a reply to
  /// another account.
  func longestChain(of did: String, in root: RecordAddress) -> Int {
    let lengths = chainLengths(of: did)
    return posts(of: did, in: root).compactMap { lengths[$0] }.max() ?? 0
  }

  /// Returns the number of posts in the account's chain that ends with each of its posts.
  func chainLengths(of did: String) -> [RecordAddress: Int] {
    ConversationReferences.chainLengths(
      of: posts.keys.filter { $0.did == did }.sorted { $0.key < $1.key }, isOwn: { $0.did == did }
    ) { parents[$0] }
  }

  /// Returns one account's thread with the posts that it answers and quotes.
  ///
  /// - Parameter withReplies: whether the other accounts' posts of the conversation are included.
  func conversation(root: RecordAddress, by did: String, withReplies: Bool) -> Conversation {
    let members = posts.keys.filter {
      (withReplies || $0.did == did || $0 == root) && self.root(of: $0) == root
    }
    return conversation(root: root, of: members, by: did)
  }

  /// Returns one account's thread with the posts that it answers and quotes.
  ///
  /// - Parameter members: the posts of the conversation that are included.
  func conversation(root: RecordAddress, of members: [RecordAddress], by did: String) -> Conversation {
    var result = Conversation(id: root.postID, authorID: AuthorID(did, on: .bluesky))
    var own = Set(members)
    // Add the known posts that the author's posts answer.
    for address in own where address.did == did {
      if let parent = parents[address], posts[parent] != nil { own.insert(parent) }
    }
    var beside: Set<RecordAddress> = []
    var gone = Set(own.compactMap { parents[$0] }.filter { posts[$0] == nil })
    if posts[root] == nil { gone.insert(root) }
    var open = own.compactMap { quotes[$0] }
    while let quoted = open.popLast() {
      guard !own.contains(quoted) else { continue }
      if posts[quoted] == nil {
        gone.insert(quoted)
      } else if beside.insert(quoted).inserted, let next = quotes[quoted] {
        open.append(next)
      }
    }
    func sorted(_ addresses: Set<RecordAddress>) -> [Post] {
      addresses.compactMap { posts[$0] }.sorted { $0.id < $1.id }
    }
    result.posts = sorted(own)
    result.related = sorted(beside)
    result.tombstones = gone.map { stone(for: $0) }.sorted { $0.id < $1.id }
    let people = Set((own.union(beside)).map(\.authorID) + [result.authorID])
    result.authors = people.compactMap { authors[$0] }.sorted { $0.id < $1.id }
    result.provenance = [Provenance(source: .blueskyAPI, fetchedAt: now)]
    return result
  }

  private func stone(for address: RecordAddress) -> Tombstone {
    if let known = missing[address] { return known }
    var stone = Tombstone(id: address.postID, reason: .unknown)
    stone.authorID = address.authorID
    stone.handle = authors[address.authorID]?.handle
    return stone
  }

  /// The maximum number of captions of a video (`app.bsky.embed.video`).
  private static let mostCaptions = 20

  /// Adds the URLs of an account's videos and of their captions, which are on its own server.
  mutating func locateVideos(of did: String, on server: String) {
    for (address, post) in posts where address.did == did && post.media.contains(where: { $0.kind != .photo })
    {
      var post = post
      post.media = post.media.map { media in
        var media = media
        func address(of blob: String) -> String {
          "\(server)/xrpc/com.atproto.sync.getBlob?did=\(did)&cid=\(blob)"
        }
        if media.captions.isEmpty, let captions = media.extra["captions"]?.array {
          media.captions = captions.prefix(Self.mostCaptions).compactMap { captions in
            guard let language = captions["lang"]?.string, !language.isEmpty,
              let blob = Blob(captions["file"])
            else { return nil }
            return MediaCaptions(language: language, url: address(of: blob.cid))
          }
        }
        guard let blob = media.extra["blob"]?.string, media.bestVideo == nil else { return media }
        media.variants.append(MediaVariant(url: address(of: blob), contentType: "video/mp4"))
        return media
      }
      replace(address, post)
    }
  }
}

extension Author {
  /// Creates an account from any of the views of profiles; `nil` if the view has no valid DID.
  init?(bluesky view: JSONValue, at now: Timestamp) {
    guard let did = view["did"]?.string, RecordAddress.isDID(did) else { return nil }
    self.init(id: AuthorID(did, on: .bluesky))
    // The AppView writes `handle.invalid` if the handle's domain does not confirm that the handle belongs to the account.
    handle = view["handle"]?.string.flatMap { $0 == "handle.invalid" || $0.isEmpty ? nil : $0 }
    name = view["displayName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    url = "https://bsky.app/profile/\(did)"
    let picture = BlueskyLabels(view["labels"], at: now)
    if !picture.isHidden, !picture.isSensitive { avatarURL = view["avatar"]?.string }
    bio = view["description"]?.string.flatMap { $0.isEmpty ? nil : InlineText($0) }
    website = view["website"]?.string
    joinedAt = view["createdAt"]?.string.flatMap { Timestamp(iso8601: $0) }
    isVerified = view["verification"]?["verifiedStatus"]?.string.map { $0 == "valid" }
    followers = view["followersCount"]?.int
    following = view["followsCount"]?.int
    posts = view["postsCount"]?.int
    observedAt = now
  }
}
