package import Foundation
import NetworkSources
import Synchronization
import ThreadModel

/// Counts the posts and users that are read, and stops before the maximum cost is exceeded.
///
/// Before a request, its maximum cost is reserved, so that neither its response nor the responses of parallel requests exceed the maximum.
/// Afterwards the reservation is replaced by the actual cost.
final class XBudget: Sendable {
  /// The amount reserved for one request.
  struct Reservation: Sendable {
    let amount: Decimal
  }

  fileprivate struct Books {
    var usage = SourceUsage()
    var cost = Decimal(0)
    var reserved = Decimal(0)
    /// The UTC day on which `posts` and `users` were read, in days since 1970.
    var day: Int64 = 0
    var posts: Set<String> = []
    var users: Set<String> = []
    /// The posts of `posts` that were requested and not only included. All posts and users that these include were also counted.
    var whole: Set<String> = []
    /// The requests that wait for the reservations of others, by their numbers.
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

  var usage: SourceUsage {
    books.withLock { books in
      books.usage.cost = books.cost
      return books.usage
    }
  }

  /// Counts a request, with or without a response.
  func count(_ endpoint: XEndpoint) {
    books.withLock { $0.usage.requests[endpoint.rawValue, default: 0] += 1 }
  }

  /// Reserves money for a request, with smaller pages if there is not enough for larger ones.
  ///
  /// Reservations are usually higher than the actual costs. If only the reservations of other requests use up the money, the request waits
  /// until one of them is settled.
  func reserve(
    _ request: XRequest, at now: @Sendable () -> Timestamp
  ) async throws(SourceError) -> (XRequest, Reservation) {
    while true {
      let result: (XRequest, Reservation)? = try books.withLock { (books) throws(SourceError) in
        let time = now()
        books.turn(to: time)
        guard let cap else { return (request, Reservation(amount: 0)) }
        let free = cap - books.cost - books.reserved
        let fitting = fitting(request, into: free)
        let amount = prices.worstCase(of: fitting, things: books.uncounted(of: fitting, at: time))
        if amount <= free {
          books.reserved += amount
          return (fitting, Reservation(amount: amount))
        }
        guard !Task.isCancelled else { throw XRefusal.interrupted() }
        guard books.reserved > 0 else {
          throw overBudget(fitting, amount, spent: books.cost, cap: cap)
        }
        return nil
      }
      if let result { return result }
      await waitForBooking()
    }
  }

  /// Waits until a reservation is settled or released, or the task is canceled.
  private func waitForBooking() async {
    let number = books.withLock { books in
      books.lastWaiting += 1
      return books.lastWaiting
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNeeded = books.withLock { books in
          // All reservations may have been settled since the attempt.
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

  /// Resumes all waiting requests.
  private func wake() {
    let waiting = books.withLock { books in
      defer { books.waiting = [:] }
      return books.waiting
    }
    for continuation in waiting.values { continuation.resume() }
  }

  /// Replaces a request's reservation by the request's actual cost.
  func book(_ response: XResponse, for reservation: Reservation, at now: Timestamp) {
    books.withLock { books in
      books.turn(to: now)
      books.reserved -= reservation.amount
      let (posts, users) = books.take(response)
      books.usage.posts += posts
      books.usage.users += users
      books.cost += prices.cost(posts: posts, users: users)
    }
    wake()
  }

  /// Releases the reservation of a request without a response. X charges only for delivered items.
  func release(_ reservation: Reservation) {
    books.withLock { $0.reserved -= reservation.amount }
    wake()
  }

  /// Records the contents of a cached page, which was charged when it was received.
  func note(_ response: XResponse, at now: Timestamp) {
    books.withLock { books in
      books.turn(to: now)
      books.usage.keptPages += 1
      if let fetched = response.fetchedAt, Books.day(of: fetched) == books.day { _ = books.take(response) }
    }
  }

  /// Returns the request with pages that fit into the available amount.
  ///
  /// A first page gets half of that amount, because X may accept a page token only with the page size for which it was issued. The
  /// following pages have the same size and would not fit if the first page could use up everything. A later page shrinks only if it does
  /// not fit otherwise.
  private func fitting(_ request: XRequest, into free: Decimal) -> XRequest {
    let share = request.pageToken == nil ? free / 2 : free
    guard request.endpoint != .followers, let size = request.pageSize,
      prices.worstCase(of: request) > share, prices.post > 0
    else { return request }
    let one = prices.worstCase(of: request, things: 1)
    let more = prices.worstCase(of: request, things: 2) - one
    let affordable = 1 + NSDecimalNumber(decimal: (share - one) / more).doubleValue
    return request.shrunk(to: min(size, max(0, Int(affordable))))
  }

  private func overBudget(
    _ request: XRequest, _ amount: Decimal, spent: Decimal, cap: Decimal
  ) -> SourceError {
    SourceError(
      x: .overBudget,
      "The next request may cost up to \(dollars(amount)); with about \(dollars(spent)) spent, this could "
        + "exceed the limit of \(dollars(cap)) per run. Fetched posts are kept. To continue, raise x.max_cost in "
        + "site.yml or pass --max-cost \(dollars(spent + amount).dropFirst()) or more.",
      endpoint: request.endpoint.rawValue)
  }
}

fileprivate extension XBudget.Books {
  static func day(of time: Timestamp) -> Int64 { time.milliseconds / 86_400_000 }

  /// X starts counting from zero on each UTC day.
  mutating func turn(to now: Timestamp) {
    guard Self.day(of: now) != day else { return }
    day = Self.day(of: now)
    posts = []
    users = []
    whole = []
  }

  /// Returns the number of items that a request may return and that X may not have counted yet on the day of the response.
  func uncounted(of request: XRequest, at now: Timestamp) -> Int {
    // The response may arrive on the next day, when X starts counting from zero.
    guard Self.day(of: Timestamp(milliseconds: now.milliseconds + 600_000)) == day else {
      return request.things
    }
    return switch request.endpoint {
    case .posts: request.ids.count { !whole.contains($0) }
    case .users: request.ids.count { !users.contains($0) }
    default: request.things
    }
  }

  /// Records the posts and users of a response; returns how many of them are new today.
  mutating func take(_ response: XResponse) -> (posts: Int, users: Int) {
    let before = (posts.count, users.count)
    whole.formUnion(response.posts.map(\.id))
    posts.formUnion((response.posts + response.includedPosts).map(\.id))
    users.formUnion(response.users.compactMap { $0.id("id") })
    return (posts.count - before.0, users.count - before.1)
  }
}

/// X's prices in US dollars (X, "Pay per use", 2026). Posts and users are counted once per UTC day.
package struct XPrices: Sendable, Hashable {
  package var post: Decimal
  package var user: Decimal

  package init(post: Decimal = Decimal(5) / 1000, user: Decimal = Decimal(10) / 1000) {
    self.post = post
    self.user = user
  }

  package func cost(posts: Int, users: Int) -> Decimal { Decimal(posts) * post + Decimal(users) * user }

  /// Returns the maximum cost of a request. Each post includes at most the answered and the quoted post with their authors.
  ///
  /// - Parameter things: the number of requested posts or users that are not counted yet today; by default all of them.
  package func worstCase(of request: XRequest, things: Int? = nil) -> Decimal {
    let things = things ?? request.things
    guard request.endpoint.subject == .posts else { return cost(posts: 0, users: things) }
    guard things > 0 else { return 0 }
    // A timeline has one author.
    return cost(posts: 3 * things, users: (request.endpoint == .timeline ? 1 : things) + 2 * things)
  }
}

extension XRequest {
  /// The number of posts or users that the request may return.
  var things: Int { pageSize ?? max(1, ids.count) }
}
