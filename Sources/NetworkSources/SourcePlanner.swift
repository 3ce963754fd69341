package import Foundation
package import ThreadModel

/// Says what a network would be asked.
package protocol SourcePlanner: Sendable {
  func plan(thread: ThreadRequest) -> [PlannedRequest]
  func plan(account: AccountRequest) -> [PlannedRequest]
  func plan(search query: String, limit: Int?) -> [PlannedRequest]
  func plan(recheck conversations: [Conversation]) -> [PlannedRequest]
  /// - Parameters:
  ///   - count: how many followers are wanted of each author.
  ///   - authors: of how many authors.
  func plan(followers count: Int, of authors: Int) -> [PlannedRequest]
}

/// Requests of one kind that would be made, and about what they would cost.
package struct PlannedRequest: Sendable, Hashable {
  /// What the requests are for, as a clause: "look up the post given".
  package var what: String
  /// Such as `GET /2/tweets`.
  package var endpoint: String
  package var requests: ClosedRange<Int>
  /// Posts that are read, about.
  package var posts: Int
  /// Users that are read, about.
  package var users: Int
  /// US dollars, about; `nil` where asking costs nothing.
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

/// Plans nothing: of a network that is not asked.
package struct NothingPlanned: SourcePlanner {
  package init() {}

  package func plan(thread: ThreadRequest) -> [PlannedRequest] { [] }
  package func plan(account: AccountRequest) -> [PlannedRequest] { [] }
  package func plan(search query: String, limit: Int?) -> [PlannedRequest] { [] }
  package func plan(recheck conversations: [Conversation]) -> [PlannedRequest] { [] }
  package func plan(followers count: Int, of authors: Int) -> [PlannedRequest] { [] }
}
