import HTTPTransport
import NetworkSources
import TestSupport
import XNetwork

/// A value that no output may contain.
let secretToken = "AAAA-s3cret-token-that-never-shows"

extension XClient {
  /// A client with an invented token that by default tries every request once.
  static func fake(
    _ transport: FakeTransport, clock: FakeClock = FakeClock(), change: (inout Options) -> Void = { _ in }
  ) throws -> XClient {
    var options = Options()
    options.retries.maximumTries = 1
    change(&options)
    return try XClient(
      .bearer(Secret(secretToken)), transport: transport, options: options, clock: clock.clock)
  }
}

/// The error of the closure; `nil` if it succeeds.
func failure(_ body: () async throws -> Void) async -> SourceError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? SourceError
  }
}
