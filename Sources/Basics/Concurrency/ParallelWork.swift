import Dispatch
import Synchronization

/// Runs work on all cores: two pieces of work in parallel, or work that grows with the site, as a few long tasks that take chunks of it
/// from a shared counter.
///
/// Chunks are used because a task per thread of the site would take longer than the thread's own work. A shared counter is used because
/// threads of the site differ in length.
package enum ParallelWork {
  /// Runs two functions in parallel, if more than one thread may be used.
  ///
  /// They are not iterations of one parallel task: that would divide the cores for their own parallel work between them beforehand, and the
  /// cores of the function that ends first would be idle.
  package static func both<First, Second: Sendable>(
    jobs: Int, _ first: () -> First, _ second: @Sendable () -> Second
  ) -> (First, Second) {
    guard jobs > 1 else { return (first(), second()) }
    return withoutActuallyEscaping(second) { second in
      let other = Later(second)
      DispatchQueue.global().async { other.start() }
      let one = first()
      // If no thread could be started, for example without memory for its stack, the second function is called here.
      return (one, other.value())
    }
  }

  /// A value that is computed once, by the first caller, while others wait. The function is then released, however long the queue keeps
  /// this object.
  private final class Later<Value: Sendable>: Sendable {
    private enum State {
      case waiting(@Sendable () -> Value)
      case made(Value)
      case taken
    }

    private let state: Mutex<State>

    init(_ body: @escaping @Sendable () -> Value) { state = Mutex(.waiting(body)) }

    func start() {
      state.withLock { state in
        if case .waiting(let body) = state { state = .made(body()) }
      }
    }

    /// Must be called only once.
    func value() -> Value {
      state.withLock { state in
        defer { state = .taken }
        switch state {
        case .waiting(let body): return body()
        case .made(let value): return value
        case .taken: preconditionFailure("The value was taken already.")
        }
      }
    }
  }

  /// Calls `body` once for every index below `count`, from up to `jobs` threads at once.
  ///
  /// Each worker starts with a separate state from `makeState` and returns it at the end, so that workers share no data. The results are in
  /// no particular order.
  ///
  /// - Parameter chunk: the number of indices that a worker takes at a time.
  package static func run<State: Sendable>(
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
