import Foundation
import LoopbackServer
import SitePreview
import SiteWorkspace
import Synchronization
import TestSupport
import Testing

/// A site in its own folder with its preview on loopback, as `threadsite serve` runs it.
final class RunningPreview: Sendable {
  /// The maximum number of seconds that a test waits. The server shares the threads of the concurrency pool with all tests of the run, and may come last.
  private static let patience = 3600.0

  let folder: TemporaryFolder
  let port: UInt16
  private let reported = Mutex<[PreviewSession.Event]>([])
  private let hasReported = NSCondition()

  /// Waits until a number of builds have finished, successful or not, and returns the names of the files that changed before each of them.
  func changes(ofBuilds count: Int) -> [[String]] {
    let end = Date(timeIntervalSinceNow: Self.patience)
    hasReported.lock()
    defer { hasReported.unlock() }
    while changes.count < count, hasReported.wait(until: end) {}
    return changes
  }

  private var changes: [[String]] {
    reported.withLock { $0 }.compactMap { event in
      switch event {
      case .built(_, let changed, _), .failed(_, let changed): changed.map(withoutFolder)
      case .building, .watching: nil
      }
    }
  }

  private func report(_ event: PreviewSession.Event) {
    reported.withLock { $0.append(event) }
    hasReported.lock()
    hasReported.broadcast()
    hasReported.unlock()
  }

  /// Returns a text in which paths are relative to the site.
  func withoutFolder(_ path: String) -> String { path.replacing(folder.path + "/", with: "") }

  private init(folder: TemporaryFolder, port: UInt16) {
    self.folder = folder
    self.port = port
  }

  /// Returns a copy of a fixture with three threads, and the builds of its preview.
  ///
  /// - Parameter config: the text of site.yml.
  static func site(_ config: String) throws -> (folder: TemporaryFolder, build: SitePreviewBuild) {
    let folder = try TemporaryFolder()
    let fixture = ProjectFolders.fixtures(of: "ProgramTests").appending(path: "Sites/thread-list").path
    for name in try FileManager.default.contentsOfDirectory(atPath: fixture) {
      try FileManager.default.copyItem(atPath: "\(fixture)/\(name)", toPath: "\(folder.path)/\(name)")
    }
    try folder.write(config, to: "site.yml")
    let build = SitePreviewBuild(
      configFile: folder.path + "/site.yml", isDefault: true, drafts: false, jobs: 2, environment: [:],
      installation: Installation.find(
        executable: "/nowhere", environment: ["THREADSITE_SHARE": ProjectFolders.repository.path]))
    return (folder, build)
  }

  /// Runs a test with the preview of ``site(_:)``.
  ///
  /// - Parameters:
  /// - config: the text of site.yml.
  /// - body: runs on a separate thread and may block, because the preview needs the threads of the
  ///   concurrency pool.
  static func run(
    _ config: String, polls: Bool = false, _ body: @escaping @Sendable (RunningPreview) throws -> Void
  ) async throws {
    let (folder, build) = try site(config)
    let lock = try build.lock()
    let server = try await PreviewServer.start(host: "127.0.0.1", port: 0)
    let preview = RunningPreview(folder: folder, port: server.port)
    let session = PreviewSession(server: server, polls: polls) { changed, whenInPlace in
      build.run(afterChangesOf: changed, progress: { _ in }, whenInPlace: whenInPlace)
    } report: { event in
      preview.report(event)
    }
    let task = Task { await session.run(build.inputs(of: nil)) }
    let result = await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: Result { try body(preview) }) }.start()
    }
    task.cancel()
    await task.value
    server.stop()
    withExtendedLifetime(lock) {}
    try result.get()
  }

  /// Returns the whole response to a request.
  func response(_ path: String, headers: String = "Host: localhost\r\n") throws -> String {
    try RawConnection.answer(path, port: port, headers: headers)
  }

  /// Returns the title of a page, or the response if it has none.
  func title(_ path: String = "/") throws -> String {
    let response = try response(path)
    return response.firstMatch(of: /<title>(.*?)<\/title>/).map { String($0.1) } ?? response
  }

  /// The states that an open page receives, in order.
  struct Page {
    private let connection: RawConnection

    init(_ preview: RunningPreview) throws {
      connection = try RawConnection(port: preview.port)
      try connection.send("GET /.threadsite/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }

    private var states: [[String: Any]] {
      connection.received.split(whereSeparator: \.isNewline).compactMap { line in
        guard line.hasPrefix("data: ") else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)) as? [String: Any]
      }
    }

    /// Waits until the last state matches.
    func next(where isWanted: ([String: Any]) -> Bool) throws -> [String: Any] {
      connection.read(seconds: RunningPreview.patience) { _ in states.last.map(isWanted) ?? false }
      return try #require(states.last.flatMap { isWanted($0) ? $0 : nil }, "\(states)")
    }
  }
}
