import Basics
package import NetworkSources
import ThreadModel

/// A request of the API v2. Every value that can be created is valid by X's document.
package struct XRequest: Sendable, Hashable {
  package struct Item: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  package let endpoint: XEndpoint
  /// The path with its ids and handle: `/2/users/12/tweets`.
  package let path: String
  /// The parameters in a fixed order, without the fields.
  private let items: [Item]
  /// The ids of the requested posts or users.
  package let ids: [String]
  /// The number of items per page; `nil` if there are no pages.
  package private(set) var pageSize: Int?

  init(_ endpoint: XEndpoint, path: String, items: [Item] = [], ids: [String] = [], pageSize: Int? = nil) {
    self.endpoint = endpoint
    self.path = path
    self.items = items
    self.ids = ids
    self.pageSize = endpoint.pageSizes.map { sizes in
      min(max(pageSize ?? sizes.upperBound, sizes.lowerBound), sizes.upperBound)
    }
  }

  /// Returns the query.
  ///
  /// - Parameter refused: fields and expansions that are left out because X does not know them.
  package func query(without refused: Set<String> = []) -> [Item] {
    items + (pageSize.map { [Item(name: "max_results", value: String($0))] } ?? [])
      + Self.fields(of: endpoint.subject, without: refused)
  }

  /// Returns the path and the query, percent-encoded.
  package func target(without refused: Set<String> = []) -> String {
    let query = query(without: refused).map { "\($0.name)=\(PercentEncoding.encode($0.value))" }
    return path + "?" + query.joined(separator: "&")
  }

  /// A key that is equal for requests for the same page.
  ///
  /// It does not depend on the number of posts per page, which depends on the remaining budget: the client continues pages in the size in
  /// which they began. It depends on the number of followers, because only their first page may be requested.
  var identity: String {
    let size = endpoint == .followers ? "&max_results=\(pageSize ?? 0)" : ""
    return path + "?" + items.map { "\($0.name)=\($0.value)" }.joined(separator: "&") + size
  }

  /// The token of the page, unless it is the first page. X may accept a token only with the parameters for which it was issued.
  var pageToken: String? {
    items.first { ["next_token", "pagination_token"].contains($0.name) }?.value
  }

  /// Returns the request with pages of the size of an earlier page.
  func continued(inPagesOf size: Int) -> XRequest {
    var result = self
    if pageSize != nil { result.pageSize = size }
    return result
  }

  /// Returns the request with smaller pages, but not smaller than X allows.
  func shrunk(to size: Int) -> XRequest {
    var result = self
    guard let sizes = endpoint.pageSizes, let pageSize else { return self }
    result.pageSize = min(pageSize, max(size, sizes.lowerBound))
    return result
  }

  /// `GET /2/tweets`: 1 to 100 ids, each once.
  package static func posts(_ ids: [String]) throws(SourceError) -> XRequest {
    try lookup(.posts, path: "/2/tweets", ids)
  }

  /// `GET /2/users`: 1 to 100 ids, each once.
  package static func users(_ ids: [String]) throws(SourceError) -> XRequest {
    try lookup(.users, path: "/2/users", ids)
  }

  /// `GET /2/users/by/username/:username`.
  package static func user(handle: String) throws(SourceError) -> XRequest {
    let isHandle =
      (1...15).contains(handle.utf8.count)
      && handle.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
    guard isHandle else {
      throw invalid(
        .userByHandle, "“\(handle)” is not a handle on X: expected 1 to 15 letters, digits and “_”.")
    }
    return XRequest(.userByHandle, path: "/2/users/by/username/\(handle)")
  }

  /// `GET /2/users/:id/tweets` without reposts, which belong to no thread and each have a price. Replies are included, because the posts of
  /// a thread are replies.
  package static func timeline(_ timeline: XTimeline, token: String?) throws(SourceError) -> XRequest {
    try check(.timeline, ids: [timeline.userID, timeline.sinceID, timeline.untilID].compactMap(\.self))
    var items: [Item] = []
    items.add("exclude", "retweets")
    items.add("since_id", timeline.sinceID)
    items.add("until_id", timeline.untilID)
    items.add("start_time", try time(timeline.startTime, .timeline))
    items.add("end_time", try time(timeline.endTime, .timeline))
    try checkOrder(items, .timeline)
    items.add("pagination_token", try checked(token, .timeline))
    return XRequest(
      .timeline, path: "/2/users/\(timeline.userID)/tweets", items: items, pageSize: timeline.pageSize)
  }

  /// `GET /2/users/:id/followers`; `count` is limited to 1 to 1,000.
  package static func followers(
    of userID: String, count: Int, token: String?
  ) throws(SourceError) -> XRequest {
    try check(.followers, ids: [userID])
    var items: [Item] = []
    items.add("pagination_token", try checked(token, .followers))
    return XRequest(.followers, path: "/2/users/\(userID)/followers", items: items, pageSize: count)
  }

  private static func lookup(
    _ endpoint: XEndpoint, path: String, _ ids: [String]
  ) throws(SourceError) -> XRequest {
    var seen: Set<String> = []
    let once = ids.filter { seen.insert($0).inserted }
    guard (1...100).contains(once.count) else {
      throw invalid(endpoint, "\(once.count) ids were asked for at once; X takes 1 to 100.")
    }
    try check(endpoint, ids: once)
    return XRequest(
      endpoint, path: path, items: [Item(name: "ids", value: once.joined(separator: ","))], ids: once)
  }

  // MARK: Checks

  static func check(_ endpoint: XEndpoint, ids: [String]) throws(SourceError) {
    for id in ids where !XID.isValid(id) {
      throw invalid(endpoint, "“\(id)” is not an id on X: expected 1 to 19 digits.")
    }
  }

  /// Returns a time in X's format: UTC, whole seconds.
  static func time(_ text: String?, _ endpoint: XEndpoint) throws(SourceError) -> String? {
    guard let text else { return nil }
    guard let time = Timestamp(iso8601: text) else {
      throw invalid(endpoint, "“\(text)” is not a time such as 2024-01-31T00:00:00Z.")
    }
    return Timestamp(seconds: time.seconds).iso8601
  }

  static func checked(_ token: String?, _ endpoint: XEndpoint) throws(SourceError) -> String? {
    guard token?.isEmpty != true else { throw invalid(endpoint, "The token of the next page is empty.") }
    return token
  }

  /// X refuses a start time or id that is not before the end.
  private static func checkOrder(_ items: [Item], _ endpoint: XEndpoint) throws(SourceError) {
    let values = Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
    // Both times have the same format, so they can be compared as text; shorter ids are smaller.
    if let start = values["start_time"], let end = values["end_time"], start >= end {
      throw invalid(endpoint, "No time lies between \(start) and \(end).")
    }
    if let since = values["since_id"], let until = values["until_id"],
      !XID.precedes(since, until)
    {
      throw invalid(endpoint, "No id lies between \(since) and \(until).")
    }
  }

  static func invalid(_ endpoint: XEndpoint, _ message: String) -> SourceError {
    SourceError(x: .invalidRequest, "\(message) No request was sent.", endpoint: endpoint.rawValue)
  }

  /// `GET /2/tweets/search/recent` or `…/all`.
  package static func search(_ search: XSearch, token: String?) throws(SourceError) -> XRequest {
    let endpoint: XEndpoint = search.reach == .full ? .searchAll : .searchRecent
    try check(query: search.query, endpoint)
    try check(endpoint, ids: [search.sinceID].compactMap(\.self))
    var items = [Item(name: "query", value: search.query)]
    items.append(contentsOf: try beginning(of: search, endpoint))
    items.add("next_token", try checked(token, endpoint))
    let path = search.reach == .full ? "/2/tweets/search/all" : "/2/tweets/search/recent"
    return XRequest(endpoint, path: path, items: items, pageSize: search.pageSize)
  }

  private static func check(query: String, _ endpoint: XEndpoint) throws(SourceError) {
    let length = query.unicodeScalars.count
    guard length > 0 else { throw invalid(endpoint, "The query of the search is empty.") }
    if let limit = endpoint.longestQuery, length > limit {
      throw invalid(
        endpoint, "The query of the search has \(length) characters; X takes \(limit). Shorten it.")
    }
  }

  /// X accepts a start time or a start id, not both. The later one is used.
  ///
  /// A full search always has a start time, because without one X searches only the last 30 days. It is the time of the id, rounded down to
  /// the second, so that at most a few more posts are found. Without an id, it is the time of the first post on X.
  private static func beginning(
    of search: XSearch, _ endpoint: XEndpoint
  ) throws(SourceError) -> [Item] {
    let start = try time(search.startTime, endpoint)
    let since = search.sinceID.flatMap(XID.time).map(\.iso8601)
    if endpoint == .searchAll {
      let first = "2006-03-21T00:00:00Z"
      return [Item(name: "start_time", value: max(start ?? first, since ?? first))]
    }
    if let id = search.sinceID, (since ?? "") >= (start ?? "") { return [Item(name: "since_id", value: id)] }
    return start.map { [Item(name: "start_time", value: $0)] } ?? []
  }

  // The requested fields and expansions: all that a page can show, and those that unrolling needs.

  private static func fields(of subject: XEndpoint.Subject, without refused: Set<String>) -> [Item] {
    func list(_ name: String, _ values: [String]) -> Item {
      Item(name: name, value: values.filter { !refused.contains($0) }.joined(separator: ","))
    }
    return switch subject {
    case .users: [list("user.fields", userFields)]
    case .posts:
      [
        list("tweet.fields", postFields), list("expansions", expansions), list("media.fields", mediaFields),
        list("poll.fields", pollFields), list("user.fields", userFields),
      ]
    }
  }

  /// Fields and expansions that a thread does not require.
  static let dispensable = Set(postFields + expansions + mediaFields + pollFields + userFields).subtracting([
    "attachments.media_keys", "author_id", "conversation_id", "created_at", "edit_history_tweet_ids",
    "entities",
    "id", "media_key", "note_tweet", "options", "referenced_tweets", "referenced_tweets.id",
    "referenced_tweets.id.attachments.media_keys", "referenced_tweets.id.author_id", "text", "type", "url",
    "username",
  ])

  private static let postFields = [
    "article", "attachments", "author_id", "community_id", "conversation_id", "created_at",
    "display_text_range", "edit_controls", "edit_history_tweet_ids", "entities", "id", "in_reply_to_user_id",
    "lang", "note_tweet", "possibly_sensitive", "public_metrics", "referenced_tweets", "reply_settings",
    "source", "text", "withheld",
  ]

  /// Mentioned users are left out: each would cost as much as two posts, and a page needs only the handle in the text.
  private static let expansions = [
    "article.cover_media", "attachments.media_keys", "attachments.poll_ids", "author_id",
    "in_reply_to_user_id", "referenced_tweets.id", "referenced_tweets.id.attachments.media_keys",
    "referenced_tweets.id.author_id",
  ]

  private static let mediaFields = [
    "alt_text", "duration_ms", "height", "media_key", "preview_image_url", "type", "url", "variants", "width",
  ]

  private static let pollFields = ["duration_minutes", "end_datetime", "id", "options", "voting_status"]

  private static let userFields = [
    "created_at", "description", "entities", "id", "location", "name", "profile_banner_url",
    "profile_image_url", "protected", "public_metrics", "url", "username", "verified", "verified_type",
  ]
}

extension [XRequest.Item] {
  mutating func add(_ name: String, _ value: String?) {
    if let value { append(XRequest.Item(name: name, value: value)) }
  }
}

/// An endpoint of the API v2 with X's limits (sources: X's OpenAPI document 2.166, and its documentation of
/// rate limits).
package enum XEndpoint: String, Sendable, Hashable, CaseIterable {
  case posts = "GET /2/tweets"
  case searchRecent = "GET /2/tweets/search/recent"
  case searchAll = "GET /2/tweets/search/all"
  case timeline = "GET /2/users/:id/tweets"
  case userByHandle = "GET /2/users/by/username/:username"
  case users = "GET /2/users"
  case followers = "GET /2/users/:id/followers"

  /// The number of items per page; `nil` if there are no pages.
  package var pageSizes: ClosedRange<Int>? {
    switch self {
    case .searchRecent: 10...100
    case .searchAll: 10...500
    case .timeline: 5...100
    case .followers: 1...1000
    case .posts, .userByHandle, .users: nil
    }
  }

  /// The kind of its response, which determines the requested fields.
  enum Subject { case posts, users }

  var subject: Subject {
    switch self {
    case .posts, .searchRecent, .searchAll, .timeline: .posts
    case .userByHandle, .users, .followers: .users
    }
  }

  /// The maximum length of a query in characters.
  var longestQuery: Int? {
    switch self {
    case .searchRecent: 512
    case .searchAll: 1024
    default: nil
    }
  }

  /// The minimum interval in seconds between two requests, if X has one in addition to the window of 15 minutes: one second for the full
  /// archive, plus a tenth because the transmission times of requests vary.
  var pace: Double { self == .searchAll ? 1.1 : 0 }
}
