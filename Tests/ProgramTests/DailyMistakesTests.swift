import Foundation
import TestSupport
import Testing

/// Common mistakes. Each message states the error, its place, and the fix.
@Suite("Common mistakes")
struct DailyMistakesTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    let code: Int32
    /// All of these texts are printed.
    let expected: [String]
    /// The site's files by path; `nil` for a file that is deleted.
    var files: [String: String?] = [:]

    var testDescription: String { name }

    init(
      _ name: String, _ arguments: String, _ code: Int32, _ expected: [String],
      _ files: [String: String?] = [:]
    ) {
      self.name = name
      self.arguments = arguments.split(separator: " ").map { String($0).replacing("_", with: " ") }
      self.code = code
      self.expected = expected
      self.files = files
    }

    /// A mistake in site.yml that a build reports.
    static func config(_ name: String, _ text: String, _ code: Int32, _ expected: String...) -> Mistake {
      Mistake(name, "build --offline", code, expected, ["site.yml": text])
    }
  }

  private static let byHand =
    "the URL of one of its author's posts, its page or its file"
  private static let entry = "threads:\n  - url: https://x.com/ada/status/1001\n"

  static let commands: [Mistake] = [
    Mistake("a command", "biuld", 64, ["unknown command \"biuld\"; did you mean \"build\"?"]),
    Mistake("an option", "build --ofline", 64, ["unknown option '--ofline'. Did you mean '--offline'?"]),
    Mistake(
      "one word too many", "build extra", 64, ["unexpected argument 'extra'", "threadsite build --help"]),
    Mistake("a number that is none", "serve --port http", 64, ["'http' is invalid for '--port <number>'"]),
    Mistake("a port that there is not", "serve --port 99999", 64, ["'99999' is invalid", "1 to 65535"]),
    Mistake("no workers", "build --jobs 0", 64, ["--jobs must be 1 or more."]),
    Mistake("a title without a thread", "title", 64, ["missing expected argument '<thread>'"]),
    Mistake(
      "a thread without a title", "title 1001", 64,
      ["the title is missing.", "threadsite title --undo THREAD"]),
    Mistake(
      "a thread that is not there", "title 9999999 A_title", 65,
      ["the store has no thread \"9999999\"", byHand]),
    Mistake(
      "a thread that is no thread", "show nonsense", 65,
      ["\"nonsense\" is neither a URL nor the id", byHand]),
    Mistake(
      "a post that nobody has", "hide https://x.com/ada/status/4", 65,
      ["no thread in the store contains the post"]
    ),
    Mistake("nothing to remove", "remove", 64, ["give threads, or an account with --author."]),
    Mistake(
      "a person for a thread", "remove nobody", 65, ["\"nobody\" is neither a URL nor the id", byHand]),
    Mistake(
      "a person who is not there", "remove --author nobody", 65,
      ["the store has no threads of \"nobody\"", "threadsite list"]),
    Mistake(
      "a state", "list --state publsihed", 64, ["- published", "- empty", "- incomplete"]),
    Mistake("a day", "list --since 2024-13-01", 64, ["--since: \"2024-13-01\" is not a day of the calendar"]),
    Mistake("a format", "export epup", 64, ["'epub', 'html', 'markdown' or 'sqlite'"]),
    Mistake(
      "a collection", "export epub --collection nosuch --output a.epub", 78,
      ["site.yml has no collection with the slug \"nosuch\""]),
    Mistake("an archive that is not there", "import nosuch.zip", 74, ["nosuch.zip: error:", "No such file"]),
    Mistake(
      "a file that is no archive", "import site.yml", 65,
      ["site.yml:1:1: error:", "not valid JSON", "archive"]),
    Mistake("nothing to import", "import", 64, ["give an archive, a file or a folder"]),
    Mistake(
      "an address of nothing", "add https://example.org/", 64,
      ["is neither the URL of a post, such as https://", "nor of an account"]),
    Mistake(
      "another site", "build --config nosuch.yml", 78,
      ["nosuch.yml: error: there is no such file", "threadsite init"]),
    Mistake(
      "the store as the output", "build --output threads", 78, ["the store folder", "must not overlap"]),
    Mistake("a check of nothing", "check", 65, ["there is no site to check; run `threadsite build` first"]),
    Mistake("a site in a site", "init .", 74, ["this folder is not empty", "threadsite init my-threads"]),
    Mistake(
      "an empty folder", "build", 78, ["there is no site here", "threadsite init"],
      ["site.yml": nil, "threads": nil]),
  ]

  static let files: [Mistake] = [
    .config("a key", "titel: A\n", 78, "site.yml:1:1: error: titel: unknown key", "did you mean \"title\"?"),
    .config(
      "a list for a text", "title: [a]\n", 78, "site.yml:1:8: error: title: expected text, found a list"),
    .config("indentation", "title: A\n  b: c\n", 78, "site.yml:2:4: error:", "check the indentation"),
    .config(
      "a word for a number", "pagination: {per_page: many}\n", 78, "site.yml:1:24:", "expected a whole number"
    ),
    .config("a switch", "search: yes\n", 78, "site.yml:1:9:", "did you mean true?"),
    .config("a theme", "theme: papre\n", 78, "there is no theme \"papre\"; did you mean \"paper\"?"),
    .config(
      "an address without https", "base_url: ada.example\n", 78, "did you mean \"https://ada.example\"?"),
    .config("a token", "x: {token: abc}\n", 78, "site.yml:1:5:", "credentials do not belong in this file"),
    .config("an option of the theme", "theme_options: {acent: red}\n", 78, "did you mean \"accent\"?"),
    .config(
      "a thread that is not in the store", "threads:\n  - url: https://x.com/ada/status/4242\n", 65,
      "site.yml:2:5:",
      "this thread is not in the store; fetch it"),
    .config(
      "a post of another thread", entry + "    hide: [4242]\n", 78, "site.yml:3:12:", "check the URL"),
    .config(
      "a thread twice", entry + "  - url: https://x.com/ada/status/1002\n", 78, "site.yml:3:5:",
      "keep one of them"),
    .config(
      "an alias that is taken", entry + "    aliases: [/x/ada/]\n", 78, "site.yml:3:15:", "choose another"),
    .config(
      "an alias elsewhere", entry + "    aliases: [../up/]\n", 78, "site.yml:3:15:",
      "is not a path on the site"
    ),
    .config("a slug", entry + "    slug: A Slug\n", 78, "site.yml:3:11:", "expected lower-case letters"),
    .config(
      "a slug twice",
      "collections:\n  - {title: A, slug: a, threads: [1001]}\n  - {title: B, slug: a, threads: [2001]}\n",
      78,
      "site.yml:3:5:", "give this one another"),
    .config(
      "an account", "sources:\n  - account: https://x.com/nobody\n", 65, "site.yml:2:5:",
      "check the URL, fetch them"),
    .config("somebody without a network", "leave_out: [bob]\n", 78, "site.yml:1:13:", "@ada for X"),
    .config("a crawler's wish", "robots: no-trainig\n", 78, "site.yml:1:9:", "did you mean \"no-training\"?"),
    Mistake(
      "a cut file of the store", "build --offline", 65,
      ["threads/x/ada/1001.json:1:", "version control", "--keep-going"],
      ["threads/x/ada/1001.json": "{\"format\": 1, \"id\":"]),
    Mistake(
      "an empty file of the store", "build --offline", 65,
      ["threads/x/ada/1001.json:1:1: error: expected an object", "version control"],
      ["threads/x/ada/1001.json": ""]),
    Mistake(
      "a picture that is gone", "build --offline", 65, ["threads/media/two.png: error:", "threadsite fetch"],
      ["threads/media/two.png": nil]),
    Mistake(
      "a picture that is none", "build --offline", 65,
      ["threads/media/two.png: error: this file cannot be published", "threadsite fetch"],
      ["threads/media/two.png": "<html>"]),
    Mistake(
      "a record of addresses that is cut", "build --offline", 65,
      ["threads/permalinks.json:1:2: error:", "version control"],
      ["threads/permalinks.json": "{"]),
    Mistake(
      "a template", "build --offline", 78, ["templates/poll.mustache:1:1: error: `{{#a}}` is never closed"],
      ["templates/poll.mustache": "{{#a}}"]),
    Mistake(
      "a layout", "build --offline", 78,
      ["themes/own/layouts/home.mustache:1:1: error: this tag is not closed"],
      [
        "themes/own/theme.yml": "name: own\n", "site.yml": "theme: own\n",
        "themes/own/layouts/home.mustache": "{{nope",
      ]),
    Mistake(
      "a word of a language", "build --offline", 78, ["templates/strings/en.yml:1:1: error:", "Known keys:"],
      ["templates/strings/en.yml": "site.fed: x\n"]),
    Mistake(
      "a folder of somebody else's", "build --offline", 74,
      ["contains files that threadsite did not write", "--force"],
      ["site/mine.txt": "mine"]),
  ]

  @Test func coversEnoughMistakes() { #expect(Self.commands.count + Self.files.count >= 50) }

  @Test(arguments: commands + files)
  func isReported(_ mistake: Mistake) throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("title: A\n", to: "site.yml")
    for (path, text) in mistake.files {
      if let text { try site.folder.write(text, to: path) } else { try site.folder.remove(path) }
    }
    let before = try site.folder.tree()
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let outcome = try program.run(mistake.arguments)
    #expect(outcome.code == mistake.code, "\(outcome.errors)")
    for text in mistake.expected {
      #expect(outcome.errors.contains(text), "\(text) is not in:\n\(outcome.errors)")
    }
    #expect(outcome.output.isEmpty)
    #expect(!outcome.errors.contains("Fatal") && !outcome.errors.contains("Swift."))
    // Nothing was built, and nothing was damaged.
    let after = try site.folder.tree().filter { !$0.key.hasPrefix(".threadsite/") }
    #expect(after == before)
  }

  /// Files that the system refuses to read. The root user, which many containers use, may read every file.
  @Test(.disabled(if: geteuid() == 0, "root may read every file"))
  func reportsDeniedPermission() throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("title: A\n", to: "site.yml")
    let file = site.path + "/threads/x/ada/1001.json"
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let outcome = try program.run(["build", "--offline"])
    #expect(outcome.code != 0)
    #expect(outcome.errors.contains("1001.json: error:") && outcome.errors.contains("ermission denied"))
  }
}
