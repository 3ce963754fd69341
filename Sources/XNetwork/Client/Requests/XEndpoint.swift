/// An endpoint of the API v2 that is asked, with X's limits (reference: X's OpenAPI documents 2.166 and 2.167, and its
/// documentation of rate limits).
package enum XEndpoint: String, Sendable, Hashable, CaseIterable {
  case posts = "GET /2/tweets"
  case searchRecent = "GET /2/tweets/search/recent"
  case searchAll = "GET /2/tweets/search/all"
  case timeline = "GET /2/users/:id/tweets"
  case userByHandle = "GET /2/users/by/username/:username"
  case users = "GET /2/users"
  case followers = "GET /2/users/:id/followers"

  /// Things a page; `nil` where there are no pages.
  package var pageSizes: ClosedRange<Int>? {
    switch self {
    case .searchRecent: 10...100
    case .searchAll: 10...500
    case .timeline: 5...100
    case .followers: 1...1000
    case .posts, .userByHandle, .users: nil
    }
  }

  /// What it answers with, and so which fields are asked for.
  enum Subject { case posts, users }

  var subject: Subject {
    switch self {
    case .posts, .searchRecent, .searchAll, .timeline: .posts
    case .userByHandle, .users, .followers: .users
    }
  }

  /// Characters of a query.
  var longestQuery: Int? {
    switch self {
    case .searchRecent: 512
    case .searchAll: 1024
    default: nil
    }
  }

  /// Seconds between two requests, where X limits that beside the window of 15 minutes: one a second for the full archive, and a
  /// tenth more, as requests do not all take equally long to arrive.
  var pace: Double { self == .searchAll ? 1.1 : 0 }
}
