import Basics
import Foundation
import LoopbackServer
import TestSupport
import Testing
import ThreadModel

/// `threadsite publish` as users run it. PublishingTests covers each kind of target.
@Suite struct PublishTests {
  private let site: TemporarySite
  private let program: Program

  init() throws {
    site = try TemporarySite()
    for number in 1...12 {
      let post = ExportedSite.post(number * 1000, by: ExportedSite.ada, "Thread \(number)", year: 2020)
      try site.save(ExportedSite.conversation([post], by: ExportedSite.ada))
    }
    program = Program(
      folder: site.path,
      environment: [
        "THREADSITE_SHARE": ProjectFolders.repository.path, "X_BEARER_TOKEN": "a-token-of-a-network",
        "HOME": site.path,
      ])
    try configure("folder: www")
  }

  private func configure(_ place: String, include: String = "") throws {
    try site.folder.write("title: Kept\nsearch: false\npublish:\n  \(place)\n\(include)", to: "site.yml")
  }

  private func published(_ folder: String = "www") throws -> [String: Data] {
    var tree = try site.folder.tree(folder)
    tree[".threadsite-published.json"] = nil
    return tree
  }

  private func built() throws -> [String: Data] {
    var tree = try site.folder.tree("site")
    tree[".threadsite"] = nil
    return tree
  }

  private func build() throws { #expect(try program.run(["build", "--offline"]).code == 0) }

  /// A wrong `store` in site.yml does not replace a published site by an empty one.
  @Test func refusesAnEmptyStore() throws {
    try build()
    #expect(try program.run(["publish"]).code == 0)
    let before = try published()
    try site.folder.write(site.folder.text("site.yml") + "\nstore: elsewhere\n", to: "site.yml")
    try site.folder.write("", to: "elsewhere/.keep")
    let built = try program.run(["build", "--offline"])
    #expect(
      built.code == 0 && built.errors.contains("elsewhere: warning: the store is empty"), "\(built.errors)")
    let outcome = try program.run(["publish", "--max-deletes", "100%"])
    #expect(outcome.code == 65 && outcome.errors.contains("the store is empty"), "\(outcome.errors)")
    #expect(try published() == before)
    // A site of the owner's pages alone is not empty.
    try site.folder.write("# About", to: "pages/about.md")
    let pages = try program.run(["build", "--offline"])
    #expect(!pages.errors.contains("the store is empty"))
    #expect(try program.run(["publish", "--max-deletes", "100%"]).code == 0)
  }

  @Test func publishesToTheTargetOfSiteYML() throws {
    let early = try program.run(["publish"])
    #expect(early.code == 65 && early.errors.contains("threadsite build"))
    try build()
    let dry = try program.run(["publish", "--dry-run"])
    #expect(dry.code == 0, "\(dry.errors)")
    #expect(Set(dry.output.split(separator: "\n").map { String($0.dropFirst(9)) }) == Set(try built().keys))
    #expect(!site.folder.exists("www"))
    let first = try program.run(["publish"])
    #expect(first.code == 0, "\(first.errors)")
    #expect(!first.errors.contains("warning"))
    #expect(try published() == built())
    let again = try program.run(["publish", "--json"])
    #expect(try JSONValue(parsing: Array(again.output.utf8))["unchanged"]?.int == built().count)
    #expect(again.errors.contains("Nothing to do"))
    // No files of it are left beside the site.
    #expect(!site.folder.exists(".site.staging"))
  }

  /// URLs become permanent by publishing: not by a build, a dry run or a run that stops at the limit of deletions.
  @Test func recordsURLsOnlyWhenPublished() throws {
    let record = "threads/permalinks.json"
    func recorded(_ words: String...) throws -> Int? {
      let outcome = try program.run(["publish", "--json"] + words)
      #expect(outcome.code == 0, "\(outcome.errors)")
      return try JSONValue(parsing: Array(outcome.output.utf8))["recorded"]?.int
    }
    try build()
    #expect(try recorded("--dry-run") == 12)
    #expect(try recorded("--record", "--dry-run") == 12)
    #expect(!site.folder.exists(record))
    #expect(try recorded() == 12)
    let first = try site.folder.text(record)
    #expect(first.contains("\"x/ada/1000\": \"x/ada/thread-1-1000/\""))
    // Nothing is out of date, although the record is new.
    let again = try program.run(["publish"])
    #expect(again.code == 0 && !again.errors.contains("warning"), "\(again.errors)")
    // The published page stays, and a new slug moves it.
    let thread = "threads:\n  - url: https://x.com/ada/status/1000\n"
    try configure("folder: www", include: thread + "    title: Another\n")
    try build()
    #expect(site.folder.exists("site/x/ada/thread-1-1000/index.md"))
    try configure("folder: www", include: thread + "    slug: another\n")
    let moving = try program.run(["build", "--offline", "--json"])
    #expect(
      try JSONValue(parsing: Array(moving.output.utf8))["moved"]
        == [["from": "x/ada/thread-1-1000/", "to": "x/ada/another-1000/"]])
    #expect(
      moving.errors.contains("1 published page moves, with a redirect from its old URL:"), "\(moving.errors)")
    try configure("folder: www", include: thread + "    slug: another\ninclude: listed\n")
    try build()
    #expect(try program.run(["publish"]).code == 3)
    #expect(try site.folder.text(record) == first)
    #expect(try program.run(["publish", "--max-deletes", "100%"]).code == 0)
    #expect(try site.folder.text(record).contains("\"x/ada/thread-1-1000/\": \"x/ada/another-1000/\""))
  }

  /// For a person who copies the folder, and for workflows that upload it.
  @Test func recordsTheURLsOfASiteThatAnotherProgramPublishes() throws {
    try site.folder.write("title: Kept\n", to: "site.yml")
    #expect(try program.run(["publish", "--record"]).code == 65)
    try build()
    let outcome = try program.run(["publish", "--record"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("Recorded the URLs of 12 threads as published"), "\(outcome.errors)")
    #expect(!site.folder.exists("www") && site.folder.exists("threads/permalinks.json"))
    #expect(try program.run(["publish", "--record"]).errors.contains("Nothing to do"))
    // The site in the folder counts, even if site.yml has changed since.
    try site.folder.write(
      "title: Kept\nthreads:\n  - url: https://x.com/ada/status/1000\n    slug: other\n", to: "site.yml")
    let early = try program.run(["publish", "--record"])
    #expect(early.code == 0 && early.errors.contains("is out of date"), "\(early.errors)")
    #expect(try !site.folder.text("threads/permalinks.json").contains("other"))
    #expect(try program.run(["publish", "--record", "--force"]).code == 64)
  }

  /// They are skipped whatever program wrote them into the built site.
  @Test func publishesNoHiddenFilesOfTheOutputFolder() throws {
    try build()
    let expected = try built()
    try site.folder.write("TOKEN=1", to: "site/.env")
    try site.folder.write("[core]", to: "site/.git/config")
    let outcome = try program.run(["publish", "--no-check"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("hidden files are not published")
        && outcome.errors.contains("skipped .env, .git."))
    #expect(try published() == expected)
    // The next run removes files that an earlier version published.
    try site.folder.write("TOKEN=1", to: "www/.env")
    let listed = try site.folder.text("www/.threadsite-published.json")
    #expect(!listed.contains(".env"))
  }

  /// The usual setup of GitLab jobs. Only the server receives the token.
  @Test func masksTokensOfRemotesInMessagesAndJSON() throws {
    let token = "glpat-\(UUID().uuidString)"
    let server = try LoopbackServer()
    server.otherwise(
      LoopbackAnswer { request, connection in
        let words = "you sent \(request["Authorization"] ?? "nothing"), which is \(token)"
        try connection.answer(status: 403, headers: [("Content-Type", "text/plain")], body: Array(words.utf8))
      })
    let host = server.url("/ada/site.git").dropFirst("http://".count)
    for words in [
      ["init", "--quiet"], ["remote", "add", "origin", "http://gitlab-ci-token:\(token)@\(host)"],
    ] {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["git"] + words
      process.currentDirectoryURL = URL(filePath: site.path)
      try ProcessLauncher.start(process)
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
    }
    try configure("git: { branch: pages }")
    try build()
    let outcome = try program.run(["publish", "--json"])
    #expect(outcome.code == 77, "\(outcome.errors)")
    let word = Data("gitlab-ci-token:\(token)".utf8).base64EncodedString()
    #expect(server.requests.contains { $0["Authorization"] == "Basic \(word)" })
    for text in [outcome.output, outcome.errors] {
      #expect(!text.contains(token) && !text.contains(word) && text.contains("(redacted)"), "\(text)")
      #expect(text.contains("http:\(text.hasPrefix("{") ? "" : "")//"), "the URL is still named")
    }
  }

  @Test func publishesNothingWithoutATarget() throws {
    try site.folder.write("title: Kept\n", to: "site.yml")
    try build()
    let outcome = try program.run(["publish"])
    #expect(outcome.code == 78 && outcome.errors.contains("`publish` is missing"))
    for place in [
      "folder: site", "folder: site/inner", "folder: threads", "folder: .", "folder: ../", "command: []",
      "{}",
    ] {
      try configure(place)
      #expect(try program.run(["publish"]).code == 78, "\(place)")
    }
  }

  @Test func doesNotPublishASiteWithErrors() throws {
    try build()
    let page = try #require(try built().keys.first { $0.hasSuffix("index.html") && $0.contains("thread-1") })
    let text = try site.folder.text("site/\(page)")
    try site.folder.write(
      text.replacing("</body>", with: "<a href=\"gone.html\">x</a></body>"), to: "site/\(page)")
    let stopped = try program.run(["publish"])
    #expect(stopped.code == 65 && stopped.errors.contains("gone.html"))
    #expect(!site.folder.exists("www"))
    let forced = try program.run(["publish", "--no-check"])
    #expect(forced.code == 0)
    // The build did not make the manual change.
    #expect(forced.errors.contains("warning") && forced.errors.contains("threadsite build"))
    // A check applies to one site; the next site is checked again.
    try build()
    #expect(try program.run(["publish"]).code == 0)
    try site.folder.write(
      text.replacing("</body>", with: "<a href=\"gone.html\">x</a></body>"), to: "site/\(page)")
    #expect(try program.run(["publish"]).code == 65)
  }

  /// A preview with drafts does not become public by mistake.
  @Test func publishesDraftsOnlyOnRequest() throws {
    let list = "include: listed\nthreads: [{ url: https://x.com/ada/status/1000, draft: true }]\n"
    try configure("folder: www", include: list)
    #expect(try program.run(["build", "--offline", "--drafts"]).code == 0)
    let refused = try program.run(["publish"])
    #expect(refused.code == 65 && refused.errors.contains("the site has drafts"), "\(refused.errors)")
    #expect(!site.folder.exists("www"))
    let wanted = try program.run(["publish", "--drafts"])
    #expect(wanted.code == 0 && wanted.errors.contains("built with other options"), "\(wanted.errors)")
    try build()
    #expect(try program.run(["publish", "--max-deletes", "100%"]).code == 0)
    // Without drafts in site.yml, the option changes nothing.
    try configure("folder: www")
    #expect(try program.run(["build", "--offline", "--drafts"]).code == 0)
    #expect(try program.run(["publish", "--max-deletes", "100%"]).code == 0)
  }

  @Test(arguments: ["pages", "static", "templates/a", "themes"])
  func folderOfTheOwnerIsNoTarget(_ folder: String) throws {
    try build()
    try configure("folder: \(folder)")
    let outcome = try program.run(["publish", "--no-check"])
    #expect(outcome.code == 78 && outcome.errors.contains("overlaps with the"), "\(outcome.errors)")
  }

  @Test func limitsDeletions() throws {
    try build()
    #expect(try program.run(["publish"]).code == 0)
    let before = try published()
    try configure("folder: www", include: "include: listed\nthreads: [https://x.com/ada/status/1000]\n")
    try build()
    let gone = Set(before.keys).subtracting(try built().keys)
    #expect(gone.count * 4 > before.count)
    let stopped = try program.run(["publish"])
    #expect(stopped.code == 3)
    #expect(stopped.errors.contains("\(gone.count) of the \(before.count) files"))
    #expect(stopped.errors.contains("--max-deletes \(gone.count)"))
    #expect(try published() == before)
    #expect(try program.run(["publish", "--max-deletes", "\(gone.count - 1)"]).code == 3)
    #expect(try program.run(["publish", "--max-deletes", "many"]).code == 64)
    #expect(try program.run(["publish", "--dry-run"]).code == 0)
    #expect(try program.run(["publish", "--max-deletes", "\(gone.count)"]).code == 0)
    #expect(try published() == built())
  }

  /// The state after a build that was killed while it moved the site into place.
  @Test func doesNotPublishAHalfBuiltSite() throws {
    try build()
    try site.folder.write("<p>New</p>", to: ".site.staging/complete/new.html")
    try site.folder.write("", to: ".site.staging/removals")
    let stopped = try program.run(["publish"])
    #expect(stopped.code == 74 && stopped.errors.contains("threadsite build"))
    #expect(!site.folder.exists("www"))
    try build()
    #expect(try program.run(["publish"]).code == 0)
  }

  /// The states after builds that were killed before they exchanged any file and after they exchanged all
  /// files.
  @Test(
    arguments: [".site.staging/new/index.html", ".site.staging/removals"],
    [["build", "--offline"], ["publish"]])
  func removesTheStagingFolderOfAKilledBuild(left: String, command: [String]) throws {
    try build()
    try site.folder.write("x", to: left)
    let outcome = try program.run(command)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(!site.folder.exists(".site.staging"))
  }

  @Test func removesTemporaryFilesOfKilledRuns() throws {
    try build()
    let left = [
      "www/.threadsite-published.json.999999-0.tmp", ".threadsite/publish/.checked.999999-0.tmp",
      ".threadsite/build/.x.999999-1.tmp",
    ]
    for path in left { try site.folder.write("x", to: path) }
    #expect(try program.run(["publish"]).code == 0)
    for path in left { #expect(!site.folder.exists(path), "\(path)") }
  }

  /// Nothing works without free file descriptors, and the messages state this.
  @Test func reportsThatNoFileDescriptorIsFree() throws {
    let outcome = try Program(
      folder: site.path, environment: program.environment, executable: URL(filePath: "/bin/sh")
    ).run(
      [
        "-c",
        "for n in 6 7 8 9 10 11 12; do (ulimit -n $n; \"$0\" build --offline --no-cache --jobs 2); done",
        try #require(Program.executable).path,
      ])
    #expect(outcome.errors.contains("Too many open files"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("Is a directory"), "\(outcome.errors)")
    try build()
  }

  /// Without memory for the stacks of its threads, the program would wait forever.
  @Test func reportsThatTheAddressSpaceIsTooSmall() throws {
    let outcome = try Program(
      folder: site.path, environment: program.environment, executable: URL(filePath: "/bin/sh")
    ).run(
      [
        "-c", "ulimit -v 250000; exec \"$0\" build --offline --json",
        try #require(Program.executable).path,
      ])
    #expect(outcome.code == 71)
    #expect(outcome.errors.contains("is limited to 244 MB"), "\(outcome.errors)")
    #expect(
      outcome.output.contains("\"code\": 71") || outcome.output.contains("\"exit_code\": 71"),
      "\(outcome.output)")
    try build()
  }

  @Test func reportsAPostThatIsHiddenManyTimesOnce() throws {
    let hidden = String(repeating: "  - \"999\"\n", count: 20_000).split(separator: "\n").map { "    \($0)" }
      .joined(separator: "\n")
    let tags = [String](repeating: "one", count: 5000).joined(separator: ", ")
    try site.folder.write(
      "title: Kept\nthreads:\n  - url: https://x.com/ada/status/1000\n    tags: [\(tags)]\n    hide:\n\(hidden)\n",
      to: "site.yml")
    let outcome = try program.run(["build", "--offline", "--verbose"])
    #expect(outcome.code == 78)
    #expect(
      outcome.errors.split(separator: "this post is not part of the thread").count == 2,
      "\(outcome.errors.prefix(2000))")
    #expect(outcome.errors.split(separator: "is listed twice").count == 2)
  }

  @Test func publishProgramGetsTheFolderWithoutCredentials() throws {
    try build()
    try site.folder.write(
      "#!/bin/sh\ncp -R \"$1\" copied; printf '%s|%s|%s' \"$THREADSITE_OUTPUT\" \"$X_BEARER_TOKEN\" \"$2\" > seen; echo said; exit ${3:-0}\n",
      to: "put")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: site.path + "/put")
    try configure("command: [./put, \"{site}\", \"; touch pwned\"]")
    try build()
    let dry = try program.run(["publish", "--dry-run"])
    #expect(dry.code == 0 && !site.folder.exists("seen"))
    let outcome = try program.run(["publish", "--json"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("said") && !outcome.output.contains("said"))
    #expect(try site.folder.text("seen") == "\(site.path)/site||; touch pwned")
    #expect(!site.folder.exists("pwned"))
    var copied = try site.folder.tree("copied")
    copied[".threadsite"] = nil
    #expect(try copied == built())
    try configure("command: [./put, \"{site}\", x, \"3\"]")
    #expect(try program.run(["publish"]).code == 69)
    try configure("command: [./none]")
    #expect(try program.run(["publish"]).code == 74)
  }
}
