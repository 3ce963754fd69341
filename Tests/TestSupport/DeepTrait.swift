// The programs that count instructions also use this module. They are built with Swift's static library,
// which has no module `Testing`.
#if canImport(Testing)
  package import Testing

  extension Trait where Self == ConditionTrait {
    /// Runs the test only in the deep run; the fast run reports it as skipped.
    package static var deep: Self {
      .enabled(if: TestDepth.isDeep, "deep: run by make test-deep")
    }
  }
#endif
