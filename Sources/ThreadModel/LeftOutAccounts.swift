import Basics
import Synchronization

/// Accounts that a site leaves out completely: their posts, quotes of them, and every text that names them.
///
/// Conversations are cleared of these accounts only here, so that saving, reading, showing and exporting all have the same result. If a reader would
/// miss what was removed, a neutral mark replaces it: a tombstone for a post, `@…` for a name. A name without an `@` in another person's text is
/// kept, as no rule can tell it from an ordinary word.
package struct LeftOutAccounts: Sendable {
  /// One account, identified by its name, by its permanent id, or by both.
  package struct Account: Hashable, Sendable {
    package let platform: Platform
    /// In lower case, with the server's name on networks that have several.
    package let name: String?
    package let id: AuthorID?

    package init(platform: Platform, name: String?, id: AuthorID?) {
      self.platform = platform
      self.name = name?.lowercased()
      self.id = id
    }
  }

  /// Counts what was left out while conversations were saved.
  package final class Counter: Sendable {
    private let state = Mutex((threads: Set<PostID>(), posts: Set<PostID>()))

    package var threads: Int { state.withLock { $0.threads.count } }
    package var posts: Int { state.withLock { $0.posts.count } }

    fileprivate func add(thread: PostID) { state.withLock { _ = $0.threads.insert(thread) } }
    fileprivate func add(posts: Set<PostID>) { state.withLock { $0.posts.formUnion(posts) } }
  }

  package static let none = LeftOutAccounts([], leadsTo: { _ in nil })
  /// The replacement for a name in every language.
  package static let mark = "@…"

  package let accounts: [Account]
  package let counter = Counter()
  /// Returns the account that an address leads to, as its page or as one of its posts; `nil` for other addresses.
  private let leadsTo: @Sendable (String) -> Account?
  private let base: Scope

  package init(_ accounts: [Account], leadsTo: @escaping @Sendable (String) -> Account?) {
    self.accounts = accounts
    self.leadsTo = leadsTo
    var base = Scope()
    for account in accounts {
      if let name = account.name { base.names.insert(Name(account.platform, name)) }
      if let id = account.id { base.ids.insert(id) }
    }
    self.base = base
  }

  package var isEmpty: Bool { accounts.isEmpty }

  /// Returns these accounts and additional accounts whose ids were found.
  package func adding(_ ids: Set<AuthorID>) -> LeftOutAccounts {
    LeftOutAccounts(
      accounts + ids.sorted().map { Account(platform: $0.platform, name: nil, id: $0) }, leadsTo: leadsTo)
  }

  /// Texts in lower case: a file that mentions any of these accounts contains at least one of them.
  package var marks: Set<String> {
    Set(
      accounts.flatMap { account in
        [
          account.name.map { $0.split(separator: "@").first.map(String.init) ?? $0 },
          account.id?.value.lowercased(),
        ]
        .compactMap(\.self)
      })
  }

  /// Whether an account is one of these accounts.
  package func holds(_ id: AuthorID, handle: String? = nil) -> Bool {
    !isEmpty && base.holds(id, handle)
  }

  /// Whether a thread is by one of these accounts, so that it is not kept at all.
  package func holdsAuthor(of conversation: Conversation) -> Bool {
    guard !isEmpty else { return false }
    return scope(conversation.authors, conversation.tombstones, on: conversation.platform).ids.contains(
      conversation.authorID)
  }

  /// Whether a thread is by one of these accounts; if it is, the thread is counted.
  package func refuses(_ conversation: Conversation) -> Bool {
    guard holdsAuthor(of: conversation) else { return false }
    counter.add(thread: conversation.id)
    return true
  }
}

/// Names and ids together, so that one can be looked up by the other.
private struct Name: Hashable, Sendable {
  let platform: Platform
  let name: String

  init(_ platform: Platform, _ name: String) {
    self.platform = platform
    self.name = name.lowercased()
  }
}

private struct Scope: Sendable {
  var names: Set<Name> = []
  var ids: Set<AuthorID> = []

  func holds(_ id: AuthorID, _ handle: String?) -> Bool {
    ids.contains(id) || handle.map { holds($0, on: id.platform, of: id.authority) } ?? false
  }

  /// - Parameter server: the server whose users may be named without its name.
  func holds(_ handle: String, on platform: Platform, of server: String?) -> Bool {
    names.contains(Name(platform, handle))
      || server.map { !handle.contains("@") && names.contains(Name(platform, "\(handle)@\($0)")) } ?? false
  }
}

extension LeftOutAccounts {
  /// Returns the scope of one conversation: also the names that belong to known ids, and the ids that belong to known names.
  private func scope(_ authors: [Author], _ tombstones: [Tombstone], on platform: Platform) -> Scope {
    var scope = base
    for author in authors where base.holds(author.id, author.handle) {
      scope.ids.insert(author.id)
      if let handle = author.handle, !handle.isEmpty { scope.names.insert(Name(author.id.platform, handle)) }
    }
    for stone in tombstones {
      guard let author = stone.authorID, base.holds(author, stone.handle) else { continue }
      scope.ids.insert(author)
      if let handle = stone.handle, !handle.isEmpty { scope.names.insert(Name(platform, handle)) }
    }
    return scope
  }

  /// Returns a function that tells whether the last part of an address contains a name of one of these accounts, as far as a conversation knows their
  /// names.
  package func namesInAddresses(of conversation: Conversation) -> @Sendable (String) -> Bool {
    let scope = scope(conversation.authors, conversation.tombstones, on: conversation.platform)
    let words = Set(
      scope.names.flatMap { name -> [String] in
        let own = name.name.split(separator: "@").first.map(String.init) ?? name.name
        // Titles become parts of addresses in this form.
        return [own, String(own.map { $0.isLetter || $0.isNumber ? $0 : "-" })]
      })
    return { address in
      let part = address.lowercased().split(separator: "/").last.map(String.init) ?? ""
      return words.contains { "-\(part)-".contains("-\($0)-") }
    }
  }

  /// Returns a conversation without these accounts.
  ///
  /// - Parameter counts: whether the posts that are removed are counted.
  package func clearing(_ conversation: Conversation, counts: Bool = false) -> Conversation {
    guard !isEmpty else { return conversation }
    let scope = scope(conversation.authors, conversation.tombstones, on: conversation.platform)
    let words = Words(scope, leadsTo: leadsTo)
    var gone = Set(
      (conversation.posts + conversation.related).filter { scope.ids.contains($0.authorID) }.map(\.id))
    if counts, !gone.isEmpty { counter.add(posts: gone) }
    for stone in conversation.tombstones
    where stone.authorID.map(scope.ids.contains) ?? false
      || stone.handle.map({ scope.holds($0, on: stone.id.platform, of: stone.id.authority) }) ?? false
    {
      gone.insert(stone.id)
    }
    var result = conversation
    /// Substitute ids for removed posts that other posts refer to.
    var named: Set<PostID> = []
    func neutral(_ id: PostID?) -> PostID? {
      guard let id else { return nil }
      // A post's id on Bluesky contains the account's id.
      let isTheirs =
        gone.contains(id) || id.authority.map { scope.ids.contains(AuthorID($0, on: id.platform)) } ?? false
      guard isTheirs else { return id }
      let other = PostID("left-out-" + ContentHash.of("\(id)".utf8), on: id.platform)
      named.insert(other)
      return other
    }
    func clear(_ posts: [Post]) -> [Post] {
      posts.compactMap { post in
        guard !scope.ids.contains(post.authorID) else { return nil }
        var facts = post.facts
        let quotes = neutral(facts.quotes)
        // The link to the quoted post may name neither the account nor its id.
        if quotes != facts.quotes { facts.text = facts.text.withoutQuoteLine { _ in true } }
        facts.quotes = quotes
        words.clear(&facts)
        facts.inReplyTo = neutral(facts.inReplyTo)
        if facts.inReplyToAuthor.map(scope.ids.contains) ?? false { facts.inReplyToAuthor = nil }
        return facts == post.facts ? post : Post(facts)
      }
    }
    result.posts = clear(conversation.posts)
    result.related = clear(conversation.related)
    result.authors = conversation.authors.compactMap { author in
      scope.ids.contains(author.id) && author.id != conversation.authorID ? nil : words.clearing(author)
    }
    result.tombstones = conversation.tombstones.compactMap { stone in
      guard gone.contains(stone.id) else {
        var stone = stone
        stone.detail = stone.detail.map { words.clearing($0) }
        return stone
      }
      return nil
    }
    result.tombstones += named.subtracting(result.tombstones.map(\.id)).sorted().map {
      Tombstone(id: $0, reason: .leftOut)
    }
    return result
  }

  /// Returns a profile without these accounts.
  package func clearing(_ profile: Profile) -> Profile {
    guard !isEmpty else { return profile }
    let scope = scope(profile.followers + [profile.author], [], on: profile.author.id.platform)
    let words = Words(scope, leadsTo: leadsTo)
    var result = profile
    result.author = words.clearing(profile.author)
    result.followers = profile.followers.filter { !scope.ids.contains($0.id) }.map { words.clearing($0) }
    return result
  }

  /// Returns another person's record without mentions of these accounts.
  package func clearing(_ author: Author) -> Author {
    isEmpty ? author : Words(base, leadsTo: leadsTo).clearing(author)
  }
}

/// Removes names from texts.
private struct Words {
  private let scope: Scope
  private let leadsTo: @Sendable (String) -> LeftOutAccounts.Account?
  /// In lower case; a text that contains none of them mentions none of the accounts.
  private let needles: [String]

  init(_ scope: Scope, leadsTo: @escaping @Sendable (String) -> LeftOutAccounts.Account?) {
    self.scope = scope
    self.leadsTo = leadsTo
    var needles = Set(scope.names.map { $0.name.split(separator: "@").first.map(String.init) ?? $0.name })
    // Short numbers are omitted, as they occur within many other numbers.
    needles.formUnion(scope.ids.map { $0.value.lowercased() }.filter { $0.utf8.count > 4 })
    self.needles = needles.sorted()
  }

  private func mayName(_ text: String) -> Bool {
    let text = text.lowercased()
    return needles.contains { text.contains($0) }
  }

  private func isTheirs(_ address: String?) -> Bool {
    guard let address, mayName(address), let account = leadsTo(address) else { return false }
    return account.id.map(scope.ids.contains) ?? false
      || account.name.map { scope.names.contains(Name(account.platform, $0)) } ?? false
  }

  // MARK: Texts

  /// Returns a text without addresses and `@name`s of these accounts.
  func clearing(_ text: String) -> String {
    guard mayName(text) else { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    var word = ""
    func finish() {
      guard !word.isEmpty else { return }
      result += clearing(word: word)
      word = ""
    }
    for character in text {
      if character.isWhitespace {
        finish()
        result.append(character)
      } else {
        word.append(character)
      }
    }
    finish()
    return result
  }

  /// Clears a part of a text that contains no white space.
  private func clearing(word: String) -> String {
    guard mayName(word) else { return word }
    let core = word.drop { "([{<\"'“‘«".contains($0) }
    let start = word.dropLast(core.count)
    let end = core.reversed().prefix { ".,;:!?)]}>\"'”’»…".contains($0) }.count
    let inner = String(core.dropLast(end))
    if inner.contains("/") || inner.hasPrefix("did:"), isTheirs(inner) || isNamed(inner) {
      return start + LeftOutAccounts.mark + String(core.suffix(end))
    }
    return clearingNames(word)
  }

  /// Whether a text is or contains the id of one of these accounts.
  private func isNamed(_ text: String) -> Bool {
    let text = text.lowercased()
    return scope.ids.contains { $0.value.utf8.count > 4 && text.contains($0.value.lowercased()) }
      || !clearingNames(text).elementsEqual(text)
  }

  /// Returns a text with `@…` for each `@name`.
  private func clearingNames(_ text: String) -> String {
    var rest = text[...]
    var result = ""
    // The character before an `@` that begins a name cannot be part of a name.
    var previous: Character?
    while let character = rest.first {
      if character == "@", previous.map({ !Self.isOfName($0) }) ?? true,
        let length = name(in: rest.dropFirst())
      {
        result += LeftOutAccounts.mark
        rest = rest.dropFirst(1 + length)
      } else {
        result.append(character)
        rest = rest.dropFirst()
      }
      previous = character
    }
    return result
  }

  /// Returns the length in characters of the complete name that a text begins with, if it is a name of these accounts.
  private func name(in text: Substring) -> Int? {
    let lower = text.lowercased()
    return scope.names.map(\.name).filter { name in
      guard lower.hasPrefix(name) else { return false }
      let behind = lower.dropFirst(name.count)
      guard let next = behind.first else { return true }
      // A dot at the end belongs to the sentence.
      if next == "." { return behind.dropFirst().first.map { !Self.isOfName($0) } ?? true }
      return !Self.isOfName(next) && next != "@"
    }.map(\.count).max()
  }

  private static func isOfName(_ character: Character) -> Bool {
    character == "_" || character == "-" || character.isLetter || character.isNumber
  }

  func clearing(_ text: InlineText) -> InlineText {
    guard mayName(text.text) || text.entities.contains(where: names) else { return text }
    var result = ""
    var entities: [TextEntity] = []
    var length = 0
    for segment in text.segments {
      if let entity = segment.entity {
        let isGone = names(TextEntity(0..<1, entity)) || isNamed(String(segment.text))
        let shown = isGone ? LeftOutAccounts.mark : String(segment.text)
        let count = shown.unicodeScalars.count
        entities.append(
          TextEntity(length..<length + count, isGone ? .mention(handle: "", url: nil) : entity))
        result += shown
        length += count
        continue
      }
      let cleared = clearing(String(segment.text))
      // The marks become mentions with an empty handle, which are shown in the site's language.
      var rest = cleared[...]
      while let range = rest.firstRange(of: LeftOutAccounts.mark) {
        let before = rest[..<range.lowerBound].unicodeScalars.count
        let start = length + before
        let count = LeftOutAccounts.mark.unicodeScalars.count
        entities.append(TextEntity(start..<start + count, .mention(handle: "", url: nil)))
        length = start + count
        rest = rest[range.upperBound...]
      }
      length += rest.unicodeScalars.count
      result += cleared
    }
    return InlineText(result, entities: entities)
  }

  private func names(_ entity: TextEntity) -> Bool {
    switch entity.kind {
    case .mention(let handle, let url):
      if isTheirs(url) { return true }
      let name = handle.lowercased()
      return !name.isEmpty && scope.names.contains { $0.name == name }
    case .link(let url, let short):
      return isTheirs(url) || mayName(url) && isNamed(url) || short.map(isTheirs) ?? false
    case .hashtag, .cashtag, .emoji: return false
    }
  }

  // MARK: Values

  func clear(_ facts: inout Post.Facts) {
    facts.text = clearing(facts.text)
    facts.title = facts.title.map { clearing($0) }
    facts.contentWarning = facts.contentWarning.map { clearing($0) }
    if let poll = facts.poll {
      for index in poll.options.indices {
        facts.poll?.options[index].label = clearing(poll.options[index].label)
      }
    }
    if let card = facts.card {
      if isTheirs(card.url) || mayName(card.url) && isNamed(card.url) {
        facts.card = nil
      } else {
        facts.card?.title = card.title.map { clearing($0) }
        facts.card?.summary = card.summary.map { clearing($0) }
      }
    }
    for index in facts.media.indices {
      facts.media[index].altText = facts.media[index].altText.map { clearing($0) }
      facts.media[index].extra = clearing(facts.media[index].extra)
    }
    facts.extra = clearing(facts.extra)
  }

  func clearing(_ author: Author) -> Author {
    var author = author
    author.name = author.name.map { clearing($0) }
    author.bio = author.bio.map { clearing($0) }
    author.location = author.location.map { clearing($0) }
    if let website = author.website, isTheirs(website) { author.website = nil }
    author.extra = clearing(author.extra)
    return author
  }

  /// Returns an object without the members that mention these accounts.
  private func clearing(_ object: JSONObject) -> JSONObject {
    object.isEmpty ? object : object.filter { !says($0.value) }
  }

  private func says(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool: false
    case .integer(let number): needles.contains(String(number))
    case .number(let text): needles.contains(text)
    case .string(let text):
      mayName(text)
        && (isNamed(text) || isTheirs(text) || needles.contains(text.lowercased())
          || scope.names.contains { $0.name == text.lowercased() })
    case .array(let values): values.contains(where: says)
    case .object(let members): members.contains { says($0.value) }
    }
  }
}
