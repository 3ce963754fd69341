import Foundation
import FuzzTargets
import Testing

/// The fuzz targets without libFuzzer: the corpus, everything that was ever found, and mutations from a seed.
@Suite(.serialized) struct FuzzTests {
  /// `THREADSITE_FUZZ_SEED` takes the place of the fixed one, and `THREADSITE_FUZZ_RUNS` multiplies the runs.
  private static let seed = environment("THREADSITE_FUZZ_SEED") ?? 20_261_121
  private static let factor = environment("THREADSITE_FUZZ_RUNS") ?? 1

  private static func environment(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func corpusAndFindings(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let corpus = try target.corpus()
    #expect(!corpus.isEmpty, "Tests/Fuzz/Corpus/\(name) is empty")
    for input in try corpus + target.findings() {
      #expect(throws: Never.self, "\(name): \(input.name)") { try target.check(input.bytes) }
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func mutations(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let corpus = try target.corpus().map(\.bytes) + [[]]
    var mutator = Mutator(seed: Self.seed, for: target)
    for run in 0..<target.testRuns * Int(Self.factor) {
      let bytes = mutator.mutation(of: mutator.pick(corpus), with: mutator.pick(corpus))
      do {
        try target.check(bytes)
      } catch {
        Issue.record(
          "\(name), seed \(Self.seed), run \(run): \(error)\ninput: \(Data(bytes).base64EncodedString())")
        return
      }
    }
    print(
      "fuzz \(name): seed \(Self.seed), \(target.testRuns * Int(Self.factor)) mutations of \(corpus.count) inputs"
    )
  }

  /// A target whose properties nothing can fail would be no target: what is damaged by hand is noticed.
  @Test func namesAreUnique() {
    let names = FuzzTarget.all.map(\.name)
    #expect(Set(names).count == names.count)
  }
}
