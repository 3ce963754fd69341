import Basics
import Foundation

/// A valid request to one of the API's endpoints.
struct APIRequest {
  var endpoint: StubEndpoint
  var argument: String?
  var items: [QueryItem]
  var baseURL: String
  /// A fault in the paging, if any.
  var fault: StubFault?

  subscript(name: String) -> String? { items.first { $0.name == name }?.value }
  func id(_ name: String) -> StubID? { self[name].flatMap { StubID($0) } }
  func date(_ name: String) -> Date? { self[name].flatMap { Date(stubTime: $0) } }
  func number(_ name: String, default standard: Int) -> Int { self[name].flatMap { Int($0) } ?? standard }
  var ids: [String] { self["ids"]?.split(separator: ",").map(String.init) ?? [] }

  /// The part of the request that is equal for all pages of a list.
  var identity: String {
    let varying: Set = ["next_token", "pagination_token"]
    let rest = items.filter { !varying.contains($0.name) }.map { "\($0.name)=\($0.value)" }.sorted()
    return "\(endpoint) \(argument ?? "") \(rest.joined(separator: "&"))"
  }
}

extension StubState {
  var problems: StubProblems { StubProblems() }

  /// Returns the response to a valid request that is allowed and within its limits.
  mutating func answer(_ request: APIRequest) -> StubAnswer {
    switch request.endpoint {
    case .posts: lookUpPosts(request)
    case .searchRecent, .searchAll: search(request)
    case .timeline: timeline(request)
    case .users: lookUpUsers(request)
    case .userByName: lookUpName(request)
    case .followers: followers(request)
    case .token, .media: problems.generic(404, "Not Found")
    }
  }

  func payload(for request: APIRequest) -> Payload {
    Payload(
      world: world, baseURL: request.baseURL, asked: RequestedFields(items: request.items))
  }

  /// Returns a response with posts: data, expansions, partial errors and, for lists, `meta`.
  func answer(
    _ request: APIRequest, posts: [StubPost], errors: [JSONValue] = [], meta: [String: JSONValue]? = nil
  ) -> StubAnswer {
    let payload = payload(for: request)
    var includes = Includes(payload: payload, now: behaviour.now)
    includes.expand(posts)
    var body: [String: JSONValue] = [:]
    if !posts.isEmpty { body["data"] = .array(posts.map { payload.json($0) }) }
    body["includes"] = includes.json
    let allErrors = errors + includes.errors
    if !allErrors.isEmpty { body["errors"] = .array(allErrors) }
    body["meta"] = meta.map(JSONValue.object)
    var answer = StubAnswer(json: .object(body))
    answer.postsRead = Set(posts.map(\.id) + includes.posts)
    answer.usersRead = Set(includes.users)
    return answer
  }

  private func lookUpPosts(_ request: APIRequest) -> StubAnswer {
    var found: [StubPost] = []
    var errors: [JSONValue] = []
    for id in request.ids {
      let post = StubID(id).flatMap { world.posts[$0] }
      let reason: StubHiding? = post.map { world.obstacle(to: $0) } ?? .notFound
      if let post, reason == nil {
        found.append(post)
      } else if let reason {
        errors.append(problems.partial(reason, resource: "tweet", id: id, parameter: "ids"))
      }
    }
    return answer(request, posts: found, errors: errors)
  }
}
