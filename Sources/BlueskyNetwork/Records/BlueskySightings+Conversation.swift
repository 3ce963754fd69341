import JSONText
import ThreadModel

extension BlueskySightings {
  /// The root of the conversation that a post is in.
  func root(of address: RecordAddress) -> RecordAddress {
    if let root = roots[address] { return root }
    // A reply that names no root: up, as far as it is known.
    var (place, seen) = (address, Set([address]))
    while let parent = parents[place], seen.insert(parent).inserted { place = parent }
    return place
  }

  /// The posts of one account in a conversation.
  func posts(of did: String, in root: RecordAddress) -> [RecordAddress] {
    posts.keys.filter { $0.did == did && self.root(of: $0) == root }
  }

  /// Posts of the account that continue each other, from the root or from an answer to somebody else: the longest of these lines.
  func longestChain(of did: String, in root: RecordAddress) -> Int {
    var lengths: [RecordAddress: Int] = [:]
    for address in posts(of: did, in: root) {
      var line: [RecordAddress] = []
      var place: RecordAddress? = address
      while let each = place, each.did == did, lengths[each] == nil, !line.contains(each) {
        line.append(each)
        place = parents[each]
      }
      var length = place.flatMap { lengths[$0] } ?? 0
      for each in line.reversed() {
        length += 1
        lengths[each] = length
      }
    }
    return lengths.values.max() ?? 0
  }

  /// One account's thread, with what it answers and quotes.
  ///
  /// - Parameter withReplies: whether everybody's posts of the conversation are in it.
  func conversation(root: RecordAddress, by did: String, withReplies: Bool) -> Conversation {
    var result = Conversation(id: root.postID, authorID: AuthorID(did, on: .bluesky))
    var own = Set(
      posts.keys.filter { self.root(of: $0) == root && ($0.did == did || withReplies || $0 == root) })
    // What the author's posts answer, as far as it is of the conversation.
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

  /// So many captions may a film have (`app.bsky.embed.video`).
  private static let mostCaptions = 20

  /// Says where the films of an account are, and what is said in them: on its own server.
  mutating func locateFilms(of did: String, on server: String) {
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

extension SourceKind {
  /// What the AppView and the accounts' own servers answer.
  static let blueskyAPI: SourceKind = "bluesky-api"
}
