import Foundation
import TestSupport
import Testing

/// The messages after everyday mistakes of writers, theme authors and CI users. They are in one file for reviewers:
/// `Fixtures/everyday-mistakes.txt`.
///
/// Each case of the file begins with `## ` and its name. Lines with `+ ` name a file, whose text follows in lines with `| `. Lines with
/// `- ` name a file or folder that is removed. The line with `$ ` is the command. The exit code and standard error follow.
@Suite("Everyday mistakes")
struct EverydayMistakesTests {
  /// One mistake: the lines before the command's messages, which describe a small site and a command.
  struct Mistake: Sendable {
    let lines: [String]

    /// Runs the command in a new site.
    ///
    /// - Returns: the exit code and the messages, without paths and times of this run, and without remarks about the sample site.
    func run() throws -> String {
      let site = try TemporarySite("defaults")
      try site.folder.write("title: A\n", to: "site.yml")
      try prepare(site)
      let command = try #require(lines.last?.dropFirst(2))
      let before = try site.folder.tree()
      let executable = try #require(Program.executable)
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      var program = Program(folder: site.path, executable: URL(filePath: "/bin/sh"))
      program.environment = [
        "THREADSITE_SHARE": ProjectFolders.repository.path, "HOME": site.path,
        "PATH": "\(executable.deletingLastPathComponent().path):\(path)",
      ]
      let outcome = try program.run(["-c", String(command)])
      #expect(!outcome.errors.contains("Fatal") && !outcome.errors.contains("Swift."), "\(lines)")
      // A failed command changes no file of the site. Commands with several steps, and accounts to leave out, change them.
      if outcome.code != 0, !command.contains(";"), !command.contains("&&"),
        !lines.contains(where: { $0.contains("leave_out") })
      {
        let after = try site.folder.tree().filter {
          !$0.key.hasPrefix(".threadsite/") && !$0.key.contains("/.incoming/")
        }
        #expect(after == before, "\(lines)")
      }
      let messages = site.withoutPaths(outcome.errors)
        .replacing(/in [0-9.]+ s\b/, with: "in TIME")
        .replacing(/(\d+ images without alt text\.|base_url is not set .*)\n/, with: "")
      return "exit \(outcome.code)\n" + (messages.isEmpty ? "(no message)\n" : messages)
    }

    private func prepare(_ site: TemporarySite) throws {
      var texts: [(file: String, text: String)] = []
      for line in lines {
        let rest = String(line.dropFirst(2))
        switch line.first {
        case "+": texts.append((rest, ""))
        case "|": texts[texts.count - 1].text += rest + "\n"
        case "-": try site.folder.remove(rest)
        default: break
        }
      }
      for (file, text) in texts { try site.folder.write(text, to: file) }
    }
  }

  private static let golden = TemporarySite.fixtures.appending(path: "everyday-mistakes.txt")

  /// Splits the file into headings and mistakes, without the recorded messages.
  private static func sections() throws -> [[String]] {
    let text = try String(contentsOf: golden, encoding: .utf8)
    var sections: [[String]] = []
    var isOpen = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("# ") || line.hasPrefix("## ") {
        sections.append([line])
        isOpen = line.hasPrefix("## ")
      } else if isOpen {
        sections[sections.count - 1].append(line)
        if line.hasPrefix("$ ") { isOpen = false }
      }
    }
    return sections
  }

  @Test func areReported() async throws {
    let sections = try Self.sections()
    #expect(sections.count { $0.count > 1 } >= 120)
    let results = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      var results = [String](repeating: "", count: sections.count)
      var next = 0
      func start() {
        guard next < sections.count else { return }
        let (index, lines) = (next, sections[next])
        next += 1
        group.addTask {
          let head = lines.joined(separator: "\n") + "\n"
          return (index, lines.count == 1 ? head : head + (try Mistake(lines: lines).run()))
        }
      }
      for _ in 0..<max(ProcessInfo.processInfo.activeProcessorCount, 2) { start() }
      while let (index, text) = try await group.next() {
        results[index] = text
        start()
      }
      return results
    }
    try Golden.compare(results.joined(separator: "\n"), with: Self.golden)
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
