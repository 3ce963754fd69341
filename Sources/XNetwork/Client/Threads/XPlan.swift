package import Foundation

/// The requests that looking for something would make, and about what they would cost; nothing is asked.
package struct XPlan: Sendable, Hashable {
  package struct Step: Sendable, Hashable {
    /// What the requests are for, as a clause: "look up the post given".
    package var what: String
    /// Such as `GET /2/tweets`.
    package var endpoint: String
    package var requests: ClosedRange<Int>
    /// Posts that are read, about.
    package var posts: Int
    /// Users that are read, about.
    package var users: Int

    /// US dollars, about.
    package var cost: Decimal {
      XPrices().cost(posts: posts, users: users)
    }

    package init(
      _ what: String, _ endpoint: String, requests: ClosedRange<Int> = 1...1, posts: Int = 0, users: Int = 0
    ) {
      self.what = what
      self.endpoint = endpoint
      self.requests = requests
      self.posts = posts
      self.users = users
    }
  }

  package var steps: [Step] = []

  package init(_ steps: [Step] = []) { self.steps = steps }

  package var cost: Decimal { steps.reduce(0) { $0 + $1.cost } }
  package var posts: Int { steps.reduce(0) { $0 + $1.posts } }
  package var users: Int { steps.reduce(0) { $0 + $1.users } }

  package var requests: ClosedRange<Int> {
    let least = steps.reduce(0) { $0 + $1.requests.lowerBound }
    return least...max(least, steps.reduce(0) { $0 + $1.requests.upperBound })
  }
}
