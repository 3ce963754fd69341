import Foundation

/// Shows long texts: on a terminal through the user's pager, elsewhere on standard output.
enum Pager {
  private static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether headings may be bold: not in files, on terminals that do not support it, or if the user disabled it (https://no-color.org).
  static var isStyled: Bool {
    isTerminal && Machine.environment["TERM"] != "dumb" && (Machine.environment["NO_COLOR"] ?? "").isEmpty
  }

  /// The number of columns of the terminal, limited because long lines are hard to read; 80 if there is no terminal.
  static var columns: Int { min(size?.columns ?? 80, 100) }

  /// The number of columns of the terminal; `nil` if there is no terminal.
  static var width: Int? { size?.columns }

  private static var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Writes a text, which ends with a line feed.
  static func show(_ text: String) throws {
    let pager = Machine.environment["PAGER"] ?? "less -R"
    if let rows = size?.rows, text.utf8.count(where: { $0 == 10 }) >= rows, !pager.isEmpty,
      Machine.environment["TERM"] != "dumb", page(text, through: pager)
    {
      return
    }
    // If the reader stops early, like head(1), this is not an error.
    signal(SIGPIPE, SIG_IGN)
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      if errno != EPIPE { throw error }
    }
  }

  /// - Returns: whether the program exists. If it does not, nothing was shown.
  private static func page(_ text: String, through command: String) -> Bool {
    // `popen` and not `Process`, which starts its child in a separate process group that must not read the terminal's keys.
    guard let pipe = popen(command, "w") else { return false }
    // If the user leaves the pager early or interrupts it, this is not an error of this program.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT, SIG_IGN)
    fputs(text, pipe)
    let status = pclose(pipe)
    // A shell returns 126 and 127 for programs that it cannot run.
    return ![126, 127].contains(status >> 8 & 0xFF)
  }
}
