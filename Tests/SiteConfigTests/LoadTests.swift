import Foundation
import SiteConfig
import Testing

@Suite struct LoadTests {
  /// Calls `body` with the path of a new folder.
  func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "site-config-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  func message(loading path: String) -> String? {
    do {
      _ = try SiteConfig.load(path: path)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func loadsAFile() throws {
    try inFolder { folder in
      try Data("title: Ada\n".utf8).write(to: URL(filePath: folder + "/site.yml"))
      #expect(try SiteConfig.load(path: folder + "/site.yml").config.title == "Ada")
    }
  }

  @Test func usesDefaultsWithoutAFile() throws {
    try inFolder { folder in
      let path = folder + "/site.yml"
      #expect(
        message(loading: path)?.hasPrefix("\(path): error: there is no such file; create a site") == true)
      try Data().write(to: URL(filePath: folder + "/site.yaml"))
      #expect(message(loading: path)?.contains("but there is \(folder)/site.yaml") == true)
      #expect(message(loading: folder)?.contains("this is a folder") == true)
    }
  }

  @Test func rejectsATooLargeFile() throws {
    try inFolder { folder in
      let path = folder + "/site.yml"
      try Data(repeating: UInt8(ascii: "#"), count: SiteConfig.largestFile * 2).write(to: URL(filePath: path))
      #expect(message(loading: path)?.contains("larger than 1 MB") == true)
    }
  }

  @Test func rejectsAnOutputThatContainsTheSite() throws {
    try inFolder { folder in
      let path = folder + "/site.yml"
      try Data("output: \(folder)\n".utf8).write(to: URL(filePath: path))
      #expect(
        message(loading: path)?.hasPrefix("\(path):1:9: error: output: the output folder must not be") == true
      )
    }
  }
}
