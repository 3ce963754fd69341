import Basics
import Foundation
import TestSupport
import Testing

/// `threadsite init` leads from an archive or a URL to a site that can be previewed.
@Suite struct InitTests {
  private let folder: TemporaryFolder
  private let program: Program

  init() throws {
    folder = try TemporaryFolder()
    program = Program(
      folder: folder.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    try folder.write(
      """
      {"data":[{"id":"7001","text":"A thread about clocks","author_id":"11","conversation_id":"7001"}],\
      "includes":{"users":[{"id":"11","name":"Ada","username":"ada"}]}}
      """, to: "saved.json")
  }

  /// Checks that a site of one thread was created and builds.
  private func expectThread(in name: String, _ word: String) throws {
    let built = try program.run(["-C", name, "build", "--offline", "--json"])
    #expect(built.code == 0, "\(built.errors)")
    #expect(try folder.text("\(name)/site/index.html").contains(word))
  }

  @Test func beginsWithAnArchive() throws {
    let outcome = try program.run(["init", "new", "--from", "saved.json", "--json"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let json = try JSONValue(parsing: Array(outcome.output.utf8))
    #expect(json["threads"]?.int == 1 && json["from"]?.string == "saved.json")
    #expect(outcome.errors.hasSuffix("Next: `cd new`, `threadsite serve --open`.\n"), "\(outcome.errors)")
    try expectThread(in: "new", "A thread about clocks")
    // Also in the folder that contains nothing but the archive.
    let here = Program(folder: folder.path + "/here", environment: program.environment)
    try folder.write(folder.text("saved.json"), to: "here/saved.json")
    #expect(try here.run(["init"]).code == 74)
    #expect(try here.run(["init", "--from", "saved.json"]).code == 0)
  }

  @Test func failedImportKeepsTheSiteAndSaysHowToTryAgain() throws {
    try folder.write("no archive", to: "bad.zip")
    let outcome = try program.run(["init", "new", "--from", "bad.zip"])
    #expect(outcome.code == 65, "\(outcome.errors)")
    #expect(folder.exists("new/site.yml"))
    #expect(outcome.errors.contains("To try again: `cd new`, `threadsite import '/"), "\(outcome.errors)")
  }

  /// The same for a thread: without a token, X answers nothing.
  @Test func failedFetchKeepsTheSiteAndSaysHowToTryAgain() throws {
    let url = "https://x.com/ada/status/1346889436626259968"
    let outcome = try program.run(["init", "new", "--from", url])
    #expect(outcome.code == 77, "\(outcome.errors)")
    #expect(folder.exists("new/site.yml"))
    #expect(outcome.errors.contains("To try again: `cd new`, `threadsite add \(url)`."), "\(outcome.errors)")
  }

  @Test func beginsWithASample() throws {
    let outcome = try program.run(["init", "new", "--sample", "--theme", "zettel", "--language", "de"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    try expectThread(in: "new", "This sample shows how threads look here")
    #expect(try folder.text("new/site/index.html").contains("lang=\"de\""))
    #expect(folder.exists("new/site/about/index.html"))
    #expect(try program.run(["-C", "new", "check"]).code == 0)
    // The advice of the command and of the sample works.
    let remove = try #require(outcome.errors.firstMatch(of: /`threadsite (remove [^`]*)`/)).1
    #expect(
      try program.run(["-C", "new"] + remove.split(separator: " ").map(String.init) + ["--yes"]).code == 0)
  }

  @Test(arguments: [
    (["--from", "twiter.zip"], 64, "there is no file \"twiter.zip\""),
    (["--from", "https://example.org/x.zip"], 64, "example.org"),
    (["--from", "ada"], 64, "or the name of an account, such as @ada@social.example"),
    (["--from", "saved.json", "--sample"], 64, "cannot be combined"),
    (["--theme", "papr"], 78, "--theme: error: there is no theme \"papr\"; did you mean \"paper\"?"),
    (["--language", "xx"], 78, "--language: error: the interface is not translated to \"xx\""),
    (["--language", "de_DE.UTF-8"], 78, "--language: error: "), (["--language", "no"], 78, "not translated"),
    (["--title", " "], 78, "--title: error: "),
  ])
  func rejectsMistakesBeforeCreatingAnything(options: [String], code: Int32, message: String) throws {
    let outcome = try program.run(["init", "new"] + options)
    #expect(outcome.code == code && outcome.errors.contains(message), "\(outcome.code) \(outcome.errors)")
    #expect(!folder.exists("new"))
  }

  @Test(arguments: ["saved.json", "https://bsky.app/profile/ada.example/post/3kaaaaaaaaa2a"])
  func namesTheOptionForASourceInPlaceOfTheFolder(_ source: String) throws {
    let outcome = try program.run(["init", source])
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("threadsite init my-threads --from \(source)"), "\(outcome.errors)")
  }

  // MARK: The dialog

  /// Runs the command on a pseudo-terminal.
  private func answer(_ keys: String, _ arguments: String..., environment: [String: String] = [:]) throws
    -> Program.Outcome
  {
    try folder.write(keys, to: "keys")
    var program = program
    program.environment.merge(environment) { $1 }
    return try program.run(onTerminal: ["init"] + arguments, width: 200, keys: folder.path + "/keys")
  }

  @Test(.enabled(if: Program.hasTerminal)) func asksOnATerminal() throws {
    let outcome = try answer("twiter.zip\nsaved.json\nMy threads\nxx\nde\npapr\nzettel\n", "new")
    #expect(outcome.code == 0, "\(outcome.output)")
    for text in [
      "there is no file", "Title [Threads]:", "not translated to \"xx\"", "did you mean \"paper\"?",
      "Next: `cd new`, `threadsite serve --open`.",
    ] { #expect(outcome.output.contains(text), "\(text): \(outcome.output)") }
    let settings = try folder.text("new/site.yml")
    for line in ["title: \"My threads\"", "language: de", "theme: zettel"] {
      #expect(settings.contains("\n\(line)\n"), "\(settings)")
    }
    try expectThread(in: "new", "A thread about clocks")
  }

  @Test(.enabled(if: Program.hasTerminal)) func returnChoosesDefaults() throws {
    let outcome = try answer("sample\n\n\n\n", "new", environment: ["LANG": "fr_FR.UTF-8"])
    #expect(outcome.code == 0, "\(outcome.output)")
    let settings = try folder.text("new/site.yml")
    for line in ["title: \"Threads\"", "language: fr", "theme: paper"] {
      #expect(settings.contains("\n\(line)\n"), "\(settings)")
    }
    try expectThread(in: "new", "This sample shows how threads look here")
  }

  @Test(.enabled(if: Program.hasTerminal)) func asksNothingWithOptionsOrInCI() throws {
    for (arguments, environment) in [
      (["a", "--title", "A"], [:]), (["b", "--sample"], [:]), (["c", "--quiet"], [:]),
      (["d"], ["CI": "true"]),
    ] as [([String], [String: String])] {
      var program = program
      program.environment.merge(environment) { $1 }
      try folder.write("", to: "keys")
      let outcome = try program.run(
        onTerminal: ["init"] + arguments, width: 200, keys: folder.path + "/keys")
      #expect(outcome.code == 0 && !outcome.output.contains("[none]"), "\(arguments): \(outcome.output)")
      #expect(folder.exists(arguments[0] + "/site.yml"))
    }
  }

  @Test(.enabled(if: Program.hasTerminal)) func endOfInputCreatesNothing() throws {
    let outcome = try answer("\u{4}", "new")
    #expect(outcome.code == 130 && outcome.output.contains("no site was created"), "\(outcome.output)")
    #expect(!folder.exists("new"))
  }
}
