import HTTPTransport
import NetworkSources
import TestSupport
import XNetwork

/// What no output may hold.
let secretToken = "AAAA-s3cret-token-that-never-shows"

extension XClient {
  /// A client with a made-up token that tries everything once, unless told otherwise.
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

/// The error that asking ends with; `nil` where it does not.
func failure(_ body: () async throws -> Void) async -> SourceError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? SourceError
  }
}
