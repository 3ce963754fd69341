package import Foundation

/// What X asks for what is read, in US dollars (X, "Pay per use", 2026; posts and users are counted once a UTC day).
package struct XPrices: Sendable, Hashable {
  package var post: Decimal
  package var user: Decimal

  package init(post: Decimal = Decimal(5) / 1000, user: Decimal = Decimal(10) / 1000) {
    self.post = post
    self.user = user
  }

  package func cost(posts: Int, users: Int) -> Decimal { Decimal(posts) * post + Decimal(users) * user }

  /// The most that a request should cost.
  ///
  /// What it asks for is known, what comes along with posts is not (posts quoted and answered, and who wrote or is answered by
  /// them): a post and a user for each post asked for are put aside for it, and one user, the author. A thread stays well below, a
  /// page of replies by many people does not; what was read is counted when it has come.
  package func worstCase(of request: XRequest) -> Decimal {
    worstCase(request.endpoint, things: request.things)
  }

  /// The same for a number of posts or users that are not counted yet today.
  package func worstCase(_ endpoint: XEndpoint, things: Int) -> Decimal {
    switch endpoint.subject {
    case .posts: things == 0 ? 0 : cost(posts: 2 * things, users: things + 1)
    case .users: cost(posts: 0, users: things)
    }
  }
}

extension XRequest {
  /// Posts or users that may come because they were asked for.
  var things: Int { pageSize ?? max(1, ids.count) }
}
