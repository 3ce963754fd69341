package import Foundation

/// Golden files, which contain the expected output of a stage.
///
/// With `THREADSITE_RECORD=1` in the environment, the files are written again and the comparison fails,
/// so that a recording run cannot be mistaken for a passing run.
package enum Golden {
  /// A difference from the golden file, described for the test's report.
  package struct Difference: Error, CustomStringConvertible {
    package let description: String
  }

  package static var isRecording: Bool {
    ProcessInfo.processInfo.environment["THREADSITE_RECORD"] == "1"
  }

  /// Compares `actual` with the file at `url`.
  ///
  /// - Throws: ``Difference`` if they differ, the file is missing, or the file was recorded.
  package static func compare(_ actual: String, with url: URL) throws {
    if isRecording {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: url)
      throw Difference(description: "recorded \(url.lastPathComponent); run again without THREADSITE_RECORD")
    }
    guard let data = FileManager.default.contents(atPath: url.path) else {
      throw Difference(description: "no golden file \(url.path): record it with THREADSITE_RECORD=1")
    }
    let expected = String(decoding: data, as: UTF8.self)
    guard expected != actual else { return }
    throw Difference(
      description: firstDifference(expected: expected, actual: actual, file: url.lastPathComponent))
  }

  private static func firstDifference(expected: String, actual: String, file: String) -> String {
    let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let actualLines = actual.split(separator: "\n", omittingEmptySubsequences: false)
    var index = 0
    while index < expectedLines.count, index < actualLines.count, expectedLines[index] == actualLines[index] {
      index += 1
    }
    let want = index < expectedLines.count ? String(expectedLines[index]) : "(end of file)"
    let got = index < actualLines.count ? String(actualLines[index]) : "(end of file)"
    return "\(file):\(index + 1): expected\n  \(want)\nbut got\n  \(got)"
  }
}
