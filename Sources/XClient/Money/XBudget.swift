import Foundation
import Synchronization
import ThreadModel
import XAPI

/// Keeps count of what is read, and stops before the cap is passed.
///
/// Before a request the most that it should cost is put aside, so that requests under way at the same time do not spend the
/// same money; after it, what was read is booked in its place.
final class XBudget: Sendable {
  /// Money put aside for one request.
  struct Reservation: Sendable {
    let amount: Decimal
  }

  fileprivate struct Books {
    var usage = XUsage()
    var reserved = Decimal(0)
    /// The UTC day that `posts` and `users` were read on, in days since 1970.
    var day: Int64 = 0
    var posts: Set<String> = []
    var users: Set<String> = []
  }

  let cap: Decimal?
  let prices: XPrices
  private let books = Mutex(Books())

  init(cap: Decimal?, prices: XPrices) {
    self.cap = cap
    self.prices = prices
  }

  var usage: XUsage { books.withLock(\.usage) }

  func change(_ body: (inout XUsage) -> Void) { books.withLock { body(&$0.usage) } }

  /// Puts money aside for a request, with smaller pages where there is not enough for larger ones.
  func reserve(_ request: XRequest, at now: Timestamp) throws(XClientError) -> (XRequest, Reservation) {
    try books.withLock { (books) throws(XClientError) in
      books.turn(to: now)
      guard let cap else { return (request, Reservation(amount: 0)) }
      let free = cap - books.usage.cost - books.reserved
      let request = fitting(request, into: free)
      let amount = prices.worstCase(request.endpoint, things: books.uncounted(of: request))
      guard amount <= free else {
        throw overBudget(request, amount, spent: books.usage.cost, reserved: books.reserved, cap: cap)
      }
      books.reserved += amount
      return (request, Reservation(amount: amount))
    }
  }

  /// Counts what a request has read, in place of what was put aside for it.
  func book(_ response: XResponse, for reservation: Reservation, at now: Timestamp) {
    books.withLock { books in
      books.turn(to: now)
      books.reserved -= reservation.amount
      let (posts, users) = books.take(response)
      books.usage.posts += posts
      books.usage.users += users
      books.usage.cost += prices.cost(posts: posts, users: users)
    }
  }

  /// Gives back what was put aside for a request that was not answered: X counts only what it delivers.
  func release(_ reservation: Reservation) { books.withLock { $0.reserved -= reservation.amount } }

  /// Notes what a kept page holds: it was counted when it came.
  func note(_ response: XResponse, at now: Timestamp) {
    books.withLock { books in
      books.turn(to: now)
      books.usage.pagesFromJournal += 1
      if let fetched = response.fetchedAt, Books.day(of: fetched) == books.day { _ = books.take(response) }
    }
  }

  private func fitting(_ request: XRequest, into free: Decimal) -> XRequest {
    guard request.endpoint != .followers, let size = request.pageSize,
      prices.worstCase(of: request) > free, prices.post > 0
    else { return request }
    let affordable = (free - prices.user) / (2 * prices.post)
    return request.shrunk(to: min(size, max(0, Int(NSDecimalNumber(decimal: affordable).doubleValue))))
  }

  private func overBudget(
    _ request: XRequest, _ amount: Decimal, spent: Decimal, reserved: Decimal, cap: Decimal
  ) -> XClientError {
    let underWay = reserved > 0 ? " and \(dollars(reserved)) put aside for requests under way" : ""
    return XClientError(
      .overBudget,
      "The next request may cost up to \(dollars(amount)); with about \(dollars(spent)) spent\(underWay), that could "
        + "pass the cap of \(dollars(cap)) for one run. What was fetched is kept. To go on, raise max_cost below x: in "
        + "site.yml, or give --max-cost \(dollars(spent + reserved + amount).dropFirst()) or more.",
      endpoint: request.endpoint.rawValue)
  }
}

fileprivate extension XBudget.Books {
  static func day(of time: Timestamp) -> Int64 { time.milliseconds / 86_400_000 }

  /// With a new UTC day X counts anew.
  mutating func turn(to now: Timestamp) {
    guard Self.day(of: now) != day else { return }
    day = Self.day(of: now)
    posts = []
    users = []
  }

  /// Things that a request may bring and that are not counted yet today.
  func uncounted(of request: XRequest) -> Int {
    switch request.endpoint {
    case .posts: request.ids.count { !posts.contains($0) }
    case .users: request.ids.count { !users.contains($0) }
    default: request.things
    }
  }

  /// Remembers the posts and users of an answer; gives how many of them are new today.
  mutating func take(_ response: XResponse) -> (posts: Int, users: Int) {
    let before = (posts.count, users.count)
    posts.formUnion((response.posts + response.includedPosts).compactMap { $0.id("id") })
    users.formUnion(response.users.compactMap { $0.id("id") })
    return (posts.count - before.0, users.count - before.1)
  }
}
