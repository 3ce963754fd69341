import ThreadModel

/// A thread to be found: a conversation, and whose chain in it.
struct XTarget: Sendable {
  /// The id of the conversation's first post.
  var conversation: String
  var author: String
  /// The post that led here.
  var given: String?
  var replies: Bool
  var known: Conversation?

}

extension XFetchIndex {
  /// What stands before the first post of a chain of one author's.
  enum Top: Hashable {
    /// Nothing: it begins the conversation, or nobody says what it answers.
    case opens
    /// A post of the same author's that was not seen.
    case follows(String)
    /// Somebody else's post.
    case answers(String)
  }

  /// Whether the thread's author began the conversation; where nobody knows who did, they are taken to have.
  func isOwn(_ target: XTarget) -> Bool {
    beginner(ofConversation: target.conversation).map { $0 == target.author } ?? true
  }

  /// Who wrote the first post: as it says or, where it is missing, as a direct answer to it says.
  private func beginner(ofConversation id: String) -> String? {
    if let author = self[id]?.author { return author }
    let first = current(id)
    let answers = posts(ofConversation: id).filter {
      $0.parent.map(current) == first && $0.parentAuthor != nil
    }
    return answers.min { XID.precedes($0.id, $1.id) }?.parentAuthor
  }

  /// The first post of a chain, and what stands before it.
  struct Chain: Hashable {
    var first: String
    var top: Top
  }

  /// For each of the author's posts in the conversation, the chain that it is in: replies are followed upwards while they are
  /// the author's own.
  func chains(of target: XTarget) -> [String: Chain] {
    var chains: [String: Chain] = [:]
    for post in posts(ofConversation: target.conversation) where post.author == target.author {
      var path: [String] = []
      var visited: Set<String> = []
      var first = post.id
      var chain: Chain?
      while chain == nil {
        chain = chains[first]
        guard chain == nil else { break }
        path.append(first)
        let top = visited.insert(first).inserted ? step(from: &first, by: target.author) : .opens
        chain = top.map { Chain(first: first, top: $0) }
      }
      for id in path { chains[id] = chain }
    }
    return chains
  }

  /// Goes from a post to the one of the same author's that it answers; where there is none, says what stands there.
  private func step(from id: inout String, by author: String) -> Top? {
    guard let post = facts[id], let parent = post.parent else { return .opens }
    guard let before = self[parent], let writer = before.author else {
      let isOwn = post.parentAuthor.map { $0 == author } ?? true
      return isOwn ? .follows(current(parent)) : .answers(current(parent))
    }
    guard writer == author else { return .answers(before.id) }
    id = before.id
    return nil
  }

  /// The posts that belong to the thread: the author's own chain and what it answers and, where wanted, others' replies.
  func members(of target: XTarget) -> Set<String> {
    let chains = chains(of: target)
    var kept = chain(of: target, among: chains)
    for id in kept {
      if case .answers(let parent)? = chains[id]?.top, facts[parent] != nil { kept.insert(parent) }
    }
    if let first = self[target.conversation] { kept.insert(first.id) }
    guard target.replies else { return kept }
    let all = posts(ofConversation: target.conversation)
    let lost =
      removed.isEmpty ? [] : answers(among: all, below: { removed.contains($0) && !seen.contains($0) })
    let below = isOwn(target) ? nil : answers(among: all, below: kept.contains)
    for post in all where !lost.contains(post.id) && below?.contains(post.id) ?? true { kept.insert(post.id) }
    return kept
  }

  /// The author's own posts of the thread.
  func chain(of target: XTarget) -> Set<String> { chain(of: target, among: chains(of: target)) }

  private func chain(of target: XTarget, among chains: [String: Chain]) -> Set<String> {
    let given = target.given.flatMap { chains[current($0)]?.first }
    let isOwn = isOwn(target)
    return Set(
      chains.filter { _, chain in
        guard case .answers = chain.top else { return true }
        // Without a post that led here, every chain in another's conversation is as good.
        return chain.first == given || (given == nil && !isOwn)
      }.keys)
  }

  /// Which posts answer, directly or through others, one of those marked.
  ///
  /// Every post on the way upwards is remembered with what was found above it, so that all of them together take linear time.
  func answers(among posts: [XPostFacts], below isMarked: (String) -> Bool) -> Set<String> {
    var isBelow: [String: Bool] = [:]
    for post in posts where isBelow[post.id] == nil {
      var path = [post.id]
      var visited: Set<String> = [post.id]
      var found = false
      var next = post.parent.map(current)
      while let id = next {
        guard visited.insert(id).inserted else {
          // A circle: of the posts on it, only the first was not looked at on the way.
          found = id == post.id && isMarked(id)
          break
        }
        found = isMarked(id)
        if found { break }
        if let known = isBelow[id] {
          found = known
          break
        }
        path.append(id)
        next = facts[id]?.parent.map(current)
      }
      for id in path { isBelow[id] = found }
    }
    return Set(isBelow.lazy.filter(\.value).map(\.key))
  }

  // MARK: What is missing

  /// Ids that the thread refers to and of which not all is known that a page shows: posts missing in the middle, the
  /// ones that are answered, and quoted ones to two levels, as assembling them follows quotes.
  func wanted(by target: XTarget) -> Set<String> {
    let members = members(of: target)
    var wanted = members.union([current(target.conversation)])
    for id in members {
      guard let post = facts[id] else { continue }
      let isAuthors = post.author == target.author
      if isAuthors || target.replies, let parent = post.parent { wanted.insert(current(parent)) }
      // An edit that came after the version seen.
      if let last = post.versions.last { wanted.insert(last) }
      guard isAuthors, let quoted = post.quoted else { continue }
      wanted.insert(current(quoted))
      if let inner = self[quoted]?.quoted { wanted.insert(current(inner)) }
    }
    return wanted.filter { !isSettled($0) }
  }
}
