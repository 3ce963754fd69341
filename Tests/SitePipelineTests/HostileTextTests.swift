import Foundation
import JSONText
import SitePipeline
import TestSupport
import Testing
import ThreadModel

/// Text that breaks software without being markup: marks with nothing to stand on, controls, directions without an end.
@Suite struct HostileTextTests {
  /// Our own: what a title, a name, a tag, a handle or an id may begin or end with.
  static let ownStrings: [String] = marks.flatMap { mark -> [String] in
    [mark, mark + "ka", "ka \(mark)kb", "\(mark)/\(mark)ka\(mark).\(mark)kb"]
  }

  private static let marks = [
    "\u{3099}", "\u{0E31}", "\u{05B0}", "\u{064B}", "\u{093F}", "\u{0301}", "\u{20E3}", "\u{FE0F}",
    "\u{200D}",
    "\u{0600}", "\u{110BD}",
  ]

  static var strings: [String] {
    get throws {
      guard let folder = ProjectFolders.sharedFixtures else { return ownStrings }
      let data = try Data(contentsOf: folder.appending(path: "text/naughty-strings.json"))
      return ownStrings + (try JSONDecoder().decode([String].self, from: data))
    }
  }

  @Test func everyStringGivesAWholeSite() throws {
    let site = try TemporarySite()
    let strings = Self.ownStrings
    for (number, text) in strings.enumerated() {
      try site.save(HostileConversation.make(number: number, payload: text))
    }
    try site.folder.write(
      "base_url: https://ada.example/threads/\nmedia: link\nfeed: { entries: 500 }\n", to: "site.yml")
    #expect(try site.build().threads == strings.count)
    try SiteChecks(site).checkAll()
  }

  /// Everything of a site's own path that may begin with a mark.
  @Test(arguments: ["\u{3099}", "\u{0600}", "\u{0301}"])
  func aSiteMayStandInAnyFolder(mark: String) throws {
    let folder = try TemporaryFolder()
    let site = "\(mark)site\(mark)"
    let made = try Program(folder: folder.path).run(["init", site, "--title", "Threads"])
    #expect(made.code == 0, "\(made.errors)")
    let path = "\(folder.path)/\(site)"
    let share = ["THREADSITE_SHARE": ProjectFolders.repository.path]
    for arguments in [
      ["build"], ["build", "--config", "\(path)/site.yml"], ["build", "--output", "\(mark)out/\(mark)"],
    ] {
      let built = try Program(folder: path, environment: share).run(arguments)
      #expect(built.code == 0, "\(arguments): \(built.errors)")
    }
    for output in ["site", "\(mark)out/\(mark)"] {
      #expect(FileManager.default.fileExists(atPath: "\(path)/\(output)/index.html"))
    }
  }
}
