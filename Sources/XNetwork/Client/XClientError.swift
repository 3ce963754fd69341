/// Why X could not be asked, or did not answer what was asked.
package struct XClientError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// No token where site.yml says that there is one.
    case noCredential
    /// 401: X does not know the token.
    case wrongCredential
    /// 403: the token's account may not use this endpoint.
    case noAccess
    /// 402: the account's credits are used up. Never asked again in one run.
    case creditsDepleted
    /// 429: the account's monthly cap of posts. Never waited for.
    case usageCapped
    /// 429: the window of the endpoint is used up, and the wait was longer than allowed or was interrupted.
    case rateLimited
    /// 404, or a 200 that says so of the only thing asked for.
    case notFound
    case protected
    case suspended
    /// The address given is a repost's, which is no thread.
    case repost
    /// 400.
    case invalidRequest
    /// 5xx, after all retries.
    case serverTrouble
    /// An answer that is none of X's: no JSON, or another shape.
    case invalidAnswer
    /// No answer: connection, time, size.
    case noConnection
    /// The next request would have passed the cap on cost.
    case overBudget
    case cancelled
    /// The pages that arrived could not be kept.
    case file
  }

  package var kind: Kind
  /// What happened and what to do, complete sentences; holds no credential.
  package var message: String
  /// The endpoint, such as `GET /2/tweets`; `nil` where nothing was asked.
  package var endpoint: String?

  package init(_ kind: Kind, _ message: String, endpoint: String? = nil) {
    self.kind = kind
    self.message = message
    self.endpoint = endpoint
  }

  package var description: String {
    "\(endpoint.map { "X, \($0)" } ?? "X"): error: \(message)"
  }
}
