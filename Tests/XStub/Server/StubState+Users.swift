import Basics

/// Lookups of users and their followers.
extension StubState {
  func lookUpUsers(_ request: APIRequest) -> StubAnswer {
    var found: [StubUser] = []
    var errors: [JSONValue] = []
    for id in request.ids {
      let user = StubID(id).flatMap { world.users[$0] }
      if let user, !user.suspended, !user.deactivated {
        found.append(user)
      } else {
        errors.append(
          problems.partial(
            .notFound, resource: "user", id: id, parameter: "ids", suspended: user?.suspended ?? false))
      }
    }
    return answer(request, users: found, isList: true, errors: errors)
  }

  func lookUpName(_ request: APIRequest) -> StubAnswer {
    let name = request.argument ?? ""
    if let user = world.user(named: name), !user.suspended, !user.deactivated {
      return answer(request, users: [user], isList: false, errors: [])
    }
    let isSuspended = world.user(named: name)?.suspended ?? false
    let error = problems.partial(
      .notFound, resource: "user", id: name, parameter: "username", suspended: isSuspended)
    return answer(request, users: [], isList: false, errors: [error])
  }

  private func answer(
    _ request: APIRequest, users: [StubUser], isList: Bool, errors: [JSONValue],
    meta: [String: JSONValue]? = nil
  ) -> StubAnswer {
    let payload = payload(for: request)
    let values = users.map { payload.json($0) }
    var body: [String: JSONValue] = [:]
    if !values.isEmpty { body["data"] = isList ? .array(values) : values[0] }
    let pinned = payload.asked.expansions.contains("pinned_tweet_id") ? users.compactMap(\.pinned) : []
    let posts = pinned.compactMap { world.posts[$0] }.filter { world.obstacle(to: $0) == nil }
    if !posts.isEmpty {
      body["includes"] = .object(["tweets": .array(posts.map { payload.json($0) })])
    }
    if !errors.isEmpty { body["errors"] = .array(errors) }
    body["meta"] = meta.map(JSONValue.object)
    var answer = StubAnswer(json: .object(body))
    answer.usersRead = Set(users.map(\.id))
    answer.postsRead = Set(posts.map(\.id))
    return answer
  }

  /// Returns a page of followers, the newest first. A page has 100 followers by default.
  mutating func followers(_ request: APIRequest) -> StubAnswer {
    let id = request.argument ?? ""
    guard let user = StubID(id).flatMap({ world.users[$0] }), user.isReadable else {
      let user = StubID(id).flatMap { world.users[$0] }
      let reason: StubHiding = user?.protected == true ? .notAuthorized : .notFound
      return answer(
        request, users: [], isList: true,
        errors: [
          problems.partial(
            reason, resource: "user", id: id, parameter: "id", suspended: user?.suspended ?? false)
        ])
    }
    var start = 0
    if let token = request["pagination_token"], request.fault != .samePageForever {
      guard let place = pages.place(of: token, request: request.identity) else {
        return refuse("pagination_token", token, "Invalid 'pagination_token':'\(token)'")
      }
      start = Int(place.position)
    }
    let followers = user.followers.reversed().compactMap { world.users[$0] }
    let size = min(request.number("max_results", default: 100), behaviour.pageSize ?? .max)
    let shown = Array(followers.dropFirst(start).prefix(size))
    var meta: [String: JSONValue] = ["result_count": JSONValue(shown.count)]
    if start + shown.count < followers.count || request.fault?.isAboutPages == true {
      let place = Pages.Place(request: request.identity, position: UInt64(start + shown.count))
      meta["next_token"] = .string(pages.token(for: place))
    }
    return answer(request, users: shown, isList: true, errors: [], meta: meta)
  }
}
