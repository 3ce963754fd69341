import Foundation
import Synchronization

/// How the cost of a piece of work grows with its size, measured, so that a claim of linearity can fail.
///
/// The cost is the CPU time of the one thread that does the work. Even that depends on what else the machine does: a neighbour empties the
/// caches, and the hypervisor takes the processor away. A short piece of work finds a quiet moment more easily than a
/// long one, which would look like growth; so each size is repeated until as much work was done as the largest size has, the sizes take turns, and each
/// counts with its least time. A claim that does not hold is measured again before it fails, at last at sizes `deeper` times as large: where it was
/// the caches that grew slow, the line is flat again there, and what is quadratic shows more clearly.
///
/// The sizes double, and the slope of the line through their logarithms, by least squares, is the exponent: 1 for what is linear, about 1.1
/// where things are sorted or no longer fit the cache, 2 for what is quadratic. What the work costs at size 1 is taken off before, as a site
/// has its price however few threads it holds.
///
/// The thread has the stack of the workers of a build, 512 KB, so that what calls itself once for each post does not pass.
struct Growth: Sendable {
  /// Ascending, each twice the one before.
  let sizes: [Int]
  /// Seconds.
  private(set) var times: [Double]
  private var base: Double
  /// What exponent these sizes may show.
  private let limit: Double

  /// What exponent a claim of linearity may show: sorting and caches stay below it, and a quadratic part that is as large as
  /// the linear one does not.
  private static let limit = 1.3

  /// How many times each size is measured before a claim fails.
  private static let rounds = 12

  /// How much larger the sizes are at which a claim is measured that did not hold.
  private static let deeper = 4

  /// What exponent it may show there. A quadratic part that made 1.3 of a line, which is nine tenths of the linear part at the largest
  /// size, makes 1.6 of it at sizes four times as large.
  private static let deeperLimit = 1.45

  /// Bytes that files of the largest size may take.
  static let space = largest * 40_000

  /// Seconds that a measurement of one size takes at least, as far as the work is so short that it is repeated.
  private static let shortest = 0.02

  /// The largest number of posts, threads or files, `THREADSITE_GROWTH`; few enough by default for an ordinary run of the tests.
  static let largest =
    ProcessInfo.processInfo.environment["THREADSITE_GROWTH"].flatMap { Int($0) } ?? 800

  /// Runs `work` for four sizes up to `largest`, on what `prepare` makes of each.
  ///
  /// - Parameters:
  ///   - share: The largest size is so small a part of `Growth.largest`, for work that costs more.
  ///   - atMost: The largest size that there can be.
  ///   - atLeast: The smallest that the largest may be; what costs the same from some number of posts on, as
  ///     something is bounded by it, must be larger than that.
  /// - Throws: what `prepare` or `work` throws.
  static func measure<Input>(
    share: Int = 1, atMost: Int = .max, atLeast: Int = 0, prepare: @escaping @Sendable (Int) throws -> Input,
    work: @escaping @Sendable (Input) throws -> Void
  ) throws -> Growth {
    let top = min(max(largest / share, atLeast), atMost)
    let growth = try measured(upTo: top, limit, prepare, work)
    let deeperTop = min(top * deeper, atMost)
    guard growth.exponent > limit, deeperTop == top * deeper else { return growth }
    print(growth.row("measured again at larger sizes:"))
    return try measured(upTo: deeperTop, deeperLimit, prepare, work)
  }

  private static func measured<Input>(
    upTo top: Int, _ limit: Double, _ prepare: @escaping @Sendable (Int) throws -> Input,
    _ work: @escaping @Sendable (Input) throws -> Void
  ) throws -> Growth {
    var growth = Growth(sizes: [top / 8, top / 4, top / 2, top], limit: limit)
    let first = try time(top, 1, prepare, work)
    let repetitions = max(1, Int(min(shortest / max(first, 1e-9), 1000).rounded(.up)))
    for _ in 1...rounds {
      try growth.measureOnce(repetitions, prepare, work)
      if growth.isLinear { break }
    }
    return growth
  }

  private init(sizes: [Int], limit: Double) {
    self.sizes = sizes
    self.limit = limit
    times = Array(repeating: .infinity, count: sizes.count)
    base = .infinity
  }

  /// - Parameter repetitions: How many times the largest size is done; smaller ones so many times more as they are smaller.
  private mutating func measureOnce<Input>(
    _ repetitions: Int, _ prepare: @escaping @Sendable (Int) throws -> Input,
    _ work: @escaping @Sendable (Input) throws -> Void
  ) throws {
    base = min(base, try Self.time(1, 4 * repetitions, prepare, work))
    for (index, size) in sizes.enumerated() {
      let count = repetitions << (sizes.count - 1 - index)
      times[index] = min(times[index], try Self.time(size, count, prepare, work))
    }
  }

  /// Whether the claim of linearity holds.
  var isLinear: Bool { exponent <= limit }

  /// The slope of the logarithm of the time over that of the size.
  var exponent: Double {
    // What is less than a twentieth of the price of the smallest size cannot be told from none: its logarithm would be noise.
    let least = max(base / 20, 1e-9)
    let points = zip(sizes, times).map { (x: log2(Double($0)), y: log2(max($1 - base, least))) }
    let count = Double(points.count)
    let middle = (x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    let covariance = points.reduce(0) { $0 + ($1.x - middle.x) * ($1.y - middle.y) }
    return covariance / points.reduce(0) { $0 + ($1.x - middle.x) * ($1.x - middle.x) }
  }

  /// A row of the table: `1.04  a chain  250: 12.1 ms  500: …`.
  func row(_ claim: String) -> String {
    let columns = zip(sizes, times).map { size, time in
      "\(size): \(String(format: time < 1 ? "%.1f ms" : "%.0f ms", time * 1000))"
    }
    return "growth \(String(format: "%.2f", exponent))  \(claim)  [\(columns.joined(separator: ", "))]"
  }

  // MARK: Measuring

  /// Seconds of CPU of one run, the mean of as many as are asked for.
  private static func time<Input>(
    _ size: Int, _ count: Int, _ prepare: @escaping @Sendable (Int) throws -> Input,
    _ work: @escaping @Sendable (Input) throws -> Void
  ) throws -> Double {
    let result = Mutex<Result<Double, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      let outcome = Result {
        var spent = 0.0
        for _ in 0..<count {
          let input = try prepare(size)
          // What is made of the input goes with the input: neither is taken away while the clock runs.
          spent += try withExtendedLifetime(input) {
            let start = cpuTime()
            try work(input)
            return cpuTime() - start
          }
        }
        return spent / Double(count)
      }
      result.withLock { $0 = outcome }
      isDone.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    isDone.wait()
    return try result.withLock { try $0?.get() ?? .infinity }
  }

  /// Of the calling thread, in seconds.
  private static func cpuTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
