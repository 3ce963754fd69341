import Basics
import Foundation
import TestSupport
import Testing

/// The text of a printed book, which `pdftotext` of Poppler reads.
enum PrintedBook {
  static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
  static let canBeRead = ["weasyprint", "pdftotext"].allSatisfy {
    ConfinedProgram($0, searchPath: path) != nil
  }

  /// Returns the text of each page.
  static func pages(of file: String) throws -> [String] {
    let program = try #require(ConfinedProgram("pdftotext", searchPath: path))
    let outcome = try Program(folder: "/", executable: URL(filePath: program.path)).run([
      "-layout", file, "-",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\u{0C}").map(String.init)
  }
}

/// `threadsite export pdf`: a printed book, which WeasyPrint typesets.
@Suite("Printed books", .fewAtOnce) struct PrintedBookTests {

  private func export(
    _ exported: ExportedSite, _ arguments: String..., path: String = PrintedBook.path
  ) throws -> Program.Outcome {
    let environment = ["THREADSITE_SHARE": ProjectFolders.repository.path, "PATH": path]
    return try Program(folder: exported.site.path, environment: environment).run(
      ["export", "pdf"] + arguments)
  }

  @Test(.enabled(if: PrintedBook.canBeRead, "needs WeasyPrint and Poppler"))
  func hasTitlePageContentsAndThreads() throws {
    let exported = try ExportedSite(configuration: "base_url: https://ada.example/")
    let outcome = try export(exported)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let pages = try PrintedBook.pages(of: exported.site.path + "/threads.pdf")
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
    // The number of each page is at its bottom.
    #expect(
      pages.enumerated().dropFirst().allSatisfy {
        $1.split(separator: "\n").last?.contains("\($0 + 1)") == true
      })
  }

  @Test(.enabled(if: PrintedBook.canBeRead, "needs WeasyPrint and Poppler"))
  func sameThreadsGiveTheSameBytes() throws {
    let exported = try ExportedSite()
    for jobs in ["1", "4"] {
      let outcome = try export(exported, "--jobs", jobs, "--output", "\(jobs).pdf")
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    let folder = exported.site.folder
    #expect(try folder.data("1.pdf") == folder.data("4.pdf"))
    #expect(try export(exported, "--output", "-", "--quiet").output.hasPrefix("%PDF-"))
  }

  /// The first page of a thread has its title as a heading, and the following pages have it at the top.
  @Test(.enabled(if: PrintedBook.canBeRead, "needs WeasyPrint and Poppler")) func repeatsTitlesOfLongThreads()
    throws
  {
    let site = try TemporarySite()
    let posts = (1...60).map { number in
      ExportedSite.post(
        1000 + number, by: ExportedSite.ada, "Sentence \(number) of a long text about clocks.", year: 2021,
        answers: number == 1 ? nil : 999 + number)
    }
    try site.save(ExportedSite.conversation(posts, by: ExportedSite.ada))
    let exported = try ExportedSite(
      site: site,
      configuration: "title: Kept\nthreads:\n  - { url: https://x.com/ada/status/1001, title: On clocks }")
    let outcome = try export(exported)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let pages = try PrintedBook.pages(of: site.path + "/threads.pdf")
    #expect(pages.count > 2)
    for page in pages { #expect(page.matches(of: /On clocks/).count == 1, "\(page)") }
    for page in pages.dropFirst() {
      #expect(page.split(separator: "\n").first?.contains("On clocks") == true, "\(page)")
    }
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
