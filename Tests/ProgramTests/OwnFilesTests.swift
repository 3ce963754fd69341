import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing

/// Files in the site's folder `static/` are copied to the site unchanged.
@Suite struct OwnFilesTests {
  private let page = "x/ada/three-things-about-clocks-1001/index.html"

  @Test func areCopiedAndReplaceGeneratedFiles() throws {
    let site = try TemporarySite("defaults")
    let made = try site.build()
    let before = try site.tree()
    let own: [String: String] = [
      "CNAME": "ada.example\n", ".well-known/atproto-did": "did:plc:ada",
      "robots.txt": "User-agent: *\nDisallow: /\n",
      "a folder/ünïcode.txt": "words", page: "<!doctype html><title>Mine</title>",
    ]
    for (path, text) in own { try site.folder.write(text, to: "static/" + path) }
    try site.folder.write("litter", to: "static/.DS_Store")
    let summary = try site.build()
    #expect(summary.threads == made.threads)
    var expected = before
    for (path, text) in own { expected[path] = Data(text.utf8) }
    #expect(try site.tree() == expected)

    // A changed file changes the site, and after its removal the replaced file comes back.
    try site.folder.write("bo.example\n", to: "static/CNAME")
    try site.build()
    #expect(try site.folder.text("site/CNAME") == "bo.example\n")
    try site.folder.remove("static")
    try waitUntilFilesAreSettled()
    try site.build()
    #expect(try site.tree() == before)
    try waitUntilFilesAreSettled()
    try site.build()
    #expect(try site.tree() == before)
  }

  /// A folder of files often contains a repository or credentials that its owner does not see.
  @Test func skipsHiddenFilesExceptThoseForHosts() throws {
    let site = try TemporarySite("defaults")
    let before = try site.build()
    let kept = [
      ".well-known/security.txt", ".nojekyll", ".domains", ".htaccess", "below/.htaccess", "a.b/c.txt",
    ]
    let skipped = [
      ".git/config", ".env", ".ssh/id_ed25519", "below/.env", ".htpasswd", ".well-known/.git/config",
      "below/.well-known/x",
    ]
    for path in kept + skipped { try site.folder.write("words", to: "static/" + path) }
    try site.build()
    let tree = try site.tree()
    #expect(kept.filter { tree[$0] != Data("words".utf8) } == [])
    #expect(skipped.filter { tree[$0] != nil } == [])
    #expect(before.threads > 0)
    let warning = try #require(site.warnings.first { $0.hasPrefix("SITE/static: warning: hidden files") })
    for part in [".git,", ".env,", ".ssh,", "and 2 more"] { #expect(warning.contains(part), "\(warning)") }
  }

  /// Archives are recognized by their contents. Other packed files are published.
  @Test(arguments: ["static", "pages/files"]) func refusesArchivesOfAccounts(folder: String) throws {
    let site = try TemporarySite("defaults")
    let archives = [
      "x.zip": [
        ZipWriter.Entry(
          "data/manifest.js",
          """
          window.__THAR_CONFIG = {"archiveInfo":{"generationDate":"2022-01-01T00:00:00.000Z"},
          "dataTypes":{"tweets":{"files":[{"fileName":"data/tweets.js","count":"0"}]}}}
          """),
        ZipWriter.Entry("data/tweets.js", "window.YTD.tweets.part0 = [ ]"),
      ],
      "mastodon.ZIP": [
        ZipWriter.Entry("outbox.json", #"{"type":"OrderedCollection","id":"outbox.json","orderedItems":[]}"#),
        ZipWriter.Entry(
          "actor.json",
          #"{"type":"Person","id":"https://social.example/users/ada","preferredUsername":"ada"}"#),
      ],
    ]
    for (name, entries) in archives {
      try site.folder.write(Data(ZipWriter.zip(entries)), to: "\(folder)/\(name)")
    }
    try site.folder.write(
      Data(ZipWriter.zip([ZipWriter.Entry("letter.txt", "words")])), to: "\(folder)/letters.zip")
    // Misskey's export of notes has no name of its own.
    let note =
      #"{"id":"9a","text":"a","replyId":null,"renoteId":null,"fileIds":[],"visibility":"followers","localOnly":false}"#
    try site.folder.write("[\(note)]", to: "\(folder)/notes.json")
    try site.folder.write(#"[{"id":"9a","text":"a"}]"#, to: "\(folder)/list.json")
    let error = try #require(throws: PipelineError.self) { try site.build() }
    #expect(error.messages.count == 3 && error.messages.allSatisfy { $0.contains("archive of an account") })
    #expect(!site.folder.exists("site"))
    for name in archives.keys + ["notes.json"] { try site.folder.remove("\(folder)/\(name)") }
    #expect(try site.build().threads > 0)
  }

  @Test func doesNotFollowLinks() throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("secret", to: "secret.txt")
    try site.folder.write("mine", to: "static/mine.txt")
    try FileManager.default.createSymbolicLink(
      atPath: site.path + "/static/leak.txt", withDestinationPath: site.path + "/secret.txt")
    let error = try #require(throws: PipelineError.self) { try site.build() }
    #expect(
      error.messages.contains { $0.contains("static/leak.txt") && $0.contains("link") }, "\(error.messages)")
    #expect(!site.folder.exists("site"))
  }

  @Test func keepsItsMarkerOfTheOutputFolder() throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("mine", to: "static/.threadsite")
    try site.build()
    #expect(try site.folder.text("site/.threadsite") != "mine")
    #expect(site.warnings.contains { $0.contains("skipped .threadsite.") }, "\(site.warnings)")
  }

  /// Two paths that are equal on many file systems are reported, as for threads.
  @Test func rejectsPathsThatLookAlike() throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("mine", to: "static/Archive/index.html")
    try site.folder.write("mine", to: "static/archive/Index.html")
    #expect(throws: PipelineError.self) { try site.build() }
  }
}
