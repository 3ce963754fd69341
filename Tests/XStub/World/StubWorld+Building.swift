package import Foundation

extension StubWorld {
  /// Adds a user with an avatar that is drawn from the name.
  @discardableResult
  package mutating func user(
    _ username: String, name: String? = nil, bio: StubText = "", createdAt: Date? = nil,
    change: (inout StubUser) -> Void = { _ in }
  ) -> StubUser {
    let created = createdAt ?? Date(timeIntervalSince1970: 1_500_000_000 + Double(counter) * 86_400)
    let id = newID(at: created)
    var user = StubUser(id: id, username: username, name: name ?? username, createdAt: id.date)
    user.bio = withShortLinks(bio)
    user.avatar = "/media/profile_images/\(id)/\(username)_normal.png"
    change(&user)
    if user.website != nil, user.website?.short == nil { user.website?.short = newShortLink() }
    users[id] = user
    idsByName[username.lowercased()] = id
    return user
  }

  /// Adds a post and returns its ID.
  ///
  /// A reply to another user begins with that user's handle, as on X; a reply to the same user does not.
  @discardableResult
  package mutating func post(
    by author: StubUser, _ text: StubText, at date: Date, replyingTo parent: StubID? = nil,
    quoting quoted: StubID? = nil, media: [StubMedia] = [], poll: StubPoll? = nil, note: StubText? = nil,
    lang: String = "en", change: (inout StubPost) -> Void = { _ in }
  ) -> StubID {
    var media = media
    for index in media.indices { media[index].id = newID(at: date.addingTimeInterval(-1)) }
    var poll = poll
    poll?.id = newID(at: date)
    let id = newID(at: date)
    var post = StubPost(
      id: id, author: author.id, text: withShortLinks(text), conversation: id, history: [id])
    post.lang = lang
    post.note = note.map { withShortLinks($0) }
    post.media = media
    post.poll = poll
    if !media.isEmpty { post.mediaLink = newShortLink() }
    post.quotes = quoted
    if quoted != nil { post.quoteLink = newShortLink() }
    if let parent { reply(to: parent, with: &post) }
    change(&post)
    posts[id] = post
    return id
  }

  private func reply(to parent: StubID, with post: inout StubPost) {
    post.replyTo = parent
    guard let original = posts[parent] else { return }
    post.conversation = original.conversation
    post.replyToUser = original.author
    if original.author != post.author, let name = users[original.author]?.username {
      post.text.pieces.insert(contentsOf: [.mention(name), .plain(" ")], at: 0)
    }
  }

  /// Adds a thread, in which each post is a reply to the previous post.
  @discardableResult
  package mutating func thread(
    by author: StubUser, posts texts: [StubText], startingAt start: Date, every seconds: Double = 60,
    replyingTo parent: StubID? = nil
  ) -> [StubID] {
    var ids: [StubID] = []
    for (index, text) in texts.enumerated() {
      let date = start.addingTimeInterval(Double(index) * seconds)
      ids.append(post(by: author, text, at: date, replyingTo: ids.last ?? parent))
    }
    return ids
  }

  /// Adds a repost of a post and returns its ID.
  @discardableResult
  package mutating func repost(of original: StubID, by user: StubUser, at date: Date) -> StubID {
    let name = posts[original].flatMap { users[$0.author] }?.username ?? ""
    let text = StubText(
      pieces: [.plain("RT "), .mention(name), .plain(": ")] + (posts[original]?.text.pieces ?? []))
    return post(by: user, text, at: date) { $0.reposts = original }
  }

  /// Edits a post: the post gets a new ID, and the old version can still be looked up. The ID of its conversation is unchanged, even if
  /// the first post is edited (which is not documented).
  @discardableResult
  package mutating func edit(_ id: StubID, to text: StubText, at date: Date) -> StubID {
    guard var edited = posts[id] else { return id }
    let newID = newID(at: date)
    edited.id = newID
    edited.text = withShortLinks(text)
    edited.history.append(newID)
    for version in edited.history.dropLast() { posts[version]?.history = edited.history }
    posts[newID] = edited
    return newID
  }

  package mutating func follow(_ user: StubUser, by follower: StubUser) {
    users[user.id]?.followers.append(follower.id)
  }

  private mutating func withShortLinks(_ text: StubText) -> StubText {
    var text = text
    for index in text.pieces.indices {
      guard case .link(var link) = text.pieces[index], link.short == nil else { continue }
      link.short = newShortLink()
      text.pieces[index] = .link(link)
    }
    return text
  }
}
