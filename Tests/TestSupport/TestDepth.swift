import Foundation

/// How much the tests do: the fast run has few random cases and none of the long tests, the deep run has all of them.
///
/// `THREADSITE_DEEP=1` in the environment chooses the deep run, as `make test-deep` does.
package enum TestDepth {
  /// Whether this is the deep run.
  package static var isDeep: Bool {
    ProcessInfo.processInfo.environment["THREADSITE_DEEP"] == "1"
  }

  /// Returns how many cases a random test draws.
  package static func cases(fast: Int, deep: Int) -> Int {
    isDeep ? deep : fast
  }

  /// Returns some of the values, drawn by the seed of the run and in their order; all of them in the deep run.
  ///
  /// For collections of inputs that are all of one kind, each of which is tested alone.
  package static func sample<Value>(_ values: [Value], fast count: Int) -> [Value] {
    guard !isDeep, count < values.count else { return values }
    var random = SeededRandom()
    return values.indices.shuffled(using: &random).prefix(count).sorted().map { values[$0] }
  }
}
