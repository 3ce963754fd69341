import Basics
import Foundation

/// Typesets a book as a PDF file with WeasyPrint (https://weasyprint.org/), a separate program.
///
/// The document contains texts and pictures of strangers. So the program gets it on its standard input, returns the file on its standard
/// output, and can read only its own files and fonts (``ConfinedProgram``).
package struct PDFTypesetter: Sendable {
  private static let programName = "weasyprint"
  /// In seconds. A book of a thousand pages takes some minutes.
  private static let timeLimit: Double = 3600

  private let program: ConfinedProgram
  private let environment: [String: String]

  /// Finds the program.
  ///
  /// - Parameter environment: the environment variables; `PATH` and `HOME` are used.
  package init(environment: [String: String]) throws(ExportFormatError) {
    let path = environment["PATH"] ?? "/usr/bin:/bin"
    guard let program = ConfinedProgram(Self.programName, searchPath: path) else {
      throw .missingTypesetter(
        "error: \(Self.programName), which typesets the PDF file, is not installed; install it (Debian, Ubuntu, Fedora, Homebrew, PyPI: weasyprint)"
      )
    }
    self.program = program
    // Without a date, the file would contain the time of its creation: https://reproducible-builds.org/specs/source-date-epoch/.
    self.environment = [
      "PATH": path, "HOME": environment["HOME"] ?? "/", "LANG": "C.UTF-8", "SOURCE_DATE_EPOCH": "315532800",
      "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
    ]
  }

  /// Returns the PDF file of an HTML document without references to other files.
  ///
  /// - Parameter identifier: the file's identifier, the same for every edition.
  package func typeset(_ document: [UInt8], identifier: String) throws(ExportFormatError) -> [UInt8] {
    // WeasyPrint needs a folder for temporary files.
    let scratch = FileManager.default.temporaryDirectory.path + "/threadsite-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(
        atPath: scratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .typesetter("\(scratch): error: the folder could not be created: \(error.localizedDescription)")
    }
    // A folder that cannot be removed contains at most unused fonts.
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    var environment = environment
    environment["TMPDIR"] = scratch
    let outcome: ConfinedProgram.Outcome
    do throws(FileError) {
      outcome = try program.run(
        ["--encoding", "utf-8", "--quiet", "--pdf-identifier", identifier, "-", "-"],
        environment: environment,
        input: document, timeLimit: Self.timeLimit, using: folders, scratch: scratch)
    } catch {
      throw .file(error)
    }
    guard outcome.code == 0, outcome.output.starts(with: "%PDF-".utf8) else {
      // The last line of a Python program's errors is the error itself.
      let lines = String(decoding: outcome.errors, as: UTF8.self).split(whereSeparator: \.isNewline)
      let reason = lines.last.map { TextControls.shownOnOneLine(String($0.prefix(300))) } ?? "no message"
      throw .typesetter(
        "error: \(program.path) could not typeset the book (exit code \(outcome.code)): \(reason)")
    }
    return outcome.output
  }

  /// The folders of fonts, and the folders of a Python that is not part of the system, as of pipx and uv.
  private var folders: [String] {
    let home = environment["HOME"] ?? "/"
    let fonts = [
      "/etc/fonts", "/var/cache/fontconfig", home + "/.fonts", home + "/.local/share/fonts",
      home + "/.cache/fontconfig", home + "/Library/Fonts",
    ]
    let script = FileSystem.withoutLinks(program.path)
    return fonts + ([script] + [interpreter(of: script)].compactMap(\.self)).compactMap(prefix)
  }

  /// Returns the program that runs a script, by its first line; `nil` for other programs.
  private func interpreter(of script: String) -> String? {
    // An unreadable program cannot be started, which is reported then.
    guard let start = try? OpenFile(script).bytes(1024, at: 0), start.starts(with: "#!".utf8) else {
      return nil
    }
    let line = String(decoding: start.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return line.split(separator: " ").first.map { FileSystem.withoutLinks(String($0)) }
  }

  /// Returns the folder with the folder `bin` of a program and its libraries; `nil` for programs of the system.
  private func prefix(of program: String) -> String? {
    guard let bin = PathText.folder(of: program), let prefix = PathText.folder(of: String(bin)),
      !prefix.isEmpty, prefix != "/usr", prefix != "/usr/local"
    else { return nil }
    return String(prefix)
  }
}
