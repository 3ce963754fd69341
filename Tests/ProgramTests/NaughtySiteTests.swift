import Basics
import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel

/// Text that breaks software without markup: combining marks without a base, controls, and unterminated text
/// directions.
@Suite struct NaughtySiteTests {
  /// Our own strings: the possible beginnings and ends of a title, name, tag, handle or ID.
  static let ownStrings: [String] = marks.flatMap { mark -> [String] in
    [mark, mark + "ka", "ka \(mark)kb", "\(mark)/\(mark)ka\(mark).\(mark)kb"]
  }

  private static let marks = [
    "\u{3099}", "\u{0E31}", "\u{05B0}", "\u{064B}", "\u{093F}", "\u{0301}", "\u{20E3}", "\u{FE0F}",
    "\u{200D}",
    "\u{0600}", "\u{110BD}",
  ]

  /// Our own and the collected strings; the fast run has some of them.
  static var strings: [String] {
    get throws {
      guard let folder = ProjectFolders.sharedFixtures else { return ownStrings }
      let data = try Data(contentsOf: folder.appending(path: "text/naughty-strings.json"))
      return ownStrings
        + TestDepth.sample(try JSONDecoder().decode([String].self, from: data), fast: 12)
    }
  }

  @Test func everyStringGivesACompleteSite() throws {
    let site = try TemporarySite()
    let strings = try Self.strings
    for (number, text) in strings.enumerated() {
      try site.save(HostileConversation.make(number: number, payload: text))
    }
    try site.folder.write(
      "base_url: https://ada.example/threads/\nmedia: link\nfeed: { entries: 500 }\n", to: "site.yml")
    #expect(try site.build().threads == strings.count)
    try SiteChecks(site).checkAll()
  }

  /// Directions without an end, ends without a direction, controls of every kind, noncharacters.
  static let controls = [
    "\u{202E}evil", "\u{202A}\u{202B}\u{202D}x", "a\u{2069}\u{202E}b", "\u{2066}\u{2067}\u{2068}c",
    "\u{202C}\u{2069}d",
    "\u{9B}31mred\u{9B}0m", "\u{1B}]0;title\u{7}x", "\u{85}\u{90}\u{9C}x", "\u{7F}\u{8}\u{0}x",
    "\(noncharacters)x",
    "a\(noncharacters)", "\u{206A}\u{206F}x", "\u{202E}",
  ]

  /// U+FDD0, U+FDEF, U+FFFF, U+1FFFE, U+10FFFF.
  private static let noncharacters = String(
    decoding: [
      0xEF, 0xB7, 0x90, 0xEF, 0xB7, 0xAF, 0xEF, 0xBF, 0xBF, 0xF0, 0x9F, 0xBF, 0xBE, 0xF4, 0x8F, 0xBF, 0xBF,
    ], as: UTF8.self)

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A, 0x09: false
    case 0...0x1F, 0x7F...0x9F, 0xFDD0...0xFDEF: true
    case let value: value % 0x10000 >= 0xFFFE
    }
  }

  private static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x206F).contains(scalar.value)
  }

  @Test func controlCharactersReachNoPage() throws {
    let site = try TemporarySite()
    for (number, text) in Self.controls.enumerated() {
      try site.save(HostileConversation.make(number: number, payload: text))
    }
    try site.folder.write(
      "base_url: https://ada.example/threads/\nmedia: link\nfeed: { entries: 500 }\n", to: "site.yml")
    #expect(try site.build().threads == Self.controls.count)
    try SiteChecks(site).checkAll()
    for (file, data) in try site.tree() where !file.hasPrefix("assets/") && !file.hasPrefix("search/") {
      let text = String(decoding: data, as: UTF8.self)
      #expect(!text.unicodeScalars.contains(where: Self.isControl), "\(file)")
      #expect(!file.unicodeScalars.contains { Self.isControl($0) || Self.isDirection($0) }, "\(file)")
      if file.hasSuffix(".html") { try checkHead(of: text, file) }
    }
    let feed = try XMLTree.parse(Array(try #require(try site.tree()["feed.xml"])))
    for entry in feed["entry"] {
      for part in ["title", "summary"] {
        #expect(!(entry.text(part) ?? "").unicodeScalars.contains(where: Self.isDirection), "\(part)")
      }
    }
  }

  /// Other programs show titles, metadata and structured data without isolating their direction.
  private func checkHead(of html: String, _ file: String) throws {
    let tokens = try HTMLTokens(html)
    var isData = false
    for token in tokens.tokens {
      switch token {
      case .startTag(let tag):
        isData = ["title", "script"].contains(tag.name)
        guard ["meta", "data", "link"].contains(tag.name) else { continue }
        for attribute in tag.attributes {
          #expect(
            !attribute.value.unicodeScalars.contains(where: Self.isDirection),
            "\(file): <\(tag.name) \(attribute.name)>")
        }
      case .text(let text) where isData:
        #expect(!text.unicodeScalars.contains(where: Self.isDirection), "\(file): \(text)")
        // As a reader of the data sees it after decoding escapes.
        for hidden in ["\\u00", "\\u20", "\\ufff"] { #expect(!text.contains(hidden), "\(file): \(text)") }
      case .endTag: isData = false
      default: break
      }
    }
  }

  /// Names, titles and handles stand beside the words of the page, and must not change their direction.
  @Test func directionOfANameEndsWithIt() throws {
    let site = try TemporarySite()
    var conversation = HostileConversation.make(number: 1, payload: "Ada")
    conversation.authors = conversation.authors.map { author in
      var author = author
      author.name = "Ada\u{2069}\u{202E}evil"
      author.handle = "ada\u{202E}"
      author.location = "Here\u{202E}"
      author.website = "https://ada.example/\u{202E}gpj.exe"
      return author
    }
    try site.save(conversation)
    try site.build()
    for (file, data) in try site.tree() where file.hasSuffix(".html") {
      for token in try HTMLTokens(String(decoding: data, as: UTF8.self)).tokens {
        guard case .text(let text) = token else { continue }
        #expect(!text.unicodeScalars.contains(where: Self.isDirection), "\(file): \(text.debugDescription)")
      }
    }
  }

  @Test func messagesContainNoControlCharacters() throws {
    let folder = try TemporaryFolder()
    let hostile = "\u{1B}[2J\u{9B}31m\u{202E}a\nerror: forged\u{85}\u{2028}\r"
    try folder.write("{", to: "threads/x/\(hostile)/1.json")
    try folder.write("{\"a\\u001b[2J\u{202E}\":", to: "\(hostile).json")
    try folder.write("title: a\n\"k\u{202E}\": 1\nx\u{1B}: 1\n", to: "bad.yml")
    let share = ["THREADSITE_SHARE": ProjectFolders.repository.path]
    let program = Program(folder: folder.path, environment: share)
    for arguments in [
      ["build"], ["build", "--json"], ["import", "\(hostile).json"], ["import", "--json", "\(hostile).json"],
      ["import", "--json", "\(hostile)nothing"], ["build", "--config", "bad.yml"],
      ["build", "--config", "\(hostile).yml"],
      ["add", "https://x.com/\(hostile)"], ["fetch", hostile], [hostile], ["build", "--\(hostile)"],
      ["build", "--output", "\(hostile)/out"], ["build", "--base-url", "https://a.example/\(hostile)"],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.code != 0, "\(arguments)")
      for text in [outcome.output, outcome.errors] {
        #expect(
          !text.unicodeScalars.contains { Self.isControl($0) || Self.isDirection($0) || $0 == "\u{2028}" },
          "\(arguments): \(text.debugDescription)")
      }
      if !outcome.output.isEmpty {
        #expect(
          (try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8))) != nil, "\(outcome.output)")
      }
    }
    // A file name cannot begin a line of its own.
    let damaged = try program.run(["build"])
    #expect(damaged.code == 65)
    #expect(
      !damaged.errors.split(separator: "\n").contains { $0.hasPrefix("error: forged") }, "\(damaged.errors)")
    #expect(damaged.errors.contains("\\u{1B}[2J\\u{9B}31m\\u{202E}a\\nerror: forged"))
  }

  @Test func rejectsACredentialInSiteYMLWithoutPrintingIt() throws {
    let folder = try TemporaryFolder()
    // They do not look like tokens. The program knows them from the environment and the file.
    let (variable, file) = ("correct-horse-battery", "staple.of.the.haystack")
    try folder.write(file + "\n", to: "secret/token")
    try folder.write("x:\n  token_file: secret/token\n  key_env: MY_KEY\n", to: "site.yml")
    try folder.write("", to: "threads/.keep")
    let environment = [
      "THREADSITE_SHARE": ProjectFolders.repository.path, "MY_KEY": variable,
      "X_BEARER_TOKEN": "AAAA%3Dxyz%2Fabc",
    ]
    let program = Program(folder: folder.path, environment: environment)
    #expect(try program.run(["build"]).code == 0)
    for secret in [variable, file, "AAAA%3Dxyz%2Fabc", "AAAA=xyz/abc"] {
      for key in ["title", "description"] {
        try folder.write(
          "x:\n  token_file: secret/token\n  key_env: MY_KEY\n\(key): \"My \(secret) site\"\nnot_a_key: \(secret)\n",
          to: "site.yml")
        for arguments in [["build"], ["build", "--json"], ["fetch", "--dry-run"]] {
          let outcome = try program.run(arguments)
          #expect(outcome.code == 78)
          #expect(outcome.errors.contains("site.yml:4:"), "\(outcome.errors)")
          #expect(!(outcome.errors + outcome.output).contains(secret), "\(outcome.errors)")
        }
      }
    }
    #expect(!(try folder.text("site/index.html")).contains(variable))
  }

  @Test func masksFediverseTokensInErrors() throws {
    let folder = try TemporaryFolder()
    let (variable, file) = ("another-horse-battery", "staple.of.another.haystack")
    try folder.write(file + "\n", to: "secret/token")
    try folder.write("", to: "threads/.keep")
    let settings =
      "mastodon:\n  servers:\n    - host: reef.example\n      token_env: REEF\n"
      + "    - host: tidal.example\n      token_file: secret/token\n"
    let program = Program(
      folder: folder.path,
      environment: ["THREADSITE_SHARE": ProjectFolders.repository.path, "REEF": variable])
    try folder.write(settings, to: "site.yml")
    #expect(try program.run(["build"]).code == 0)
    for secret in [variable, file] {
      try folder.write(settings + "title: \"My \(secret) site\"\n", to: "site.yml")
      let outcome = try program.run(["build"])
      #expect(outcome.code == 78)
      #expect(outcome.errors.contains("site.yml:7:"), "\(outcome.errors)")
      #expect(!(outcome.errors + outcome.output).contains(secret), "\(outcome.errors)")
    }
  }

  /// The check compares the paths themselves, so no file system that ignores case is needed.
  @Test func rejectsPathsThatAreEqualOnSomeFileSystems() throws {
    for (first, second) in [("Ada", "ada"), ("\u{E9}va", "e\u{301}va"), ("stra\u{DF}e", "STRASSE")] {
      let site = try TemporarySite()
      let names = ["10000.json", "10001.json"]
      for number in names.indices { try site.save(HostileConversation.make(number: number, payload: "ada")) }
      let stored = try site.folder.tree("threads/x")
      let files = try names.map { name in
        let file = try #require(stored.first { $0.key.hasSuffix("/\(name)") })
        return String(decoding: file.value, as: UTF8.self)
      }
      try FileManager.default.removeItem(atPath: site.path + "/threads/x")
      for (folder, (name, text)) in zip([first, second], zip(names, files)) {
        try site.folder.write(text, to: "threads/x/\(folder)/\(name)")
      }
      let error = #expect(throws: PipelineError.self) { try site.build() }
      #expect(error?.kind == .content)
      #expect(error?.messages.contains { $0.contains("x/\(first)/") && $0.contains("x/\(second)/") } == true)
      #expect(!site.folder.exists("site/index.html"))
    }
  }

  /// Every part of a site's own path may begin with a combining mark.
  @Test(arguments: ["\u{3099}", "\u{0600}", "\u{0301}"])
  func folderNamesMayBeginWithCombiningMarks(mark: String) throws {
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
