import Basics
import Foundation
import TestSupport
import Testing

@testable import BlueskyNetwork

/// Python with the package atproto.
private enum PythonSDK {
  private static let python = ProcessInfo.processInfo.environment["THREADSITE_PYTHON"] ?? "python3"
  static let isInstalled = run("import atproto") != nil

  /// The output of a script; `nil` if it fails.
  static func run(_ script: String, _ arguments: String...) -> Data? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [python, "-c", script] + arguments
    let output = ProcessLauncher.makePipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? ProcessLauncher.start(process)) != nil else { return nil }
    let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
  }
}

/// The same files read by an independent SDK for Python (`pip install atproto`). `THREADSITE_PYTHON` names a
/// Python that has it.
@Suite(
  .enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"),
  .enabled(if: PythonSDK.isInstalled, "needs a Python with the package atproto"))
struct BlueskySecondOpinionTests {
  @Test(arguments: [
    "arroba-30-post-thread", "good-thread", "real-v2-2022", "real-v3-small", "blocks-reversed",
  ])
  func bothReadTheSamePosts(name: String) throws {
    let path = try #require(ProjectFolders.sharedFixtures)
      .appending(path: "networks/atproto-car/\(name).car").path
    let script = """
      import json, sys
      from atproto import CAR
      blocks = CAR.from_bytes(open(sys.argv[1], 'rb').read()).blocks
      print(json.dumps([b['text'] for b in blocks.values()
        if isinstance(b, dict) and b.get('$type') == 'app.bsky.feed.post']))
      """
    let data = try #require(PythonSDK.run(script, path))
    let theirs = try #require(try JSONSerialization.jsonObject(with: data) as? [String])
    let repository = try BlueskyRepository(CARFile(Array(Data(contentsOf: URL(filePath: path)))))
    let ours = repository.posts.compactMap { $0.record["text"]?.string }
    #expect(ours.sorted() == theirs.sorted())
  }
}
