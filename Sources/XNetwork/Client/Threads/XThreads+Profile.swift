package import ThreadModel

/// What came of asking for an author's profile.
package struct XProfileFetched: Sendable, Hashable {
  package var profile: Profile?
  /// Why it, or a part of the followers, could not be had.
  package var failure: XClientError?

  package init(profile: Profile? = nil, failure: XClientError? = nil) {
    self.profile = profile
    self.failure = failure
  }
}

/// Whose profile is asked for.
package enum XUserName: Sendable, Hashable {
  case handle(String)
  case id(String)
}

extension XThreads {
  /// An author's profile, with as many of their followers as wanted, newest first as X lists them.
  package func profile(_ name: XUserName, followers: Int = 0) async -> XProfileFetched {
    var run = run
    var profile: Profile
    do throws(XClientError) {
      switch name {
      case .handle(let handle): profile = Profile(author: try await run.user(handle), observedAt: now)
      case .id(let id): profile = Profile(author: try await run.user(id: id), observedAt: now)
      }
    } catch {
      return XProfileFetched(failure: error)
    }
    // X shows nobody who follows a protected account.
    guard followers > 0, profile.author.isProtected != true else { return XProfileFetched(profile: profile) }
    let failure = await run.addFollowers(followers, to: &profile)
    return XProfileFetched(profile: profile, failure: failure)
  }
}

extension XRun {
  private static let largestPage = 1000

  mutating func user(id: String) async throws(XClientError) -> Author {
    guard canAsk() else { throw stop ?? XClientError(.cancelled, "Fetching was interrupted.") }
    var answer = try await endpoints.users([id])
    answer.fetchedAt = answer.fetchedAt ?? now
    if let author = answer.authors.first(where: { $0.id.value == id }) { return author }
    let problem = answer.problems.first
    let words = problem.map { " X says: \($0.detail ?? $0.title)" } ?? ""
    if problem?.reason == .suspended {
      throw XClientError(.suspended, "The account with the id \(id) is suspended.\(words)")
    }
    throw XClientError(.notFound, "There is no user with the id \(id).\(words)")
  }

  /// Adds followers page by page; what came before an error stays.
  fileprivate mutating func addFollowers(_ count: Int, to profile: inout Profile) async -> XClientError? {
    let endpoints = endpoints
    let (now, id) = (now, profile.author.id.value)
    var found: [Author] = []
    var failure: XClientError?
    do throws(XClientError) {
      try await XPaging().pages({ token throws(XClientError) in
        // The last page is asked for no more than is missing: every user costs.
        try await endpoints.followers(of: id, count: min(count - found.count, Self.largestPage), token: token)
      }) { page throws(XClientError) in
        var page = page
        page.fetchedAt = page.fetchedAt ?? now
        let known = Set(found.map(\.id))
        let new = page.authors.filter { !known.contains($0.id) }
        found += new
        return found.count < count && !new.isEmpty ? .more : .enough
      }
    } catch {
      failure = error
    }
    profile.followers = Array(found.prefix(count))
    return failure
  }
}
