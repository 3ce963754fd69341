import Basics
import Foundation
import TestSupport
import Testing

/// `threadsite export pdf`: a printed book, which WeasyPrint typesets. Its text is read by `pdftotext` of Poppler.
@Suite("Printed books", .fewAtOnce) struct PrintedBookTests {
  private static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
  private static let canTypeset = ["weasyprint", "pdftotext", "pdfinfo"].allSatisfy {
    ConfinedProgram($0, searchPath: path) != nil
  }

  private func export(
    _ exported: ExportedSite, _ arguments: String..., path: String = Self.path
  ) throws -> Program.Outcome {
    let environment = ["THREADSITE_SHARE": ProjectFolders.repository.path, "PATH": path]
    return try Program(folder: exported.site.path, environment: environment).run(
      ["export", "pdf"] + arguments)
  }

  /// Returns what a program of Poppler prints about a file.
  private func read(_ file: String, with program: String, _ options: String...) throws -> String {
    let shell = try #require(ConfinedProgram(program, searchPath: Self.path))
    let outcome = try Program(folder: "/", executable: URL(filePath: shell.path)).run(options + [file, "-"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test(.enabled(if: canTypeset, "needs WeasyPrint and Poppler")) func hasTitlePageContentsAndThreads() throws
  {
    let exported = try ExportedSite(configuration: "base_url: https://ada.example/")
    let outcome = try export(exported)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let file = exported.site.path + "/threads.pdf"
    let pages = try read(file, with: "pdftotext", "-layout").split(separator: "\u{0C}").map(String.init)
    #expect(pages.first?.contains("Kept") == true)
    let contents = try #require(pages.first { $0.contains("Contents") })
    // The line of each thread ends with the number of the page that begins with its title.
    var found = 0
    for line in contents.split(separator: "\n") {
      guard let match = line.firstMatch(of: /^\s*(\S.*?)[ .]{4,}(\d+)\s*$/), let number = Int(match.2) else {
        continue
      }
      let title = match.1.split(separator: " — ")[0].prefix(20)
      #expect(pages[number - 1].contains(title), "\(line)")
      found += 1
    }
    #expect(found == 3)
    // A later page of a thread would repeat its title at the top. The numbers of pages are at the bottom.
    #expect(
      pages.enumerated().dropFirst().allSatisfy {
        $1.split(separator: "\n").last?.contains("\($0 + 1)") == true
      })
    let hidden = ["hidden", "draft", "excluded"]
    #expect(!pages.joined().lowercased().split(separator: " ").contains { hidden.contains(String($0)) })
  }

  @Test(.enabled(if: canTypeset, "needs WeasyPrint and Poppler")) func sameThreadsGiveTheSameBytes() throws {
    let exported = try ExportedSite()
    for jobs in ["1", "4"] {
      let outcome = try export(exported, "--jobs", jobs, "--output", "\(jobs).pdf")
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    let folder = exported.site.folder
    #expect(try folder.data("1.pdf") == folder.data("4.pdf"))
    #expect(try export(exported, "--output", "-", "--quiet").output.hasPrefix("%PDF-"))
  }

  @Test func reportsAMissingProgram() throws {
    let exported = try ExportedSite()
    let outcome = try export(exported, path: "/nowhere")
    #expect(outcome.code == 78)
    #expect(outcome.errors.hasPrefix("error: weasyprint, which typesets the PDF file, is not installed"))
    #expect(!exported.site.folder.exists("threads.pdf"))
  }

  /// The previous file stays, and the program's own message is shown.
  @Test(arguments: [
    ("echo ignored >&2; echo 'Broken: no fonts' >&2; exit 3", "(exit code 3): Broken: no fonts"),
    ("echo no document", "(exit code 0): no message"),
  ])
  func reportsAFailedProgram(script: String, message: String) throws {
    let exported = try ExportedSite()
    try exported.site.folder.write("#!/bin/sh\n\(script)\n", to: "bin/weasyprint")
    let program = exported.site.path + "/bin/weasyprint"
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    try exported.site.folder.write("previous", to: "threads.pdf")
    let outcome = try export(exported, path: exported.site.path + "/bin")
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("could not typeset the book \(message)"), "\(outcome.errors)")
    #expect(try exported.site.folder.text("threads.pdf") == "previous")
  }
}
