package import Foundation
import NetworkSources
import Synchronization
import ThreadModel

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
    /// Requests that wait for what is put aside for others, by their numbers.
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWaiting = 0
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
  ///
  /// What is put aside for requests under way is mostly more than they will cost: where only that is in the way, the request waits
  /// until one of them is booked.
  func reserve(
    _ request: XRequest, at now: @Sendable () -> Timestamp
  ) async throws(XClientError) -> (XRequest, Reservation) {
    while true {
      let result: (XRequest, Reservation)? = try books.withLock { (books) throws(XClientError) in
        books.turn(to: now())
        guard let cap else { return (request, Reservation(amount: 0)) }
        let free = cap - books.usage.cost - books.reserved
        let fitting = fitting(request, into: free)
        let amount = prices.worstCase(fitting.endpoint, things: books.uncounted(of: fitting))
        if amount <= free {
          books.reserved += amount
          return (fitting, Reservation(amount: amount))
        }
        guard books.reserved > 0, !Task.isCancelled else {
          throw overBudget(fitting, amount, spent: books.usage.cost, cap: cap)
        }
        return nil
      }
      if let result { return result }
      await waitForBooking()
    }
  }

  /// Waits until something that was put aside is booked or given back, or the task is cancelled.
  private func waitForBooking() async {
    let number = books.withLock { books in
      books.lastWaiting += 1
      return books.lastWaiting
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNeeded = books.withLock { books in
          // All may have been booked since the reservation was tried.
          guard books.reserved > 0, !Task.isCancelled else { return false }
          books.waiting[number] = continuation
          return true
        }
        if !isNeeded { continuation.resume() }
      }
    } onCancel: {
      books.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }

  /// Lets all who wait try again.
  private func wake() {
    let waiting = books.withLock { books in
      defer { books.waiting = [:] }
      return books.waiting
    }
    for continuation in waiting.values { continuation.resume() }
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
    wake()
  }

  /// Gives back what was put aside for a request that was not answered: X counts only what it delivers.
  func release(_ reservation: Reservation) {
    books.withLock { $0.reserved -= reservation.amount }
    wake()
  }

  /// Notes what a kept page holds: it was counted when it came.
  func note(_ response: XResponse, at now: Timestamp) {
    books.withLock { books in
      books.turn(to: now)
      books.usage.pagesFromCache += 1
      if let fetched = response.fetchedAt, Books.day(of: fetched) == books.day { _ = books.take(response) }
    }
  }

  private func fitting(_ request: XRequest, into free: Decimal) -> XRequest {
    guard request.endpoint != .followers, let size = request.pageSize,
      prices.worstCase(of: request) > free, prices.post > 0
    else { return request }
    let affordable = (free - prices.user) / (2 * prices.post + prices.user)
    return request.shrunk(to: min(size, max(0, Int(NSDecimalNumber(decimal: affordable).doubleValue))))
  }

  private func overBudget(
    _ request: XRequest, _ amount: Decimal, spent: Decimal, cap: Decimal
  ) -> XClientError {
    XClientError(
      .overBudget,
      "The next request may cost up to \(dollars(amount)); with about \(dollars(spent)) spent, that could "
        + "pass the cap of \(dollars(cap)) for one run. What was fetched is kept. To go on, raise max_cost below x: in "
        + "site.yml, or give --max-cost \(dollars(spent + amount).dropFirst()) or more.",
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

/// What a run has asked and read so far, for a summary.
package struct XUsage: Sendable, Hashable {
  /// Requests that X answered or should have, by endpoint; one asked again in the other dialect counts twice.
  package var requests: [XEndpoint: Int] = [:]
  /// Posts and users that X counts: each once a UTC day.
  package var posts = 0
  package var users = 0
  /// In US dollars, by X's published prices.
  package var cost = Decimal(0)
  /// Pages that an interrupted run had kept, and that cost nothing.
  package var pagesFromCache = 0
  /// Pauses that X's limits made necessary.
  package var waits = 0
  package var secondsWaited = 0.0

  package init() {}

  package var requestCount: Int { requests.values.reduce(0, +) }
}
