import Foundation

/// Shows long texts: on a terminal through the user's pager, elsewhere on standard output.
enum Pager {
  private static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether headings may be bold: not in files, on terminals that cannot, or where nobody wants it (https://no-color.org).
  static var isStyled: Bool {
    isTerminal && Machine.environment["TERM"] != "dumb" && (Machine.environment["NO_COLOR"] ?? "").isEmpty
  }

  /// The columns of the terminal, of which long lines are tiresome to read; 80 where there is none.
  static var columns: Int { min(size?.columns ?? 80, 100) }

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
    // Where whoever reads has seen enough, as head(1) has, there is nothing wrong.
    signal(SIGPIPE, SIG_IGN)
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      if errno != EPIPE { throw error }
    }
  }

  /// - Returns: whether there was such a program; where not, nothing was shown.
  private static func page(_ text: String, through command: String) -> Bool {
    // `popen` and not `Process`, which gives its child a process group of its own, that may not read the terminal's keys.
    guard let pipe = popen(command, "w") else { return false }
    // Who leaves the pager early, or interrupts what it does, wants nothing of this program.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT, SIG_IGN)
    fputs(text, pipe)
    let status = pclose(pipe)
    // 126 and 127 are a shell's, of programs that it cannot run.
    return ![126, 127].contains(status >> 8 & 0xFF)
  }
}
