import Basics
import Foundation
import HTTPTransport
import SiteWorkspace
import Synchronization

/// The output for the user: messages and progress on standard error, data on standard output.
///
/// On a terminal, progress is one line that is redrawn. Elsewhere, as in CI, long steps are announced by one line each.
final class Console: Sendable {
  private struct State {
    /// The step whose line is on the terminal.
    var shownStep: String?
    /// The steps that were announced, if there is no terminal. Steps that run in parallel report in turn.
    var announcedSteps: Set<String> = []
    /// The progress of that step. It is needed because workers report out of order.
    var shownCount = 0
    /// The line of the step, followed by the usage so far.
    var shownBar = ""
    var shownSpent = ""
    /// When a line about the usage was last written, if there is no terminal.
    var spentAt: ContinuousClock.Instant?
    /// The last wait for which a line was written, if there is no terminal, and its remaining seconds.
    var shownWait = ""
    var shownWaitLeft = 0
    /// The remaining output for each kind of message.
    var rooms: [String: Room] = [:]
    /// For JSON output: the errors that were printed, and whether the summary was written.
    var errors: [String] = []
    var isFinished = false
  }

  /// The remaining output for one kind of message, so that twenty thousand mistakes of one kind do not push everything else off the
  /// terminal. Further messages are only counted.
  private struct Room {
    private var messages = 100
    private var lines = 500
    private(set) var leftOut = 0

    /// Returns the text, or as much of it as the limit allows; `nil` if the limit is used up.
    mutating func take(_ text: String) -> String? {
      guard messages > 0, lines > 0 else {
        leftOut += 1
        return nil
      }
      messages -= 1
      // A quoted name may have any length.
      let bytes = 20_000
      let cut = "… (show all with --verbose)"
      let all = text.utf8.count <= bytes ? text : String(text.unicodeScalars.prefix(bytes / 4)) + cut
      let split = all.split(separator: "\n", maxSplits: lines, omittingEmptySubsequences: false)
      defer { lines -= min(lines, split.count) }
      guard split.count > lines else { return all }
      return split.prefix(lines).joined(separator: "\n") + "\n" + cut
    }
  }

  private let options: (quiet: Bool, verbose: Bool, json: Bool)
  private let isTerminal: Bool
  private let hasColor: Bool
  private let start = ContinuousClock.now
  private let state = Mutex(State())
  /// Masks credentials in all output.
  private let redaction = Mutex(SecretRedaction())

  init(_ options: MessageOptions) {
    self.options = (options.quiet, options.verbose, options.json)
    let environment = ProcessInfo.processInfo.environment
    // A dumb terminal cannot redraw a line.
    isTerminal = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    // https://no-color.org: any value that is not empty turns color off.
    hasColor = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// The time since the command began: `0.84 s`.
  var elapsed: String { Self.text(seconds: (ContinuousClock.now - start) / .seconds(1)) }

  /// `0.84 s`
  static func text(seconds: Double) -> String {
    String(format: seconds < 10 ? "%.2f s" : "%.0f s", seconds)
  }

  /// Handles the pipeline's progress events, from any thread.
  var progress: ProgressHandler {
    { [self] event in
      switch event {
      case .step(let title, let done, let total): step(title, done: done, total: total)
      case .waiting(let reason, let seconds): waiting(reason, seconds)
      case .spent(let usage): spent(FetchReport.words(usage))
      case .warning(let text): if !options.quiet { message("warning", color: "33", text) }
      case .note(let text): if options.verbose, !options.quiet { line(text) }
      case .credentials(let secrets): redaction.withLock { $0.add(secrets.map(\.revealed)) }
      }
    }
  }

  func error(_ text: String) {
    if options.json { state.withLock { $0.errors.append(text) } }
    message("error", color: "31", text)
  }

  /// Advice about errors that were printed, once for all of them.
  func advice(_ text: String) { if !options.quiet { line(text) } }

  /// Tells the user about something that happens, such as a cost or a change to a file.
  func inform(_ text: String) { if !options.quiet { line(text) } }

  /// Prints the number of omitted messages, when the command, or one of several builds of it, has ended.
  func close() {
    let rooms = state.withLock { state in
      defer { (state.rooms, state.announcedSteps) = ([:], []) }
      return state.rooms
    }
    for noun in ["warning", "error"] {
      guard let count = rooms[noun]?.leftOut, count > 0 else { continue }
      line("\(noun): \(Count.grouped(count)) more \(noun)\(count == 1 ? "" : "s"); show all with --verbose")
    }
  }

  /// Writes data that the user requested to standard output; nothing if standard output is for JSON.
  func data(_ text: String) throws(PipelineError) {
    guard !options.json else { return }
    try writeOutput(Self.printable(text) + "\n")
  }

  /// Writes a value that the user requested to standard output, by default on one line.
  func data(json value: JSONValue, _ layout: JSONWriter.Layout = .compact) throws(PipelineError) {
    let end = layout == .compact ? "\n" : ""
    try writeOutput(TextControls.escaped(json: JSONWriter.text(of: value, layout).string) + end)
  }

  private func writeOutput(_ text: String) throws(PipelineError) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(redacted(text).utf8))
    } catch {
      throw PipelineError(.io, ["error: the output could not be written: \(error.localizedDescription)"])
    }
  }

  /// Writes the command's summary: for people on standard error, as JSON on standard output.
  func finish(_ text: String, json: [String: JSONValue]) throws(PipelineError) {
    // With --quiet, the summary in JSON is enough.
    if !text.isEmpty, !(options.quiet && options.json) { line(text) }
    guard options.json else { return }
    state.withLock { $0.isFinished = true }
    var members = json
    members["seconds"] = .number(String(format: "%.3f", (ContinuousClock.now - start) / .seconds(1)))
    let text = JSONWriter.text(of: .object(members)).string
    try writeOutput(TextControls.escaped(json: text))
  }

  /// For JSON output: reports the error if no summary contains it.
  ///
  /// - Parameter code: the exit code.
  func fail(_ command: String, code: Int32) {
    let (errors, isFinished) = state.withLock { ($0.errors, $0.isFinished) }
    guard options.json, !isFinished else { return }
    // If standard output is closed, the error cannot be reported.
    try? finish("", json: Failure(command: command, code: code, messages: errors).json)
  }

  private func step(_ title: String, done: Int, total: Int) {
    guard !options.quiet, total > 0 else { return }
    let title = Self.printable(title)
    state.withLock { state in
      if state.shownStep == title, done < state.shownCount { return }
      state.shownCount = done
      if isTerminal {
        let width = 24
        let filled = done * width / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        state.shownBar = "\(title) \(bar) \(Count.grouped(done)) of \(Count.grouped(total))"
        write("\r\u{1B}[K\(state.shownBar)\(state.shownSpent.isEmpty ? "" : ", \(state.shownSpent)")")
        state.shownStep = title
        return
      }
      // Short work needs no progress lines, because the summary is enough.
      guard total >= 1000, state.announcedSteps.insert(title).inserted else { return }
      write("\(title): \(Count.grouped(total))\n")
    }
  }

  /// Shows the posts read and the cost of a fetch so far: after the progress bar on a terminal, elsewhere as a line every ten seconds.
  private func spent(_ text: String) {
    guard !options.quiet else { return }
    state.withLock { state in
      state.shownSpent = text
      if isTerminal {
        write("\r\u{1B}[K\(state.shownBar.isEmpty ? "Fetching" : state.shownBar), \(text)")
        state.shownStep = state.shownStep ?? "Fetching"
        return
      }
      let now = ContinuousClock.now
      guard let last = state.spentAt else {
        state.spentAt = now
        return
      }
      guard now - last >= .seconds(10) else { return }
      state.spentAt = now
      write("Fetching: \(text)\n")
    }
  }

  /// Shows a countdown on a terminal; elsewhere a line when the wait begins, and one per minute.
  private func waiting(_ reason: String, _ seconds: Int) {
    guard !options.quiet else { return }
    state.withLock { state in
      let reason = Self.printable(reason)
      if isTerminal {
        write("\r\u{1B}[K\(reason): waiting, \(seconds) s left (Ctrl-C stops; fetched posts are kept)")
        state.shownStep = reason
        return
      }
      let isFirst = state.shownWait != reason || seconds > state.shownWaitLeft
      guard isFirst || state.shownWaitLeft - seconds >= 60 else { return }
      (state.shownWait, state.shownWaitLeft) = (reason, seconds)
      write("\(reason): waiting, \(seconds) s left\n")
    }
  }

  /// A message that already contains its kind (`site.yml:3:1: error: …`) is only colored.
  private func message(_ kind: String, color: String, _ text: String) {
    let fitting: String? =
      options.verbose ? text : state.withLock { $0.rooms[kind, default: Room()].take(text) }
    guard let text = fitting.map({ Self.printable($0) }) else { return }
    let named = text.contains("\(kind): ") ? text : "\(kind): \(text)"
    guard hasColor, let range = named.range(of: "\(kind):") else { return show(named) }
    show(named.replacingCharacters(in: range, with: "\u{1B}[1;\(color)m\(kind):\u{1B}[0m"))
  }

  private func line(_ text: String) { show(Self.printable(text)) }

  /// Messages quote text from networks, which must not control the terminal.
  static func printable(_ text: String) -> String { TextControls.shown(text) }

  private func show(_ text: String) {
    state.withLock { state in
      if isTerminal, state.shownStep != nil { write("\r\u{1B}[K") }
      state.shownStep = nil
      write(text + "\n")
    }
  }

  private func write(_ text: String) {
    // If standard error is closed, the message cannot be printed.
    try? FileHandle.standardError.write(contentsOf: Data(redacted(text).utf8))
  }

  private func redacted(_ text: String) -> String {
    let redaction = redaction.withLock { $0 }
    return redaction(text)
  }
}
