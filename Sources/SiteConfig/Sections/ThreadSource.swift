import Basics
package import ThreadModel

/// An entry of `sources`: a source from which threads are fetched and updated.
package enum ThreadSource: Sendable, Equatable {
  /// A thread, by the URL of any of its posts.
  case post(Post)
  /// An archive that a user downloaded from a network.
  case archive(Archive)
  /// All threads of an account.
  case account(Account)
  /// All threads that a search finds.
  case search(Search)
}

extension ThreadSource {
  /// A single thread.
  package struct Post: Sendable, Equatable {
    package var post: PostReference
    /// Whether replies by other authors are fetched and shown.
    package var replies = false

    package init(_ post: PostReference) { self.post = post }
  }

  /// Threads from an archive that a user downloaded from a network.
  package struct Archive: Sendable, Equatable {
    /// The path of the archive, relative to the site's folder or absolute.
    package var path: String
    package var limits = Limits()
    /// Whether threads with an unlisted first post are imported: visible to everybody, but in no public list.
    package var unlisted = false
    /// Whether the archive belongs to the site's owner, so that accounts with a limited audience are also imported.
    package var own = false
    /// The account of an archive that does not name it.
    package var account: AccountReference?

    package init(path: String) { self.path = path }
  }

  /// The threads of an account.
  package struct Account: Sendable, Equatable {
    package var account: AccountReference
    package var limits = Limits()
    /// Whether threads with an unlisted first post are fetched: visible to everybody, but in no public list.
    package var unlisted = false
    /// Whether replies by other authors are fetched and shown.
    package var replies = false

    package init(_ account: AccountReference) { self.account = account }
  }

  /// The threads that a search finds.
  package struct Search: Sendable, Equatable {
    /// The query in the network's own search syntax.
    package var query: String
    /// The network that is searched.
    package var platform: Platform
    /// The maximum number of threads; `nil` for no limit.
    package var limit: Int?

    package init(query: String, on platform: Platform) {
      self.query = query
      self.platform = platform
    }
  }

  /// The conditions that threads of a source must meet.
  package struct Limits: Sendable, Equatable {
    /// The minimum number of posts in a thread; `nil` for 2.
    package var minPosts: Int?
    /// The first day of the period, included, in the site's time zone.
    package var since: CalendarDay?
    /// The last day of the period, included, in the site's time zone.
    package var until: CalendarDay?

    package init() {}

    fileprivate func check(_ value: ConfigValue, problems: inout ProblemList) {
      if let since, let until, until < since {
        problems.error("since (\(since)) is later than until (\(until))", at: value)
      }
    }
  }
}

// MARK: The keys of each kind of entry

/// The keys of an entry with `post`.
private struct PostFields: ConfigSection {
  var post: PostReference?
  var replies = false

  package static let defaults = PostFields()

  package static let fields: [ConfigField<PostFields>] = [
    ConfigField("post", \.post, .post, isRequired: true),
    ConfigField("replies", \.replies, .flag),
  ]

  var source: ThreadSource? {
    guard let post else { return nil }
    var result = ThreadSource.Post(post)
    result.replies = replies
    return .post(result)
  }
}

/// The keys of an entry with `account`.
private struct AccountFields: ConfigSection {
  var account: AccountReference?
  var limits = ThreadSource.Limits()
  var unlisted = false
  var replies = false

  package static let defaults = AccountFields()

  package static let fields: [ConfigField<AccountFields>] = [
    ConfigField("account", \.account, .account, isRequired: true),
    ConfigField("min_posts", \.limits.minPosts, .integer(in: 1...10_000)),
    ConfigField("since", \.limits.since, .day),
    ConfigField("until", \.limits.until, .day),
    ConfigField("unlisted", \.unlisted, .flag),
    ConfigField("replies", \.replies, .flag),
  ]

  package func check(_ value: ConfigValue, problems: inout ProblemList) {
    limits.check(value, problems: &problems)
  }

  var source: ThreadSource? {
    guard let account else { return nil }
    var result = ThreadSource.Account(account)
    result.limits = limits
    result.unlisted = unlisted
    result.replies = replies
    return .account(result)
  }
}

/// The keys of an entry with `archive`.
private struct ArchiveFields: ConfigSection {
  var archive: String?
  var limits = ThreadSource.Limits()
  var unlisted = false
  var own = false
  var by: AccountReference?

  package static let defaults = ArchiveFields()

  package static let fields: [ConfigField<ArchiveFields>] = [
    ConfigField("archive", \.archive, .path, isRequired: true),
    ConfigField("min_posts", \.limits.minPosts, .integer(in: 1...10_000)),
    ConfigField("since", \.limits.since, .day),
    ConfigField("until", \.limits.until, .day),
    ConfigField("unlisted", \.unlisted, .flag),
    ConfigField("own", \.own, .flag),
    ConfigField("by", \.by, .account),
  ]

  package func check(_ value: ConfigValue, problems: inout ProblemList) {
    limits.check(value, problems: &problems)
  }

  var source: ThreadSource? {
    guard let archive else { return nil }
    var result = ThreadSource.Archive(path: archive)
    result.limits = limits
    result.unlisted = unlisted
    result.own = own
    result.account = by
    return .archive(result)
  }
}

/// The keys of an entry with `search`.
private struct SearchFields: ConfigSection {
  var search: ThreadSource.Search?
  var limit: Int?

  package static let defaults = SearchFields()

  package static let fields: [ConfigField<SearchFields>] = [
    // 1024 is the longest query of X's full-archive search.
    ConfigField("search", \.search, .search, isRequired: true),
    ConfigField("limit", \.limit, .integer(in: 1...10_000)),
  ]

  var source: ThreadSource? {
    guard var result = search else { return nil }
    result.limit = limit
    return .search(result)
  }
}

extension ValueReader where Value == ThreadSource.Search {
  /// The URL of a hashtag, or words with X's search operators.
  fileprivate static var search: ValueReader {
    ValueReader { value, problems in
      guard let text = ValueReader<String>.line(upTo: 1024).read(value, &problems) else { return nil }
      do throws(InvalidValue) {
        let (platform, query) = try problems.addresses.search(text)
        return ThreadSource.Search(query: query, on: platform)
      } catch {
        problems.error(error.message, at: value)
        return nil
      }
    }
  }
}

// MARK: Reading an entry

extension ThreadSource {
  /// An entry has exactly one of these keys. It determines the kind of the entry.
  private static let kinds = ["post", "account", "search", "archive"]

  private static let keysOfKinds: [String: [String]] = [
    "post": PostFields.fields.map(\.key),
    "account": AccountFields.fields.map(\.key),
    "search": SearchFields.fields.map(\.key),
    "archive": ArchiveFields.fields.map(\.key),
  ]

  /// Keys that change a single thread. Entries of `sources` cannot have them.
  private static let keysOfThreads = ThreadEntry.keys.filter { $0 != "replies" }

  /// The keys of all kinds without duplicates, in the order of their declarations.
  fileprivate static let allKeys: [String] = {
    var keys: [String] = []
    for key in kinds.flatMap({ keysOfKinds[$0] ?? [] }) where !keys.contains(key) { keys.append(key) }
    return keys
  }()

  fileprivate static func read(_ value: ConfigValue, problems: inout ProblemList) -> ThreadSource? {
    problems.remember(value)
    switch value.node.content {
    case .scalar where !value.node.isNull:
      return ValueReader.post.read(value, &problems).map { .post(Post($0)) }
    case .mapping(let entries):
      guard let kind = kind(of: entries, in: value, problems: &problems) else { return nil }
      let usable = withoutKeysOfOtherKinds(entries, kind: kind, in: value, problems: &problems)
      return read(
        ConfigValue(node: ConfigNode(content: .mapping(usable), mark: value.node.mark), path: value.path),
        as: kind, problems: &problems)
    default:
      problems.error(
        "expected the URL of a post, or a mapping with one of \(kinds.joined(separator: ", ")); found"
          + " \(value.node.kind)", at: value)
      return nil
    }
  }

  private static func read(
    _ value: ConfigValue, as kind: String, problems: inout ProblemList
  ) -> ThreadSource? {
    switch kind {
    case "post": ValueReader<PostFields>.section.read(value, &problems)?.source
    case "account": ValueReader<AccountFields>.section.read(value, &problems)?.source
    case "archive": ValueReader<ArchiveFields>.section.read(value, &problems)?.source
    default: ValueReader<SearchFields>.section.read(value, &problems)?.source
    }
  }

  private static func kind(
    of entries: [ConfigNode.Entry], in value: ConfigValue, problems: inout ProblemList
  ) -> String? {
    let found = entries.filter { kinds.contains($0.key) }
    if found.count == 1 { return found[0].key }
    if found.isEmpty {
      // One of these keys may be misspelled; a suggestion is then more useful than an error about the missing key.
      var isExplained = false
      for entry in entries where !allKeys.contains(entry.key) {
        if keysOfThreads.contains(entry.key) {
          isExplained = true
          problems.error(
            "\(quoted(entry.key)) changes a thread; move it to an entry of threads", at: entry.keyMark,
            path: value.path(of: entry.key))
          continue
        }
        let nearest = Suggestion.nearest(to: entry.key, among: allKeys)
        isExplained = isExplained || nearest.map(kinds.contains) == true
        problems.error(
          "unknown key \(quoted(entry.key))\(Suggestion.phrase(for: entry.key, among: allKeys))",
          at: entry.keyMark, path: value.path(of: entry.key))
      }
      guard !isExplained else { return nil }
      problems.error("an entry needs one of \(kinds.joined(separator: ", "))", at: value)
    } else {
      let names = found.map(\.key).joined(separator: " and ")
      problems.error(
        "an entry has only one of \(kinds.joined(separator: ", ")), and this one has \(names); make one entry for"
          + " each", at: found[1].keyMark, path: value.path)
    }
    return nil
  }

  /// Returns the entries without the keys of other kinds and of `threads`, and adds an error for each of these.
  private static func withoutKeysOfOtherKinds(
    _ entries: [ConfigNode.Entry], kind: String, in value: ConfigValue, problems: inout ProblemList
  ) -> [ConfigNode.Entry] {
    entries.filter { entry in
      if keysOfKinds[kind]?.contains(entry.key) == true { return true }
      let owners = kinds.filter { keysOfKinds[$0]?.contains(entry.key) == true }.joined(separator: " or ")
      let advice: String
      if !owners.isEmpty {
        advice = "\(quoted(entry.key)) goes with \(owners), not with \(kind)"
      } else if keysOfThreads.contains(entry.key) {
        advice =
          "\(quoted(entry.key)) changes a thread; move it to an entry of threads"
      } else {
        return true
      }
      problems.error(advice, at: entry.keyMark, path: value.path(of: entry.key))
      return false
    }
  }
}

extension ValueReader where Value == [ThreadSource] {
  static var threadSources: ValueReader {
    let elements = ValueReader<ThreadSource>(nestedKeys: ThreadSource.allKeys.map { "." + $0 }) {
      value, problems in ThreadSource.read(value, problems: &problems)
    }
    let list = ValueReader.list(of: elements)
    return ValueReader(nestedKeys: list.nestedKeys) { value, problems in
      guard let sources = list.read(value, &problems) else { return nil }
      if case .list(let nodes) = value.node.content {
        problems.refuseRepeatedPosts(nodes, named: "post", in: value)
      }
      return sources
    }
  }
}
