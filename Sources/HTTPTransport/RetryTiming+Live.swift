#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension RetryTiming {
  /// The machine's clock and random numbers.
  package static let live = RetryTiming(
    sleep: { try await Task.sleep(for: .seconds($0)) },
    random: { Double.random(in: 0..<1) },
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    })
}
