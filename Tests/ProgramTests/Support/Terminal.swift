import Basics
import Foundation
import Testing

/// A pseudo-terminal on which the program runs.
private struct Terminal: ~Copyable {
  /// The side of the person: what is written here is typed, and what the program prints is read here.
  private let person: Int32
  private let program: Int32

  init(width: Int) throws {
    person = posix_openpt(O_RDWR | O_NOCTTY)
    try #require(person >= 0 && grantpt(person) == 0 && unlockpt(person) == 0)
    let name = try #require(ptsname(person))
    program = open(name, O_RDWR | O_NOCTTY)
    try #require(program >= 0)
    var size = winsize(ws_row: 40, ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(person, UInt(TIOCSWINSZ), &size) == 0)
  }

  /// The program's standard input, standard output or standard error.
  func stream() throws -> FileHandle {
    let copy = dup(program)
    try #require(copy >= 0)
    return FileHandle(fileDescriptor: copy, closeOnDealloc: true)
  }

  func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    try #require(write(person, bytes, bytes.count) == bytes.count)
  }

  /// Returns everything that the program prints until it ends.
  func readAll() -> String {
    close(program)
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      // When the last process closes its side, Linux reports an input/output error.
      let count = read(person, &part, part.count)
      guard count > 0 else { break }
      all += part.prefix(count)
    }
    close(person)
    return String(decoding: all, as: UTF8.self)
  }
}

extension Program {
  /// Runs the program on a terminal.
  ///
  /// - Parameters:
  ///   - width: the number of columns.
  ///   - input: the keys that a person types, at most four kilobytes. They are echoed in the output.
  /// - Returns: the exit code, and standard output and standard error together.
  func run(onTerminal arguments: [String], width: Int = 80, typing input: String = "") throws -> Outcome {
    let terminal = try Terminal(width: width)
    try terminal.type(input)
    let process = Process()
    process.executableURL = try #require(executable ?? Self.executable, "the program is not built")
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder, directoryHint: .isDirectory)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    process.environment = environment.merging(["PATH": path, "TERM": "xterm", "NO_COLOR": "1"]) { own, _ in
      own
    }
    do {
      let streams = try (terminal.stream(), terminal.stream(), terminal.stream())
      (process.standardInput, process.standardOutput, process.standardError) = streams
      try ProcessLauncher.start(process)
      for stream in [streams.0, streams.1, streams.2] { try stream.close() }
    }
    let output = terminal.readAll()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: output.replacing("\r\n", with: "\n"), errors: "")
  }
}
