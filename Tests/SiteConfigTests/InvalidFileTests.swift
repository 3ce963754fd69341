import Foundation
import SiteConfig
import TestSupport
import Testing

/// Each file in Fixtures/invalid is rejected with the messages in the .errors file beside it.
@Suite struct InvalidFileTests {
  static let folder = ProjectFolders.fixtures(of: "SiteConfigTests").appending(path: "invalid")

  static let files: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".yml") }.sorted()
  }()

  @Test func hasEnoughFixtures() {
    #expect(Self.files.count > 25)
  }

  @Test(.timeLimit(.minutes(20)), arguments: files)
  func rejectsFilesWithTheirMessages(_ name: String) throws {
    let data = try Data(contentsOf: Self.folder.appending(path: name))
    do {
      let decoded = try SiteConfig.decode(bytes: data, file: "site.yml")
      Issue.record("\(name) was accepted: \(decoded.config)")
    } catch {
      let lines = error.problems.compactMap(\.line)
      #expect(lines == lines.sorted(), "problems are not in the order of the lines")
      let golden = Self.folder.appending(path: name.replacing(".yml", with: ".errors"))
      try Golden.compare(error.description + "\n", with: golden)
    }
  }

  @Test func messagesContainNoTokens() throws {
    for name in Self.files where name.hasPrefix("token-") {
      let data = try Data(contentsOf: Self.folder.appending(path: name))
      let error = #expect(throws: SiteConfigError.self) {
        try SiteConfig.decode(bytes: data, file: "site.yml")
      }
      let text = error?.description ?? ""
      for secret in ["Invented", "hunter2", "swordfish", "short-secret", "secret-token"] {
        #expect(!text.contains(secret), "\(name) repeats a secret")
      }
    }
  }
}
