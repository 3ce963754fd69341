import Foundation
import TestSupport
import Testing

/// docs/ARCHITECTURE.md and CONTRIBUTING.md name existing files, and the code follows rules that the compiler
/// does not check.
@Suite struct ArchitectureTests {
  private static let root = ProjectFolders.repository

  /// The paths of the repository's Swift files.
  private static func files() throws -> [String] {
    try ["Package.swift"]
      + ["Sources", "Tests", "Examples"].flatMap { top in
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: top).path)
          .filter { $0.hasSuffix(".swift") }.map { "\(top)/\($0)" }
      }
  }

  /// Names in backticks that end in `.swift`; `*` matches a part of a name.
  @Test(arguments: ["docs/ARCHITECTURE.md", "CONTRIBUTING.md"]) func namedFilesExist(page: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
    let files = try Self.files()
    let known = Set(files)
    // The suffixes of each file's path that begin with a name.
    var ends: Set<String> = []
    for file in files {
      let names = file.split(separator: "/")
      for start in names.indices { ends.insert(names[start...].joined(separator: "/")) }
    }
    let code = try Regex("`([A-Za-z][^` ]*\\.swift)`")
    var count = 0
    for match in text.matches(of: code) {
      let name = String(match.output[1].substring ?? "")
      count += 1
      if name.contains("*") {
        let pattern = try Regex(
          "(^|/)" + name.replacing("+", with: "\\+").replacing(".", with: "\\.").replacing("*", with: "[^/]*")
            + "$")
        #expect(files.contains { $0.contains(pattern) }, "\(page) names \(name), which does not exist")
      } else {
        #expect(
          known.contains(name) || ends.contains(name), "\(page) names \(name), and there is no such file")
      }
    }
    #expect(count > (page.hasPrefix("docs") ? 50 : 3))
  }

  /// The stated number is the number of the files that the example names.
  @Test func examplesStateTheirNumbersOfFiles() throws {
    let text = try String(contentsOf: Self.root.appending(path: "docs/ARCHITECTURE.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## Two examples\n").dropFirst().first)
    let examples = section.components(separatedBy: "\n## ")[0].components(separatedBy: "\n### ").dropFirst()
    #expect(examples.count == 2)
    for example in examples {
      let stated = try #require(example.firstMatch(of: /has ([0-9]+) files/)).output.1
      let names = example.matches(of: /`([A-Za-z][^` ]*\.(swift|mustache))`/).map { String($0.output.1) }
      let files = Set(names.compactMap { $0.split(separator: "/").last })
      #expect(Int(stated) == files.count, "\(files.sorted())")
    }
  }

  /// Folder names that end in a slash, without the folders of a site, which the repository need not have.
  @Test(arguments: ["docs/ARCHITECTURE.md", "CONTRIBUTING.md"]) func namedFoldersExist(page: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
    var ends: Set<String> = []
    for top in [
      "Sources", "Tests", "Examples", "Benchmarks", "Packaging", "templates", "themes", "docs", "threads",
      ".github",
    ] {
      let below = try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: top).path)
      for file in below {
        let names = [Substring(top)] + file.split(separator: "/").dropLast()
        for start in names.indices { ends.insert(names[start...].joined(separator: "/")) }
      }
    }
    var count = 0
    for match in text.matches(of: try Regex("`([A-Za-z][A-Za-z0-9_/-]*)/`")) {
      let name = String(match.output[1].substring ?? "")
      guard !["pages", "static"].contains(name) else { continue }
      count += 1
      #expect(ends.contains(name), "\(page) names the folder \(name), which does not exist")
    }
    #expect(count > (page.hasPrefix("docs") ? 30 : 3))
  }

  /// The table lists exactly the targets of the library.
  @Test func tableListsEachTarget() throws {
    let text = try String(contentsOf: Self.root.appending(path: "docs/ARCHITECTURE.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## The targets").dropFirst().first)
    let table = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    let named = Set(
      table.flatMap { line in
        String(line.split(separator: "|")[0]).split(separator: ",").map { $0.trimming { "` ".contains($0) } }
      })
    let folders = Set(
      try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources").path)
        .filter { !$0.hasPrefix(".") })
    #expect(named == folders)
  }

  /// Only the target of a network contains the network's names, so that a network can be added or removed without other changes. Comments may
  /// use them as examples. The registry and the command line list the networks.
  @Test func onlyNetworkTargetsNameNetworks() throws {
    let targets = [
      "XNetwork/", "BlueskyNetwork/", "MastodonNetwork/", "ThreadsNetwork/", "NostrNetwork/",
      "ThreadsiteCLI/",
    ]
    let name = try Regex(
      "(?i)bluesky|mastodon|fediverse|nostr|bsky|twitter|\\bx\\.com|threads\\.(net|com)\\b|\\.x\\b|(on|platform): \"x\""
    )
    // Each with its reason.
    let exceptions = [
      // The registry.
      "SiteWorkspace/NetworkRegistry.swift",
      // The start of a site.yml, with examples in its comments, and the files of archives that git ignores.
      "SiteConfig/SiteConfig.swift", "SiteWorkspace/Setup/NewSite.swift",
      // The forms of many services' credentials.
      "SiteConfig/Reading/Secrets.swift",
      // `twitter:image` is a name in HTML that all networks read.
      "SiteBuild/Check/PageScan.swift",
      // `bskyPostRef` is a name in a lexicon that all readers of records know.
      "Publishing/SiteRecords.swift",
    ]
    var found: [String] = []
    for file in try Self.files() where file.hasPrefix("Sources/") {
      let path = file.dropFirst("Sources/".count)
      guard !targets.contains(where: path.hasPrefix), !exceptions.contains(String(path)) else { continue }
      let text = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        guard !line.drop(while: { $0 == " " }).hasPrefix("//"), line.contains(name) else { continue }
        found.append("\(file):\(number + 1): \(line)")
      }
    }
    #expect(found == [])
  }

  /// The program must not exit while a transport's thread works. `CurlTransport.withTransport` waits for it.
  @Test func transportsEndWithTheirWork() throws {
    let files = try Self.files().filter {
      $0.hasPrefix("Sources/") && !$0.hasPrefix("Sources/HTTPTransport/")
    }
    var users = 0
    for file in files {
      let text = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
      if text.contains("CurlTransport.withTransport(") { users += 1 }
      #expect(!text.contains("CurlTransport(") && !text.contains("CurlTransport.init"), "\(file)")
    }
    #expect(users > 1)
  }
}

extension Substring {
  fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    String(drop(while: isTrimmed).reversed().drop(while: isTrimmed).reversed())
  }
}
