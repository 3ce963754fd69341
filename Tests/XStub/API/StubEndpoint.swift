/// An endpoint of the stub: the endpoints of X's API that a thread reader uses, and files.
package enum StubEndpoint: String, Sendable, CaseIterable {
  case token, posts, searchRecent, searchAll, userByName, users, timeline, followers
  /// All paths that begin with `/media/`.
  case media

  package static let api: [StubEndpoint] = [
    .posts, .searchRecent, .searchAll, .userByName, .users, .timeline, .followers,
  ]

  /// The number of requests that an app may send in 15 minutes (X's table of rate limits).
  package var limit: Int {
    switch self {
    case .posts: 3500
    case .searchRecent: 450
    case .searchAll, .userByName, .users, .followers: 300
    case .timeline: 10_000
    case .token, .media: .max
    }
  }

  /// Returns the endpoint of a path, with the parameter in the path; `nil` for an unknown path.
  static func find(_ path: String) -> (endpoint: StubEndpoint, argument: String?)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    if parts.first == "media" { return (.media, nil) }
    if parts == ["oauth2", "token"] { return (.token, nil) }
    guard parts.first == "2" else { return nil }
    switch Array(parts.dropFirst()) {
    case ["tweets"]: return (.posts, nil)
    case ["tweets", "search", "recent"]: return (.searchRecent, nil)
    case ["tweets", "search", "all"]: return (.searchAll, nil)
    case ["users"]: return (.users, nil)
    case let rest where rest.count == 4 && Array(rest[0...2]) == ["users", "by", "username"]:
      return (.userByName, rest[3])
    case let rest where rest.count == 3 && rest[0] == "users" && rest[2] == "tweets":
      return (.timeline, rest[1])
    case let rest where rest.count == 3 && rest[0] == "users" && rest[2] == "followers":
      return (.followers, rest[1])
    default: return nil
    }
  }

  var isAboutPosts: Bool {
    switch self {
    case .posts, .searchRecent, .searchAll, .timeline: true
    default: false
    }
  }
}
