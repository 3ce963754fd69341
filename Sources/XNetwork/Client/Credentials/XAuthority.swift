import HTTPTransport

/// Holds the bearer token of one run, in memory only; asks for it once, however many requests wait for it.
actor XAuthority {
  private let credential: XCredential
  private let exchange: XTokenExchange
  private var asking: Task<Result<Secret, XClientError>, Never>?

  init(_ credential: XCredential, exchange: XTokenExchange) {
    self.credential = credential
    self.exchange = exchange
  }

  /// The value of the `Authorization` header.
  func authorization() async throws(XClientError) -> Secret {
    switch credential {
    case .bearer(let token): return Secret("Bearer \(token.revealed)")
    case .consumer(let key, let secret):
      return Secret("Bearer \(try await token(key, secret).get().revealed)")
    }
  }

  private func token(_ key: Secret, _ secret: Secret) async -> Result<Secret, XClientError> {
    if let asking { return await asking.value }
    let exchange = exchange
    // A task of its own: that one of those who wait is cancelled does not take the token from the others.
    let task = Task<Result<Secret, XClientError>, Never> {
      do throws(XClientError) {
        return .success(try await exchange.token(key: key, secret: secret))
      } catch {
        return .failure(error)
      }
    }
    asking = task
    let result = await task.value
    // What failed for the moment may be tried again; a wrong key stays wrong.
    if case .failure(let error) = result, error.kind != .wrongCredential { asking = nil }
    return result
  }
}
