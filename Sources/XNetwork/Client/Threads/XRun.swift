import ThreadModel

/// One run of requests: what they brought, and what went wrong.
struct XRun: Sendable {
  let endpoints: any XEndpoints
  let now: Timestamp
  var gathering = XGathering()
  var notes: [String] = []
  /// Why nothing more is asked in this run.
  private(set) var stop: XClientError?
  /// The first thing that went wrong and did not end the run.
  private(set) var trouble: XClientError?
  /// The last refusal for want of access: a failure only where there is no other way.
  private(set) var refusal: XClientError?
  private(set) var lacksFullSearch: Bool
  /// Whether some thread was not looked for as far as it could be.
  var isShort = false
  /// Why the last search failed; `nil` where it did not.
  private(set) var searchError: XClientError?
  /// Posts that the last search brought.
  private(set) var foundIDs: Set<String> = []
  /// Posts that timelines brought.
  private(set) var timelineIDs: Set<String> = []

  init(_ endpoints: any XEndpoints, now: Timestamp, lacksFullSearch: Bool) {
    self.endpoints = endpoints
    self.now = now
    self.lacksFullSearch = lacksFullSearch
  }

  /// How asking for pages ended.
  enum End: Hashable {
    /// There are no more.
    case complete
    /// There is more, which was not wanted.
    case enough
    /// There is more, and it cannot be had.
    case cut
    /// X does not allow it to this account.
    case refused
    case failed
    /// Nothing more can be asked in this run.
    case stopped
  }

  var isStopped: Bool { stop != nil }

  // MARK: Lookups

  /// Looks posts up, a hundred a request, lowest ids first; `false` where some of them could not be asked for.
  @discardableResult
  mutating func lookUp(_ ids: some Collection<String>) async -> Bool {
    await lookUp(inOrder: Set(ids).sorted(by: XID.precedes))
  }

  /// Looks posts up in this order.
  @discardableResult
  mutating func lookUp(inOrder ids: [String]) async -> Bool {
    var rest = ids[...]
    var isAnswered = true
    var size = 100
    while !rest.isEmpty {
      let batch = Array(rest.prefix(size))
      rest = rest.dropFirst(batch.count)
      guard canAsk() else { return false }
      gathering.ask(for: batch)
      do throws(XClientError) {
        gathering.add(try await endpoints.posts(batch), at: now)
        gathering.answer(batch)
      } catch {
        if error.kind == .overBudget, batch.count > 1 {
          // What is left may be enough for fewer.
          size = batch.count / 2
          gathering.forget(asked: batch)
          rest = batch + rest
          continue
        }
        // An error says nothing of the posts themselves, not even a 404: that may be a wrong address of the API.
        if note(error) == .refused { trouble = trouble ?? error }
        isAnswered = false
        if error.kind == .rateLimited { return false }
      }
    }
    return isAnswered
  }

  /// Asks whether accounts are still there, a hundred a request. Those that are not cost nothing.
  mutating func lookUp(users ids: [String]) async {
    var rest = ids[...]
    while !rest.isEmpty, canAsk() {
      let batch = Array(rest.prefix(100))
      rest = rest.dropFirst(batch.count)
      do throws(XClientError) {
        gathering.add(try await endpoints.users(batch), at: now)
      } catch {
        note(error)
        return
      }
    }
  }

  /// Looks up what the threads refer to, until there is nothing left that helps: one request where nothing is missing
  /// but quotes, and one a step where parents have to be climbed.
  @discardableResult
  mutating func complete(_ targets: [XTarget]) async -> Bool {
    while !isStopped {
      // Every id is asked for once, so this ends.
      let wanted = targets.reduce(into: Set<String>()) { $0.formUnion(gathering.wanted(by: $1)) }
      guard !wanted.isEmpty else { return true }
      guard await lookUp(wanted) else { return false }
    }
    return false
  }

  // MARK: Pages

  /// All pages of a search; `isEnough` sees each and says whether the rest is wanted.
  mutating func search(_ search: XSearch, isEnough: (XGathering, XResponse) -> Bool = { _, _ in false })
    async -> End
  {
    if search.reach == .full, lacksFullSearch { return .refused }
    guard canAsk() else { return .stopped }
    let endpoints = endpoints
    var pages = XPages()
    foundIDs = []
    searchError = nil
    do throws(XClientError) {
      let end = try await endpoints.pages(of: search) { page throws(XClientError) in
        gathering.add(page, at: now)
        foundIDs.formUnion(page.posts.compactMap { $0.id("id") })
        return pages.take(page, isEnough: isEnough(gathering, page))
      }
      return pages.end(end)
    } catch {
      searchError = error
      if search.reach == .full, error.kind == .noAccess { lacksFullSearch = true }
      return note(error)
    }
  }

  /// All pages of a timeline.
  mutating func timeline(_ timeline: XTimeline, isEnough: (XGathering, XResponse) -> Bool = { _, _ in false })
    async -> End
  {
    guard canAsk() else { return .stopped }
    let endpoints = endpoints
    var pages = XPages()
    do throws(XClientError) {
      let end = try await endpoints.pages(of: timeline) { page throws(XClientError) in
        gathering.add(page, at: now)
        timelineIDs.formUnion(page.posts.compactMap { $0.id("id") })
        return pages.take(page, isEnough: isEnough(gathering, page))
      }
      return pages.end(end)
    } catch {
      return note(error)
    }
  }

  // MARK: Errors

  /// Whether another request may be made: not after one that ends the run, nor when the task is cancelled.
  mutating func canAsk() -> Bool {
    if !isStopped, Task.isCancelled {
      stop = XClientError(
        .cancelled, "Fetching was interrupted. What arrived is kept; run it again to go on.")
    }
    return !isStopped
  }

  @discardableResult
  mutating func note(_ error: XClientError) -> End {
    if error.kind.endsRun {
      stop = stop ?? error
      return .stopped
    }
    if error.kind == .noAccess {
      refusal = error
      return .refused
    }
    trouble = trouble ?? error
    notes.append(error.description)
    return .failed
  }
}

/// Notices pages that bring nothing new and never end.
struct XPages {
  private static let patience = 3

  private var seen: Set<String> = []
  private var idle = 0
  private var isIdle: Bool { idle >= Self.patience }

  mutating func take(_ page: XResponse, isEnough: Bool) -> XPaging.Next {
    let count = seen.count
    seen.formUnion(page.posts.compactMap { $0.id("id") })
    idle = seen.count == count ? idle + 1 : 0
    return isEnough || isIdle ? .enough : .more
  }

  func end(_ end: XPaging.End) -> XRun.End {
    switch end {
    case .complete: .complete
    case .enough: isIdle ? .cut : .enough
    case .pageLimit, .repeatedToken: .cut
    }
  }
}

extension XClientError.Kind {
  /// Whether every request after it would fail as well, or cost what may not be spent.
  var endsRun: Bool {
    switch self {
    case .noCredential, .wrongCredential, .creditsDepleted, .usageCapped, .noConnection, .overBudget,
      .cancelled, .file:
      true
    case .noAccess, .rateLimited, .notFound, .protected, .suspended, .repost, .invalidRequest,
      .serverTrouble,
      .invalidAnswer:
      false
    }
  }
}
