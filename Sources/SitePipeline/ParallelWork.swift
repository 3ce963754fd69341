import Dispatch
import Synchronization

/// Work that grows with the site, on all cores: a few long tasks that take chunks of it from a shared counter.
///
/// Chunks because a task for each thread costs more than the thread; a shared counter because threads differ in length.
enum ParallelWork {
  /// Calls `body` once for every index below `count`, from up to `jobs` threads at once.
  ///
  /// Each worker begins with a state of its own from `makeState` and hands it in at the end, so that nothing is shared in
  /// between. The results come back in no particular order.
  ///
  /// - Parameter chunk: how many indices a worker takes at a time.
  static func run<State: Sendable>(
    count: Int, jobs: Int, chunk: Int = 16, makeState: @Sendable () -> State,
    body: @Sendable (_ index: Int, _ state: inout State) -> Void
  ) -> [State] {
    let next = Atomic(0)
    let results = Mutex<[State]>([])
    let workers = max(1, min(jobs, (count + chunk - 1) / chunk))
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      var state = makeState()
      while true {
        let start = next.wrappingAdd(chunk, ordering: .relaxed).oldValue
        guard start < count else { break }
        for index in start..<min(start + chunk, count) { body(index, &state) }
      }
      results.withLock { $0.append(state) }
    }
    return results.withLock { $0 }
  }
}
