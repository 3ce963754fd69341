import Basics
import Foundation

/// Searches and timelines, which return posts, the newest first, in pages.
extension StubState {
  mutating func search(_ request: APIRequest) -> StubAnswer {
    let query: SearchQuery
    do {
      query = try SearchQuery(request["query"] ?? "")
    } catch {
      return refuse("query", request["query"] ?? "", error.message)
    }
    let isRecent = request.endpoint == .searchRecent
    let days: Double = isRecent ? 7 : 30
    let oldest = behaviour.now.addingTimeInterval(-days * 86_400)
    if let refusal = refusalOfTimes(request, oldest: isRecent ? oldest : nil) { return refusal }
    // Recent search covers seven days. A search of the full archive without a beginning starts 30 days ago.
    let isUnbounded = request["start_time"] == nil && request["since_id"] == nil
    let start = isRecent || isUnbounded ? oldest : .distantPast
    let posts = world.visiblePosts { post in
      post.createdAt >= start && isInRange(post, request) && query.matches(post, in: world)
    }
    return page(of: posts, request, size: 10)
  }

  mutating func timeline(_ request: APIRequest) -> StubAnswer {
    let id = request.argument ?? ""
    guard let user = StubID(id).flatMap({ world.users[$0] }), let answer = timeline(of: user, request) else {
      let user = StubID(id).flatMap { world.users[$0] }
      let reason: StubHiding = user?.protected == true ? .notAuthorized : .notFound
      let error = problems.partial(
        reason, resource: "user", id: id, parameter: "id", suspended: user?.suspended ?? false)
      return StubAnswer(json: ["errors": [error]])
    }
    return answer
  }

  private mutating func timeline(of user: StubUser, _ request: APIRequest) -> StubAnswer? {
    guard user.isReadable else { return nil }
    if let refusal = refusalOfTimes(request, oldest: nil) { return refusal }
    let excluded = Set(request["exclude"]?.split(separator: ",").map(String.init) ?? [])
    let own = world.visiblePosts { $0.author == user.id }.prefix(behaviour.timelineDepth)
    let posts = own.filter { post in
      isInRange(post, request)
        && !(excluded.contains("replies") && post.isReply)
        && !(excluded.contains("retweets") && post.reposts != nil)
    }
    return page(of: posts, request, size: 10)
  }

  /// Returns whether a post is in the requested range. An ID takes precedence over a time; a beginning is inclusive as a time, exclusive as an ID.
  private func isInRange(_ post: StubPost, _ request: APIRequest) -> Bool {
    if let since = request.id("since_id") {
      guard post.id > since else { return false }
    } else if let start = request.date("start_time") {
      guard post.createdAt >= start else { return false }
    }
    if let until = request.id("until_id") { return post.id < until }
    if let end = request.date("end_time") { return post.createdAt < end }
    return true
  }

  /// Returns the refusal of times that X refuses: a beginning after the end, an end less than 10 seconds ago, and for recent search, times and
  /// IDs older than its seven days.
  private func refusalOfTimes(_ request: APIRequest, oldest: Date?) -> StubAnswer? {
    let start = request.date("start_time")
    let end = request.date("end_time")
    let value = request["start_time"] ?? ""
    if let start, let end, start >= end {
      return refuse(
        "start_time", value,
        "Invalid 'start_time':'\(value)'. 'start_time' must be before 'end_time':\(request["end_time"] ?? "")"
      )
    }
    if let end, end > behaviour.now.addingTimeInterval(-10), request.endpoint != .timeline {
      let value = request["end_time"] ?? ""
      return refuse(
        "end_time", value,
        "Invalid 'end_time':'\(value)'. 'end_time' must be a minimum of 10 seconds prior to the request time."
      )
    }
    guard let oldest else { return nil }
    if let start, start < oldest {
      return refuse(
        "start_time", value,
        "Invalid 'start_time':'\(value)'. 'start_time' must be on or after \(oldest.stubTime).")
    }
    if let since = request.id("since_id"), since.date < oldest {
      return refuse(
        "since_id", since.description,
        "Invalid 'since_id':'\(since)'. 'since_id' must be a tweet id created after \(oldest.stubTime).")
    }
    return nil
  }

  func refuse(_ parameter: String, _ value: String, _ message: String) -> StubAnswer {
    problems.invalidRequest([ParameterProblem(parameter: parameter, value: value, message: message)])
  }

  // MARK: Pages

  private mutating func page(of posts: [StubPost], _ request: APIRequest, size: Int) -> StubAnswer {
    var rest = posts[...]
    let given = request["next_token"] ?? request["pagination_token"]
    if let given, request.fault != .samePageForever {
      guard let place = pages.place(of: given, request: request.identity) else {
        let name = request["next_token"] == nil ? "pagination_token" : "next_token"
        return refuse(name, given, "Invalid '\(name)':'\(given)'")
      }
      rest = rest.drop { $0.id.value >= place.position }
    }
    let size = min(request.number("max_results", default: size), behaviour.pageSize ?? .max)
    let shown = Array(rest.prefix(size))
    var meta: [String: JSONValue] = ["result_count": JSONValue(shown.count)]
    if let newest = shown.first, let oldest = shown.last {
      meta["newest_id"] = JSONValue(newest.id)
      meta["oldest_id"] = JSONValue(oldest.id)
    }
    let last = shown.last?.id.value ?? 0
    if request.fault == .samePageForever, let given {
      meta["next_token"] = .string(given)
    } else if rest.count > shown.count || request.fault?.isAboutPages == true {
      let place = Pages.Place(request: request.identity, position: last)
      meta["next_token"] = .string(pages.token(for: place))
    }
    return answer(request, posts: shown, meta: meta)
  }
}
