import Basics
import Foundation
import TestSupport
import Testing

/// The actual program, as users run it.
struct Program {
  struct Outcome {
    let code: Int32
    let output: String
    let errors: String
  }

  /// The built executable, beside the test bundle.
  static let executable: URL? = {
    let bundles =
      Bundle.allBundles.map(\.bundleURL)
      + [Bundle.main.executableURL, Bundle.main.bundleURL].compactMap(\.self)
    for bundle in bundles {
      var folder = bundle.resolvingSymlinksInPath()
      while folder.pathComponents.count > 1 {
        folder = folder.deletingLastPathComponent()
        let program = folder.appending(path: "threadsite")
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: program.path, isDirectory: &isFolder), !isFolder.boolValue {
          return program
        }
      }
    }
    return nil
  }()

  let folder: String
  var environment: [String: String] = [:]
  /// The executable to run instead of the program, such as a shell that runs it.
  var executable: URL?

  /// Runs it on a separate thread, so that other tests continue on the test's thread.
  func runAside(_ arguments: [String]) async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try run(arguments) }) }
    }
  }

  /// Runs it in `folder` with only the search path of this process's environment, and waits.
  ///
  /// - Parameter input: the file for standard input.
  func run(_ arguments: [String], input: String? = nil) throws -> Outcome {
    let executable = try #require(executable ?? Self.executable, "the program is not built")
    let captured = try TemporaryFolder()
    try captured.write("", to: "output")
    try captured.write("", to: "errors")
    let output = try FileHandle(forWritingTo: URL(filePath: captured.path + "/output"))
    let errors = try FileHandle(forWritingTo: URL(filePath: captured.path + "/errors"))
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder, directoryHint: .isDirectory)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    process.environment = environment.merging(["PATH": path]) { own, _ in own }
    process.standardInput = try input.map { try FileHandle(forReadingFrom: URL(filePath: $0)) } ?? .nullDevice
    process.standardOutput = output
    process.standardError = errors
    try ProcessLauncher.start(process)
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: try captured.text("output"),
      errors: try captured.text("errors"))
  }
}
