import Foundation
package import Testing

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
}

extension Trait where Self == ConditionTrait {
  /// Runs the test only in the deep run; the fast run reports it as skipped.
  package static var deep: Self {
    .enabled(if: TestDepth.isDeep, "deep: run by make test-deep")
  }
}
