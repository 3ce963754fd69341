package import Foundation
package import ThreadModel

/// Lists the requests to a network that would be made.
package protocol SourcePlanner: Sendable {
  func plan(thread: ThreadRequest) -> [PlannedRequest]
  func plan(account: AccountRequest) -> [PlannedRequest]
  func plan(search query: String, limit: Int?) -> [PlannedRequest]
  func plan(recheck conversations: [Conversation]) -> [PlannedRequest]
  /// - Parameters:
  ///   - count: the number of followers of each author.
  ///   - authors: the number of authors.
  func plan(followers count: Int, of authors: Int) -> [PlannedRequest]
}

/// Planned requests of one kind, with their estimated cost.
package struct PlannedRequest: Sendable, Hashable {
  /// The purpose of the requests, as a clause: "look up the post given".
  package var what: String
  /// The endpoint, such as `GET /2/tweets`.
  package var endpoint: String
  package var requests: ClosedRange<Int>
  /// The estimated number of posts that are read.
  package var posts: Int
  /// The estimated number of users that are read.
  package var users: Int
  /// The estimated cost in US dollars; `nil` if requests are free.
  package var cost: Decimal?

  package init(
    _ what: String, _ endpoint: String, requests: ClosedRange<Int> = 1...1, posts: Int = 0, users: Int = 0,
    cost: Decimal? = nil
  ) {
    self.what = what
    self.endpoint = endpoint
    self.requests = requests
    self.posts = posts
    self.users = users
    self.cost = cost
  }
}

/// The planner of a network to which no requests are made.
package struct EmptyPlanner: SourcePlanner {
  package init() {}

  package func plan(thread: ThreadRequest) -> [PlannedRequest] { [] }
  package func plan(account: AccountRequest) -> [PlannedRequest] { [] }
  package func plan(search query: String, limit: Int?) -> [PlannedRequest] { [] }
  package func plan(recheck conversations: [Conversation]) -> [PlannedRequest] { [] }
  package func plan(followers count: Int, of authors: Int) -> [PlannedRequest] { [] }
}
