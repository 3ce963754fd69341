import HTTPTransport
import ThreadModel

extension RetryingTransport {
  /// A transport that waits and asks again by X's rules, by a client's clock; its pauses count as the run's.
  init(forX base: any HTTPTransport, policy: RetryPolicy, clock: XClock, budget: XBudget) {
    self.init(
      base, policy: policy,
      timing: RetryTiming(
        sleep: { seconds in
          try await clock.sleep(seconds)
          budget.change { $0.secondsWaited += seconds }
        }, random: RetryTiming.live.random, now: { Double(clock.now().milliseconds) / 1000 }),
      judge: { result in
        let verdict = RetryVerdict.x(result, at: clock.now())
        // It is asked only while there are tries left, so that each retry is one pause.
        if case .retry = verdict { budget.change { $0.waits += 1 } }
        return verdict
      }, announce: { clock.announce($0.reason, $0.secondsLeft) })
  }
}
