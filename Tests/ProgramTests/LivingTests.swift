import Foundation
import TestSupport
import Testing

/// Follows the instructions of docs/living.md literally.
@Suite struct LivingTests {
  /// The code blocks of a language in a section of the page.
  private func blocks(_ kind: String, of section: String) throws -> [String] {
    let page = try String(
      contentsOf: ProjectFolders.repository.appending(path: "docs/living.md"), encoding: .utf8)
    let start = try #require(page.range(of: "\n## \(section)\n"), "the page has the section")
    let text = page[start.upperBound...].prefix(
      upTo: page[start.upperBound...].range(of: "\n## ")?.lowerBound ?? page.endIndex)
    return try text.matches(of: Regex("(?s)```\(kind)\n(.*?)```")).map { match in
      String(try #require(match.output[1].substring))
    }
  }

  /// An archive from X with two threads, whose posts have the numbers of the page.
  private func writeArchive(to folder: TemporaryFolder) throws {
    func post(_ id: String, _ text: String, answers: String? = nil) -> String {
      let answer =
        answers.map { ",\"in_reply_to_status_id_str\":\"\($0)\",\"in_reply_to_user_id_str\":\"7\"" } ?? ""
      return "{\"tweet\":{\"id_str\":\"\(id)\",\"full_text\":\"\(text)\",\"created_at\":"
        + "\"Wed Jan 06 18:40:\(id.suffix(2)) +0000 2021\"\(answer)}}"
    }
    let posts = [
      post("1346889436626259938", "Clocks are never right."),
      post("1346889436626259939", "Not even sundials.", answers: "1346889436626259938"),
      post("1346889436626259940", "Write to ada@example.org.", answers: "1346889436626259939"),
      post("1346889436626259941", "That is all of it.", answers: "1346889436626259940"),
      post("1421234567890123456", "My neighbour is a marmoset."),
      post("1421234567890123457", "I can prove it.", answers: "1421234567890123456"),
    ]
    try folder.write(
      "window.YTD.tweets.part0 = [ " + posts.joined(separator: ",\n") + " ]", to: "archive/data/tweets.js")
    try folder.write(
      "window.YTD.account.part0 = [ {\"account\":{\"username\":\"ada\",\"accountId\":\"7\",\"accountDisplayName\":\"Ada\"}} ]",
      to: "archive/data/account.js")
    try folder.write(
      """
      window.__THAR_CONFIG = {"archiveInfo":{"generationDate":"2022-01-01T00:00:00.000Z"},
      "dataTypes":{"tweets":{"files":[{"fileName":"data/tweets.js","count":"\(posts.count)"}]}}}
      """, to: "archive/data/manifest.js")
  }

  private func run(_ commands: String, in folder: String) throws -> Program.Outcome {
    let program = try #require(Program.executable, "the program is not built")
    var shell = Program(
      folder: folder,
      environment: [
        "THREADSITE_SHARE": ProjectFolders.repository.path,
        "PATH": program.deletingLastPathComponent().path + ":/usr/bin:/bin",
      ])
    shell.executable = URL(filePath: "/bin/sh")
    return try shell.run(["-ec", commands])
  }

  @Test func buildsASiteFromAnArchive() throws {
    let folder = try TemporaryFolder()
    try writeArchive(to: folder)
    let commands = try #require(try blocks("sh", of: "From an archive to a site").first)
    let outcome = try run(commands, in: folder.path)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output.contains("hide https://x.com/i/status/1346889436626259940"), "the review did not find it"
    )
    let page = "notes/site/x/ada/how-clocks-lie-1346889436626259938/index.html"
    let html = try folder.text(page)
    #expect(html.contains("Not even sundials.") && html.contains("How clocks lie"))
    #expect(html.contains(">About</a></li>"))
    #expect(try folder.text("notes/site/about/index.html").contains("I write about clocks."))

    // The lines that users add to site.yml by hand.
    let yaml = try #require(try blocks("yaml", of: "From an archive to a site").first)
    let words = yaml.components(separatedBy: "\n").drop { !$0.hasPrefix("    intro:") }.joined(
      separator: "\n")
    let config = try folder.text("notes/site.yml")
    let title = try #require(config.range(of: "    title: \"How clocks lie\"\n"))
    try folder.write(
      config[..<title.upperBound] + words + config[title.upperBound...], to: "notes/site.yml")
    let again = try run(
      "cd notes; threadsite build; threadsite check; threadsite export epub", in: folder.path)
    #expect(again.code == 0, "\(again.errors)")
    let shown = try folder.text(page)
    #expect(shown.contains("before I owned a clock") && shown.contains("Neither are they always wrong"))

    let alias = try folder.text("notes/site/2019/clocks/index.html")
    #expect(alias.contains("url=../../x/ada/how-clocks-lie-1346889436626259938/"))

    // Hidden posts are in no file of the site, and removed posts also in no file of the store.
    for (path, content) in try folder.tree("notes/site") {
      #expect(content.range(of: Data("ada@example.org".utf8)) == nil, "\(path)")
      #expect(content.range(of: Data("marmoset".utf8)) == nil, "\(path)")
    }
    for (path, content) in try folder.tree("notes/threads") {
      #expect(content.range(of: Data("marmoset".utf8)) == nil, "\(path)")
    }
    #expect(try folder.text("notes/threads/removed.json").contains("1421234567890123456"))
    // A new import of the archive does not bring it back.
    #expect(try run("cd notes; threadsite import ../archive; threadsite build", in: folder.path).code == 0)
    #expect(try folder.tree("notes/site").values.allSatisfy { $0.range(of: Data("marmoset".utf8)) == nil })

    let book = try UnpackedBook(Data(contentsOf: URL(filePath: folder.path + "/notes/threads.epub")))
    let texts = book.files.values.map { String(decoding: $0, as: UTF8.self) }
    #expect(texts.contains { $0.contains("before I owned a clock") })
    #expect(!texts.contains { $0.contains("ada@example.org") || $0.contains("marmoset") })
  }
}
