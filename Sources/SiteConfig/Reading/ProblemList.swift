/// Collects the problems of a file, so that all of them are reported at once.
package struct ProblemList: Sendable {
  private struct Finding {
    let mark: SourceMark
    let path: String
    let message: String
    let severity: ConfigProblem.Severity
  }

  /// The maximum number of findings to keep; further findings are only counted. Callers decide how many of them to print.
  private static let most = 10_000

  /// The maximum number of findings that include a long source line, because a file may be a single line.
  private static let mostLongLines = 100
  private static let longLine = 1_000

  private var findings: [Finding] = []
  private var unkept = 0
  var mask: SecretMask

  /// The readers for URLs in the file.
  let addresses: AddressBook

  init(mask: SecretMask = SecretMask(), addresses: AddressBook = AddressBook([])) {
    self.mask = mask
    self.addresses = addresses
  }

  /// The positions of values that later stages may report, by key path.
  private var places: [String: SourceMark] = [:]

  /// Whether further findings are only counted and need no message.
  var isFull: Bool { findings.count >= Self.most }

  var hasErrors: Bool { findings.contains { $0.severity == .error } }

  mutating func error(
    _ message: @autoclosure () -> String, at mark: SourceMark, path: @autoclosure () -> String = ""
  ) {
    guard !isFull else {
      unkept += 1
      return
    }
    findings.append(Finding(mark: mark, path: path(), message: message(), severity: .error))
  }

  mutating func error(_ message: @autoclosure () -> String, at value: ConfigValue) {
    guard !value.node.isRefused else { return }
    error(message(), at: value.node.mark, path: value.path)
  }

  mutating func warning(_ message: String, at value: ConfigValue) {
    guard !isFull else { return }
    findings.append(Finding(mark: value.node.mark, path: value.path, message: message, severity: .warning))
  }

  mutating func warning(_ message: String, at mark: SourceMark) {
    guard !isFull else { return }
    findings.append(Finding(mark: mark, path: "", message: message, severity: .warning))
  }

  mutating func remember(_ value: ConfigValue) {
    places[value.path] = value.node.mark
  }

  /// Returns the findings in the order of the file, with their source lines, and with secrets masked.
  func problems(of source: SourceText, file: String) -> [ConfigProblem] {
    // Findings at the same position keep the order in which they were added.
    let sorted = findings.enumerated().sorted { ($0.element.mark, $0.offset) < ($1.element.mark, $1.offset) }
    var lines: [Int: String] = [:]
    var problems = sorted.enumerated().map { position, found in
      let finding = found.element
      let mark = source.clamped(finding.mark)
      let line = lines[mark.line] ?? mask.masking(line: source.line(mark.line))
      lines[mark.line] = line
      let isShown = position < Self.mostLongLines || line.utf8.count <= Self.longLine
      return ConfigProblem(
        file: file,
        location: ConfigProblem.Location(
          line: mark.line, column: mark.column, sourceLine: isShown ? line : ""),
        keyPath: SecretMask.masking(finding.path),
        message: mask.masking(message: finding.message), severity: finding.severity)
    }
    if unkept > 0 {
      problems.append(
        ConfigProblem(
          file: file, location: nil, message: "there are \(unkept) more problems (not shown)"))
    }
    return problems
  }

  /// Returns the locations of the remembered values, by key path.
  func locations(in source: SourceText) -> [String: ConfigProblem.Location] {
    // Each line is masked only once: a list of thousands of threads may be on a single line.
    var lines: [Int: String] = [:]
    return places.mapValues { place in
      let mark = source.clamped(place)
      let line = lines[mark.line] ?? mask.masking(line: source.line(mark.line))
      lines[mark.line] = line
      return ConfigProblem.Location(line: mark.line, column: mark.column, sourceLine: line)
    }
  }
}
