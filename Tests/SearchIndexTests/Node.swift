import Basics
import Foundation
import TestSupport

/// Node runs the search script in tests, if it is installed.
enum Node {
  static let script = ProjectFolders.repository.appending(path: "themes/paper/static/search.js").path

  private static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { $0 + "/node" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  static var exists: Bool { path != nil }

  struct Failure: Error { let status: Int32 }

  /// The output of a program.
  static func run(_ arguments: String..., input: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: path ?? "")
    process.arguments = arguments
    let folder = try TemporaryFolder()
    let (inputFile, outputFile) = (URL(filePath: folder.path + "/in"), URL(filePath: folder.path + "/out"))
    try Data(input.utf8).write(to: inputFile)
    try Data().write(to: outputFile)
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    try ProcessLauncher.start(process)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return String(decoding: try Data(contentsOf: outputFile), as: UTF8.self)
  }
}
