import Basics
import NetworkSources
import Synchronization
import ThreadModel
import XNetwork

/// X's endpoints for an invented world, according to X's documents. Recent search covers seven days, a search
/// by conversation does not return the first post, a full search without a start covers 30 days, and
/// timelines return only the newest posts.
final class FakeX: XEndpoints {
  struct State {
    var world: World
    /// Whether included posts come without their authors, media and polls.
    var isBare = false
    var allowsFullSearch = true
    var timelineReach = 3200
    var largestPage = 100
    /// Existing posts that searches do not find.
    var unsearchable: Set<String> = []
    /// Errors instead of answers, by endpoint; `nil` lets one request succeed.
    var faults: [String: [SourceError.Kind?]] = [:]
    /// The number of requests before the budget is used up.
    var budget = Int.max
    /// Whether searches have endless pages.
    var isEndless = false
    /// The followers of each user.
    var followers: [String: [String]] = [:]
    var now = World.now
    var log: [String] = []
    var postsRead = 0
    var queries: [XSearch] = []
    var timelines: [XTimeline] = []
    var lookups: [[String]] = []
  }

  private let state: Mutex<State>

  init(_ world: World, _ change: (inout State) -> Void = { _ in }) {
    var state = State(world: world)
    change(&state)
    self.state = Mutex(state)
  }

  func with<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value { state.withLock(body) }

  var log: [String] { with { $0.log } }
  var lookups: [[String]] { with { $0.lookups } }

  /// Logs a request and returns its error, if any.
  private static func begin(_ endpoint: String, _ state: inout State) throws(SourceError) {
    state.log.append(endpoint)
    if state.log.count > state.budget { throw SourceError(.overBudget, "The budget is used up.") }
    guard var faults = state.faults[endpoint], !faults.isEmpty else { return }
    let fault = faults.removeFirst()
    state.faults[endpoint] = faults
    if let fault { throw SourceError(fault, "Something went wrong.", at: endpoint) }
  }

  /// `withLock` with typed errors.
  private func locked(
    _ body: (inout State) throws(SourceError) -> XResponse
  ) throws(SourceError) -> XResponse {
    let result: Result<XResponse, SourceError> = state.withLock { state in
      do throws(SourceError) { return .success(try body(&state)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  func posts(_ ids: [String]) async throws(SourceError) -> XResponse {
    try locked { state throws(SourceError) in
      try Self.begin("posts", &state)
      state.lookups.append(ids)
      guard (1...100).contains(ids.count), Set(ids).count == ids.count else {
        throw SourceError(.invalidRequest, "1 to 100 ids")
      }
      let world = state.world
      let asked = ids.filter { !world.silent.contains($0) }
      let found = asked.filter(world.isShown).compactMap { world.posts[$0] }
      state.postsRead += found.count
      return world.answer(found, errors: asked.compactMap(world.missing), isBare: state.isBare)
    }
  }

  func search(_ search: XSearch, token: String?) async throws(SourceError) -> XResponse {
    try locked { state throws(SourceError) in
      let name = search.reach == .full ? "full" : "recent"
      try Self.begin(name, &state)
      state.queries.append(search)
      if search.reach == .full, !state.allowsFullSearch { throw SourceError(.access, "No access.") }
      let seen = try Self.window(search, now: state.now)
      let world = state.world
      let unsearchable = state.unsearchable
      guard search.query.unicodeScalars.count <= (search.reach == .full ? 1024 : 512) else {
        throw SourceError(.invalidRequest, "The query is too long.")
      }
      let queries = Query.alternatives(search.query)
      let found = world.posts.values.filter { post in
        guard let time = XID.time(post.id), seen.contains(time.milliseconds), world.isShown(post.id),
          !unsearchable.contains(post.id), post.versions.last ?? post.id == post.id
        else { return false }
        return Self.isAfter(post.id, search.sinceID)
          && queries.contains { $0.matches(post, in: world) }
      }
      return Self.page(found, token, size: min(search.pageSize, state.largestPage), &state)
    }
  }

  private static func window(_ search: XSearch, now: Timestamp) throws(SourceError) -> Range<Int64> {
    let start = search.startTime.flatMap { Timestamp(iso8601: $0) }
    let end = now
    let days: Int64 = search.reach == .recent ? 7 : 30
    let earliest = now.milliseconds - days * World.day
    if search.reach == .recent {
      let since = search.sinceID.flatMap { XID.time($0) }
      guard (since ?? now).milliseconds >= earliest, (start ?? now).milliseconds >= earliest else {
        throw SourceError(.invalidRequest, "older than seven days")
      }
    }
    let first = start?.milliseconds ?? earliest
    return first..<max(first, end.milliseconds + 1)
  }

  private static func isAfter(_ id: String, _ other: String?) -> Bool {
    other.map { XID.precedes($0, id) } ?? true
  }
  private static func isBefore(_ id: String, _ other: String?) -> Bool {
    other.map { XID.precedes(id, $0) } ?? true
  }

  private static func page(
    _ found: [World.Entry], _ token: String?, size: Int, _ state: inout State
  ) -> XResponse {
    let sorted = found.sorted { XID.precedes($1.id, $0.id) }
    let start = token.flatMap { Int($0) } ?? 0
    let page = Array(sorted.dropFirst(start).prefix(size))
    state.postsRead += page.count
    let next = state.isEndless || start + size < sorted.count ? String(start + size) : nil
    return state.world.answer(page, next: next, isBare: state.isBare)
  }

  func timeline(_ timeline: XTimeline, token: String?) async throws(SourceError) -> XResponse {
    try locked { state throws(SourceError) in
      try Self.begin("timeline", &state)
      state.timelines.append(timeline)
      let world = state.world
      guard world.users[timeline.userID]?.isProtected != true else {
        throw SourceError(.access, "Not authorized.")
      }
      let all = world.posts.values.filter { $0.author == timeline.userID && world.isShown($0.id) }
        .filter { $0.versions.last ?? $0.id == $0.id }
        .sorted { XID.precedes($1.id, $0.id) }.prefix(state.timelineReach)
      let start = timeline.startTime.flatMap { Timestamp(iso8601: $0)?.milliseconds } ?? .min
      let end = timeline.endTime.flatMap { Timestamp(iso8601: $0)?.milliseconds } ?? .max
      let found = all.filter { post in
        let time = XID.time(post.id)?.milliseconds ?? 0
        return time >= start && time <= end && Self.isAfter(post.id, timeline.sinceID)
          && Self.isBefore(post.id, timeline.untilID)
      }
      return Self.page(Array(found), token, size: min(timeline.pageSize, state.largestPage), &state)
    }
  }

  func user(handle: String) async throws(SourceError) -> XResponse {
    try locked { state throws(SourceError) in
      try Self.begin("user", &state)
      let user = state.world.users.values.first { $0.handle.lowercased() == handle.lowercased() }
      return Self.answer(user, asked: handle, state.world)
    }
  }

  func users(_ ids: [String]) async throws(SourceError) -> XResponse {
    try locked { state throws(SourceError) in
      try Self.begin("users", &state)
      return Self.answer(state.world.users[ids[0]], asked: ids[0], state.world)
    }
  }

  private static func answer(_ user: World.User?, asked: String, _ world: World) -> XResponse {
    guard let user, let object = world.user(user.id) else {
      let detail = "Could not find user with username: [\(asked)]."
      return XResponse(
        ["errors": [World.problem("resource-not-found", "Not Found Error", detail, asked, of: "user")]],
        fetchedAt: nil)
    }
    guard !user.isSuspended else {
      let detail = "User has been suspended: [\(asked)]."
      return XResponse(
        ["errors": [World.problem("resource-not-found", "Forbidden", detail, asked, of: "user")]],
        fetchedAt: nil)
    }
    return XResponse(["data": object], fetchedAt: nil)
  }

  func followers(of userID: String, count: Int, token: String?) async throws(SourceError) -> XResponse {
    try locked { state throws(SourceError) in
      try Self.begin("followers \(count)", &state)
      let all = state.followers[userID] ?? []
      let start = token.flatMap { Int($0) } ?? 0
      let page = all.dropFirst(start).prefix(min(count, 1000))
      var body: JSONObject = [
        "data": .array(
          page.map { ["id": .string($0), "username": .string("u\($0)"), "name": .string("User \($0)")] })
      ]
      if start + page.count < all.count { body["meta"] = ["next_token": .string(String(start + page.count))] }
      return XResponse(body, fetchedAt: nil)
    }
  }
}

/// The operators of X's queries that the tests use.
struct Query {
  private var conversations: Set<String> = []
  private var words: [String] = []
  private var from: String?
  private var to: String?
  private var isWithoutReposts = false

  init(_ text: String) {
    for part in text.split(whereSeparator: { " ()".contains($0) }).map(String.init) {
      let pieces = part.split(separator: ":", maxSplits: 1).map(String.init)
      switch pieces[0] {
      case "conversation_id": conversations.insert(pieces[1])
      case "from": from = pieces[1]
      case "to": to = pieces[1]
      case "-is": isWithoutReposts = true
      case "OR": break
      default: words.append(part)
      }
    }
  }

  /// The alternatives separated by `OR` at the top of a query, each in parentheses; otherwise the query
  /// itself.
  static func alternatives(_ text: String) -> [Query] {
    var parts = [""]
    var depth = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if word == "OR", depth == 0 {
        parts.append("")
        continue
      }
      depth += word.count { $0 == "(" } - word.count { $0 == ")" }
      parts[parts.count - 1] += " " + word
    }
    let isShared = parts.count > 1 && parts.allSatisfy { $0.hasPrefix(" (") && $0.hasSuffix(")") }
    return isShared ? parts.map { Query($0) } : [Query(text)]
  }

  func matches(_ post: World.Entry, in world: World) -> Bool {
    if isWithoutReposts, post.repeats != nil { return false }
    if !conversations.isEmpty {
      guard conversations.contains(post.conversation), post.parent != nil else { return false }
    }
    if let from, !isUser(post.author, from, world) { return false }
    if let to {
      guard let parent = post.parent.flatMap({ world.posts[$0] }), isUser(parent.author, to, world) else {
        return false
      }
    }
    return words.allSatisfy(post.text.contains)
  }

  private func isUser(_ id: String, _ name: String, _ world: World) -> Bool {
    id == name || world.users[id]?.handle.lowercased() == name.lowercased()
  }
}
