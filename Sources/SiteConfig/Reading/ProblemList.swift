/// What is found while a file is read: nothing is thrown before everything has been looked at.
struct ProblemList: Sendable {
  private struct Finding {
    let mark: SourceMark
    let path: String
    let message: String
    let severity: ConfigProblem.Severity
  }

  /// Findings beyond these are only counted. How many of them are said at once is for whoever says them: a hundred, unless
  /// asked for all.
  private static let most = 10_000

  /// How many findings have their source line with them, however long it is: a file may be a single line.
  private static let mostLongLines = 100
  private static let longLine = 1_000

  private var findings: [Finding] = []
  private var unkept = 0
  var mask: SecretMask

  /// How the addresses in the file are understood.
  let addresses: AddressBook

  init(mask: SecretMask = SecretMask(), addresses: AddressBook = AddressBook([])) {
    self.mask = mask
    self.addresses = addresses
  }

  /// Where the values stand that later stages may want to point at, by key path.
  private var places: [String: SourceMark] = [:]

  /// Whether what is added now is only counted, so that words for it would be wasted.
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

  mutating func remember(_ value: ConfigValue) {
    places[value.path] = value.node.mark
  }

  /// The findings in the order of the file, with their source lines, secrets masked.
  func problems(of source: SourceText, file: String) -> [ConfigProblem] {
    // Sorting must be stable: two findings of one place keep the order in which they were made.
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
          file: file, location: nil, message: "there are \(unkept) more problems, which are not shown"))
    }
    return problems
  }

  /// Where the values stand that were remembered, by their key paths.
  func locations(in source: SourceText) -> [String: ConfigProblem.Location] {
    // A line is masked once: a list of thousands of threads may stand on a single one.
    var lines: [Int: String] = [:]
    return places.mapValues { place in
      let mark = source.clamped(place)
      let line = lines[mark.line] ?? mask.masking(line: source.line(mark.line))
      lines[mark.line] = line
      return ConfigProblem.Location(line: mark.line, column: mark.column, sourceLine: line)
    }
  }
}
