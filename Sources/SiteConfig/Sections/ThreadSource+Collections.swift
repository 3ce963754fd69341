extension ThreadSource {
  /// Threads out of an archive that a network gave to its user.
  package struct Archive: Sendable, Equatable {
    /// Relative to the site's folder or absolute.
    package var path: String
    package var limits = Limits()

    package init(path: String) {
      self.path = path
    }
  }

  /// The threads of an account.
  package struct Author: Sendable, Equatable {
    package var account: AccountReference
    package var limits = Limits()
    /// Whether the answers of others are fetched, too.
    package var replies = false

    package init(account: AccountReference) {
      self.account = account
    }
  }

  /// The threads that a search on X finds.
  package struct Search: Sendable, Equatable {
    /// In the language of X's search.
    package var query: String
    /// The most threads that are taken; `nil` for no limit of its own.
    package var limit: Int?

    package init(query: String) {
      self.query = query
    }
  }

  /// Which threads of many are taken.
  package struct Limits: Sendable, Equatable {
    /// Shorter threads are left out; `nil` for 2.
    package var minPosts: Int?
    /// The first day, included, in the site's time zone.
    package var since: CalendarDay?
    /// The last day, included, in the site's time zone.
    package var until: CalendarDay?

    package init() {}

    fileprivate func check(_ value: ConfigValue, problems: inout ProblemList) {
      if let since, let until, until < since {
        problems.error("since (\(since)) is later than until (\(until))", at: value)
      }
    }
  }
}

/// The keys of an entry with `archive`.
struct ArchiveFields: ConfigSection {
  var archive: String?
  var limits = ThreadSource.Limits()

  static let defaults = ArchiveFields()

  static let fields: [ConfigField<ArchiveFields>] = [
    ConfigField("archive", \.archive, .path, isRequired: true),
    ConfigField("min_posts", \.limits.minPosts, .integer(in: 1...10_000)),
    ConfigField("since", \.limits.since, .day),
    ConfigField("until", \.limits.until, .day),
  ]

  func check(_ value: ConfigValue, problems: inout ProblemList) { limits.check(value, problems: &problems) }

  var source: ThreadSource? {
    guard let archive else { return nil }
    var result = ThreadSource.Archive(path: archive)
    result.limits = limits
    return .archive(result)
  }
}

/// The keys of an entry with `author`.
struct AuthorFields: ConfigSection {
  var author: AccountReference?
  var limits = ThreadSource.Limits()
  var replies = false

  static let defaults = AuthorFields()

  static let fields: [ConfigField<AuthorFields>] = [
    ConfigField("author", \.author, .account, isRequired: true),
    ConfigField("min_posts", \.limits.minPosts, .integer(in: 1...10_000)),
    ConfigField("since", \.limits.since, .day),
    ConfigField("until", \.limits.until, .day),
    ConfigField("replies", \.replies, .flag),
  ]

  func check(_ value: ConfigValue, problems: inout ProblemList) { limits.check(value, problems: &problems) }

  var source: ThreadSource? {
    guard let author else { return nil }
    var result = ThreadSource.Author(account: author)
    result.limits = limits
    result.replies = replies
    return .author(result)
  }
}

/// The keys of an entry with `search`.
struct SearchFields: ConfigSection {
  var search: String?
  var limit: Int?

  static let defaults = SearchFields()

  static let fields: [ConfigField<SearchFields>] = [
    // 1024 is the longest query of X's full-archive search.
    ConfigField("search", \.search, .line(upTo: 1024), isRequired: true),
    ConfigField("limit", \.limit, .integer(in: 1...10_000)),
  ]

  var source: ThreadSource? {
    guard let search else { return nil }
    var result = ThreadSource.Search(query: search)
    result.limit = limit
    return .search(result)
  }
}
