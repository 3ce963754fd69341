import Basics
import Synchronization

/// Accounts that a site leaves out completely, including their posts, quotes of their posts, and their names in texts.
///
/// Only this type removes these accounts from conversations, so saving, reading, showing and exporting have the same result. If readers would
/// notice a gap, a neutral mark fills it: a tombstone for a post, `@…` for a name. A short name without an `@` in another person's text is kept,
/// because no rule can distinguish it from an ordinary word (`NameMatcher`).
///
/// site.yml contains one name or id of an account. The other names and ids of the person come from the store, and from every conversation and
/// profile that is saved.
package struct LeftOutAccounts: Sendable {
  /// One account, identified by its name, by its permanent id, or by both.
  package struct Account: Hashable, Sendable {
    package let platform: Platform
    /// In lower case, with the server's name on networks with several servers.
    package let name: String?
    package let id: AuthorID?

    package init(platform: Platform, name: String?, id: AuthorID?) {
      self.platform = platform
      self.name = name?.lowercased()
      self.id = id
    }
  }

  /// A handle that an account has, or had.
  package struct KnownName: Hashable, Sendable, Comparable {
    package let id: AuthorID
    /// In lower case, with the server's name on networks with several servers.
    package let handle: String
    /// Whether the handle may belong to another account now: the author of a text chose it, or the account used it in the past.
    package let isClaim: Bool

    package init(id: AuthorID, handle: String, isClaim: Bool = false) {
      self.id = id
      let handle = handle.lowercased()
      self.handle = id.authority.map { handle.contains("@") ? handle : "\(handle)@\($0)" } ?? handle
      self.isClaim = isClaim
    }

    package static func < (lhs: KnownName, rhs: KnownName) -> Bool {
      lhs.id == rhs.id ? lhs.handle < rhs.handle : lhs.id < rhs.id
    }
  }

  /// Counts the posts and threads that were left out while conversations were saved.
  package final class Counter: Sendable {
    private let state = Mutex((threads: Set<PostID>(), posts: Set<PostID>()))

    package var threads: Int { state.withLock { $0.threads.count } }
    package var posts: Int { state.withLock { $0.posts.count } }

    fileprivate func add(thread: PostID) { state.withLock { _ = $0.threads.insert(thread) } }
    fileprivate func add(posts: Set<PostID>) { state.withLock { $0.posts.formUnion(posts) } }
  }

  /// The known names and ids of the accounts.
  private struct People: Sendable {
    var isLoaded = false
    var ids: Set<AuthorID>
    var names: Set<KnownName> = []
    var matcher: NameMatcher
  }

  /// The names and ids, shared by all copies of this value.
  private final class Learned: Sendable {
    let people: Mutex<People>
    init(_ people: People) { self.people = Mutex(people) }
  }

  package static let none = LeftOutAccounts([])
  /// The replacement for a name, in every language.
  package static let mark = "@…"

  package let accounts: [Account]
  package let counter = Counter()
  private let given: Set<NameMatcher.Name>
  private let learned: Learned
  private let isFrontEnd: @Sendable (Platform, String) -> Bool
  private let known: @Sendable ([Account]) -> Set<KnownName>

  /// - Parameters:
  ///   - isFrontEnd: whether a host shows accounts of a network under their names.
  ///   - known: returns the names in the store; called once, before the first search.
  package init(
    _ accounts: [Account], isFrontEnd: @escaping @Sendable (Platform, String) -> Bool = { _, _ in false },
    known: @escaping @Sendable ([Account]) -> Set<KnownName> = { _ in [] }
  ) {
    self.accounts = accounts
    self.isFrontEnd = isFrontEnd
    self.known = known
    given = Set(
      accounts.compactMap { account in account.name.map { NameMatcher.Name(account.platform, $0) } })
    let ids = Set(accounts.compactMap(\.id))
    learned = Learned(People(ids: ids, matcher: NameMatcher(given, ids, isFrontEnd: isFrontEnd)))
  }

  package var isEmpty: Bool { accounts.isEmpty }

  // MARK: People

  private func withPeople<Result>(_ body: (inout sending People) -> sending Result) -> sending Result {
    learned.people.withLock { people in
      if !people.isLoaded {
        people.isLoaded = true
        learn(known(accounts), into: &people)
      }
      return body(&people)
    }
  }

  private var people: People { withPeople { $0 } }

  /// Adds the names and ids of these accounts from a list of names of any accounts. A name that was found by an id does not lead to further ids,
  /// because handles change hands.
  private func learn(_ names: some Sequence<KnownName>, into people: inout People) {
    let before = (people.ids.count, people.names.count)
    for name in names where given.contains(NameMatcher.Name(name.id.platform, name.handle)) && !name.isClaim {
      people.ids.insert(name.id)
    }
    for name in names where people.ids.contains(name.id) && !name.handle.isEmpty { people.names.insert(name) }
    guard before != (people.ids.count, people.names.count) else { return }
    let sure = Set(people.names.filter { !$0.isClaim }.map { NameMatcher.Name($0.id.platform, $0.handle) })
      .union(given)
    let claims = people.names.filter {
      $0.isClaim && !sure.contains(NameMatcher.Name($0.id.platform, $0.handle))
    }
    people.matcher = NameMatcher(
      sure.union(claims.map { NameMatcher.Name($0.id.platform, $0.handle, isClaim: true) }), people.ids,
      isFrontEnd: isFrontEnd)
  }

  private func learn(_ names: [KnownName]) { withPeople { learn(names, into: &$0) } }

  /// All known names of these accounts.
  package var knownNames: Set<KnownName> { people.names }

  /// Texts in lower case. Every file that names one of these accounts contains at least one of the texts.
  package var marks: Set<String> { people.matcher.marks }

  /// Whether an account is one of these accounts.
  package func holds(_ id: AuthorID, handle: String? = nil) -> Bool {
    guard !isEmpty else { return false }
    let name = handle.map { NameMatcher.Name(id.platform, KnownName(id: id, handle: $0).handle) }
    return name.map(given.contains) ?? false || people.ids.contains(id)
  }

  /// Whether a thread is by one of these accounts, so that the whole thread is left out.
  package func holdsAuthor(of conversation: Conversation) -> Bool {
    guard !isEmpty else { return false }
    learn(conversation.knownNames)
    return people.ids.contains(conversation.authorID)
  }

  /// Whether a thread is by one of these accounts; if it is, the thread is counted.
  package func refuses(_ conversation: Conversation) -> Bool {
    guard holdsAuthor(of: conversation) else { return false }
    counter.add(thread: conversation.id)
    return true
  }

  /// Whether the last part of a page's URL names one of these accounts.
  package func isNamed(inAddress address: String) -> Bool {
    guard !isEmpty else { return false }
    return people.matcher.isNamed(inSlug: address.split(separator: "/").last.map(String.init) ?? "")
  }

  /// Whether a text contains the name of one of these accounts, or is such a name.
  package func isNamed(in text: String) -> Bool {
    guard !isEmpty else { return false }
    let matcher = people.matcher
    return matcher.isName(text) || matcher.isNamed(in: text)
  }

  // MARK: Clearing

  /// Returns a conversation without these accounts.
  ///
  /// - Parameter counts: whether to count the removed posts.
  package func clearing(_ conversation: Conversation, counts: Bool = false) -> Conversation {
    guard !isEmpty else { return conversation }
    learn(conversation.knownNames)
    let people = people
    let words = ClearedWords(matcher: people.matcher, platform: conversation.platform)
    var gone = Set(
      (conversation.posts + conversation.related).filter { people.ids.contains($0.authorID) }.map(\.id))
    if counts, !gone.isEmpty { counter.add(posts: gone) }
    for stone in conversation.tombstones where isTheirs(stone, people) { gone.insert(stone.id) }
    var result = conversation
    /// The substitute ids of removed posts that other posts refer to.
    var named: Set<PostID> = []
    func neutral(_ id: PostID?) -> PostID? {
      guard let id else { return nil }
      // The id of a post on Bluesky contains the id of its account.
      let isTheirs =
        gone.contains(id) || id.authority.map { people.ids.contains(AuthorID($0, on: id.platform)) } ?? false
      guard isTheirs else { return id }
      let other = PostID("left-out-" + ContentHash.of("\(id)".utf8), on: id.platform)
      named.insert(other)
      return other
    }
    func clear(_ posts: [Post]) -> [Post] {
      posts.compactMap { post in
        guard !people.ids.contains(post.authorID) else { return nil }
        var facts = post.facts
        let quotes = neutral(facts.quotes)
        // The link may identify the account without its name or id, so the whole line is removed.
        if quotes != facts.quotes { facts.text = facts.text.withoutQuoteLine { _ in true } }
        facts.quotes = quotes
        facts = facts.cleared(by: words)
        facts.inReplyTo = neutral(facts.inReplyTo)
        if facts.inReplyToAuthor.map(people.ids.contains) ?? false { facts.inReplyToAuthor = nil }
        return facts == post.facts ? post : Post(facts)
      }
    }
    result.posts = clear(conversation.posts)
    result.related = clear(conversation.related)
    result.authors = conversation.authors.compactMap { author in
      people.ids.contains(author.id) && author.id != conversation.authorID ? nil : author.cleared(by: words)
    }
    result.tombstones = conversation.tombstones.compactMap { stone in
      gone.contains(stone.id) ? nil : stone.cleared(by: words)
    }
    result.tombstones += named.subtracting(result.tombstones.map(\.id)).sorted().map {
      Tombstone(id: $0, reason: .leftOut)
    }
    return result
  }

  private func isTheirs(_ stone: Tombstone, _ people: People) -> Bool {
    if let author = stone.authorID ?? stone.id.authority.map({ AuthorID($0, on: stone.id.platform) }),
      people.ids.contains(author)
    {
      return true
    }
    guard let handle = stone.handle else { return false }
    let name = KnownName(
      id: stone.authorID ?? AuthorID("", by: stone.id.authority, on: stone.id.platform), handle: handle)
    return given.contains(NameMatcher.Name(name.id.platform, name.handle))
      || stone.authorID == nil && people.names.contains { $0.handle == name.handle }
  }

  /// Returns a profile without these accounts.
  package func clearing(_ profile: Profile) -> Profile {
    guard !isEmpty else { return profile }
    learn((profile.followers + [profile.author]).compactMap(\.knownName))
    let people = people
    let words = ClearedWords(matcher: people.matcher, platform: profile.author.id.platform)
    var result = profile
    result.author = profile.author.cleared(by: words)
    result.followers = profile.followers.filter { !people.ids.contains($0.id) }.map { $0.cleared(by: words) }
    return result
  }

  /// Returns another person's record without mentions of these accounts.
  package func clearing(_ author: Author) -> Author {
    guard !isEmpty else { return author }
    return author.cleared(by: ClearedWords(matcher: people.matcher, platform: author.id.platform))
  }
}

extension Author {
  /// The name that the author has; `nil` if it is unknown.
  package var knownName: LeftOutAccounts.KnownName? {
    handle.flatMap { $0.isEmpty ? nil : LeftOutAccounts.KnownName(id: id, handle: $0) }
  }
}

extension Conversation {
  /// The names of all accounts in the conversation.
  package var knownNames: [LeftOutAccounts.KnownName] {
    var names = authors.compactMap(\.knownName)
    for stone in tombstones {
      guard let author = stone.authorID, let handle = stone.handle, !handle.isEmpty else { continue }
      names.append(LeftOutAccounts.KnownName(id: author, handle: handle))
    }
    for post in posts + related {
      for entity in post.text.entities {
        guard case .mention(let handle, let url, let id) = entity.kind, !handle.isEmpty else { continue }
        if let id {
          names.append(LeftOutAccounts.KnownName(id: AuthorID(id, on: platform), handle: handle))
        } else if let url, let start = url.firstRange(of: "did:") {
          // The author of the text chose the visible name.
          let id = AuthorID(String(url[start.lowerBound...].prefix { $0 != "/" && $0 != "?" }), on: platform)
          names.append(LeftOutAccounts.KnownName(id: id, handle: handle, isClaim: true))
        }
      }
    }
    return names
  }
}
