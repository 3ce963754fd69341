import Basics
import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The fuzz targets without libFuzzer: the corpus, all former findings, and mutations from a seed.
@Suite(.serialized) struct FuzzTests {
  /// The fast run has one twelfth of the mutations. `THREADSITE_FUZZ_SEED` replaces the seed of the run, and
  /// `THREADSITE_FUZZ_RUNS` multiplies the number of mutations.
  private static let seed = environment("THREADSITE_FUZZ_SEED") ?? SeededRandom.seedOfRun
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
    let runs = TestDepth.cases(fast: max(target.testRuns / 12, 10), deep: target.testRuns) * Int(Self.factor)
    for run in 0..<runs {
      let bytes = mutator.mutation(of: mutator.pick(corpus), with: mutator.pick(corpus))
      do {
        try target.check(bytes)
      } catch {
        Issue.record(
          "\(name), seed \(Self.seed), run \(run): \(error)\ninput: \(Data(bytes).base64EncodedString())")
        return
      }
    }
    print("fuzz \(name): seed \(Self.seed), \(runs) mutations of \(corpus.count) inputs")
  }

  @Test func namesAreUnique() {
    let names = FuzzTarget.all.map(\.name)
    #expect(Set(names).count == names.count)
  }

  /// The search script with an index of damaged files: it does not hang, and throws only objects of type
  /// `Error`.
  @Test(.enabled(if: node != nil, "needs node"))
  func damagedSearchIndexDoesNotHang() throws {
    let folder = try TemporaryFolder()
    for file in try SearchSample.files() {
      let path = URL(filePath: "/search").appending(path: file.path).standardizedFileURL.path
      try folder.write(Data(file.bytes), to: String(path.dropFirst()))
    }
    let tests = ProjectFolders.repository.appending(path: "Tests/Fuzz").path
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.node))
    process.arguments = [
      "--max-old-space-size=1024", tests + "/search.mjs",
      ProjectFolders.repository.appending(path: "themes/paper/static/search.js").path, folder.path, "60",
      "\(Self.seed)", tests + "/Findings/search", "\(TestDepth.cases(fast: 100, deep: 1000))",
    ]
    try ProcessLauncher.start(process)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "seed \(Self.seed)")
  }

  private static let node: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { $0 + "/node" }.first { FileManager.default.isExecutableFile(atPath: $0) }
}
