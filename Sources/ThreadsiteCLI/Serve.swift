import ArgumentParser
import Basics
import Foundation
import SiteBuild
import SiteConfig
import SitePreview
import SiteWorkspace
import Synchronization

/// `threadsite serve`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Preview the site in a browser while you edit it.",
    discussion: """
      Builds the site in .threadsite/preview, serves it on this machine, and rebuilds it when site.yml, a thread, a template, a theme or a \
      strings file changes. Open pages reload. Errors appear on the page and in the terminal. The output folder is not changed, \
      and nothing is fetched. Press Ctrl-C to stop.

      Examples:
        threadsite serve --open
        threadsite serve --port 8080 --drafts
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The port, 1 to 65535; if it is in use, another port is chosen.", valueName: "number"))
  var port: UInt16 = 8000

  @Option(
    help: ArgumentHelp(
      "The IP address to listen on; 0.0.0.0 for all. Others can then read the site, including drafts.",
      valueName: "address"))
  var host = "127.0.0.1"

  @Flag(help: "Open the home page in a browser.")
  var open = false

  @Flag(help: "Include drafts.")
  var drafts = false

  @Flag(
    help:
      "Check for changes periodically, for network drives and other disks that do not report changes."
  )
  var poll = false

  @Option(
    name: .shortAndLong,
    help: "The number of threads rendered in parallel. The default is the number of cores.")
  var jobs: Int?

  mutating func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be 1 or more.") }
  }

  func run() async throws {
    // A browser that disconnects must not end the program.
    signal(SIGPIPE, SIG_IGN)
    try await messages.run(command: "serve") { console in
      try await Interruption.cancelling { [self] in try await serve(console) }
    }
  }

  private func serve(_ console: Console) async throws {
    let preview = SitePreviewBuild(
      configFile: site.configFile, isDefault: site.config == nil, drafts: drafts,
      jobs: jobs ?? Machine.cores, environment: Machine.environment, installation: Machine.installation)
    try preview.checkThereIsASite()
    let lock = try preview.lock()
    defer { withExtendedLifetime(lock) {} }
    let server = try await PreviewServer.start(host: host, port: port)
    if port != 0, server.port != port {
      console.progress(.warning("port \(port) is in use, so the site is at port \(server.port)"))
    }
    try preview.announce(server.address)
    let report = ServeReport(
      address: server.address, folder: preview.folder, opens: open, console: console)
    let session = PreviewSession(server: server, polls: poll) { changed, whenInPlace in
      preview.run(afterChangesOf: changed, progress: report.progress, whenInPlace: whenInPlace)
    } report: {
      report.show($0)
    }
    await session.run(preview.inputs(of: nil))
    server.stop()
  }
}

/// The messages to the user while the site is served.
final class ServeReport: Sendable {
  private struct State {
    /// Warnings of this build and of the previous one. Repeated warnings are not printed again at every change.
    var warnings: Set<String> = []
    var earlierWarnings: Set<String> = []
    var isOpened = false
  }

  private let address: String
  /// The site's folder. File names are shown relative to it.
  private let folder: String
  private let opens: Bool
  private let console: Console
  private let state = Mutex(State())

  init(address: String, folder: String, opens: Bool, console: Console) {
    self.address = address
    self.folder = folder
    self.opens = opens
    self.console = console
  }

  /// Handles the progress events of a build.
  var progress: ProgressHandler {
    { [self] event in
      guard case .warning(let text) = event else { return console.progress(event) }
      let isNew = state.withLock { state in
        state.warnings.insert(text)
        return !state.earlierWarnings.contains(text)
      }
      if isNew { console.progress(event) }
    }
  }

  func show(_ event: PreviewSession.Event) {
    switch event {
    case .building:
      state.withLock { state in
        state.earlierWarnings = state.warnings
        state.warnings = []
      }
    case .built(let summary, let changed, let seconds):
      finish(
        "\(prefix(changed))\(Count.text(summary.threads, "thread")), \(Count.text(summary.posts, "post")), "
          + "\(Count.text(summary.pages, "page")) in \(Console.text(seconds: seconds))",
        json: [
          "changed": .array(changed.map { .string(shown($0)) }), "threads": .integer(Int64(summary.threads)),
          "posts": .integer(Int64(summary.posts)), "pages": .integer(Int64(summary.pages)),
          "drafts": .integer(Int64(summary.drafts)), "errors": .array([]),
        ])
    case .failed(let error, let changed):
      for message in error.messages { console.error(message) }
      finish(
        "\(prefix(changed))not built; the site is built again as soon as the problem is fixed",
        json: [
          "changed": .array(changed.map { .string(shown($0)) }),
          "errors": .array(error.messages.map { .string($0) }),
        ])
    case .watching(let text): console.progress(.warning(text))
    }
  }

  /// Reports the end of a build, whether it succeeded or not.
  private func finish(_ text: String, json: [String: JSONValue]) {
    // The limits on messages apply to each build.
    console.close()
    let isFirst = state.withLock { state in
      defer { state.isOpened = true }
      return !state.isOpened
    }
    let place = isFirst ? "\nServing the site at \(address); press Ctrl-C to stop." : ""
    // If standard output is closed, the summary cannot be written.
    try? console.finish(text + place, json: json.merging(["url": .string(address)]) { own, _ in own })
    if isFirst, opens { openBrowser() }
  }

  /// `site.yml changed: `
  private func prefix(_ changed: [String]) -> String {
    guard let first = changed.first else { return "" }
    let name = shown(first)
    let more = changed.count > 1 ? " and \(Count.grouped(changed.count - 1)) more" : ""
    return "\(name)\(more) changed: "
  }

  private func shown(_ path: String) -> String {
    path.hasBytePrefix(folder + "/") ? String(path.utf8.dropFirst(folder.utf8.count + 1)) ?? path : path
  }

  private func openBrowser() {
    let process = Process()
    #if os(macOS)
      process.executableURL = URL(filePath: "/usr/bin/open")
      process.arguments = [address]
    #else
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["xdg-open", address]
    #endif
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { [console] process in
      guard process.terminationStatus != 0 else { return }
      console.progress(.warning("no browser could be opened; open the URL yourself"))
    }
    do {
      try ProcessLauncher.start(process)
    } catch {
      console.progress(
        .warning("no browser could be opened (\(error.localizedDescription)); open the URL yourself"))
    }
  }
}
