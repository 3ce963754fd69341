import Basics
import Foundation
import LoopbackServer
import TestSupport
import Testing

/// `threadsite serve` as a process: a site changes, and the preview follows.
@Suite(.serialized) struct ServeTests {
  /// The program while it serves.
  private final class Serving {
    let process = Process()
    private let captured: TemporaryFolder

    init(_ site: TemporarySite, _ arguments: [String] = [], path: String? = nil) throws {
      captured = try TemporaryFolder()
      try captured.write("", to: "output")
      try captured.write("", to: "errors")
      let program: URL = try #require(Program.executable, "the program is not built")
      process.executableURL = program
      process.arguments = ["serve", "--port", "0"] + arguments
      process.currentDirectoryURL = URL(filePath: site.path, directoryHint: .isDirectory)
      process.environment = ["THREADSITE_SHARE": ProjectFolders.repository.path].merging(
        path.map { ["PATH": $0] } ?? [:]
      ) { own, _ in own }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: URL(filePath: captured.path + "/output"))
      process.standardError = try FileHandle(forWritingTo: URL(filePath: captured.path + "/errors"))
      try ProcessLauncher.start(process)
    }

    deinit {
      // Only if the test failed before it came to its end.
      if process.isRunning {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
    }

    var errors: String { (try? captured.text("errors")) ?? "" }
    var output: String { (try? captured.text("output")) ?? "" }

    func wait(seconds: Double = 300, until holds: () throws -> Bool) rethrows -> Bool {
      let end = Date(timeIntervalSinceNow: seconds)
      while try !holds() {
        guard Date() < end else { return false }
        usleep(10_000)
      }
      return true
    }

    /// The port, as soon as the program prints it.
    func port(from text: KeyPath<Serving, String> = \.errors) throws -> UInt16 {
      var port: UInt16?
      _ = wait {
        port = self[keyPath: text].firstMatch(of: /http:\\?\/\\?\/127\.0\.0\.1:(\d+)/).flatMap {
          UInt16($0.1)
        }
        return port != nil || !process.isRunning
      }
      return try #require(port, "\(errors)")
    }

    /// Stops it as Ctrl-C does.
    func interrupt() -> Int32 {
      kill(process.processIdentifier, SIGINT)
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  /// The states that pages receive, in order.
  private struct Following {
    private let connection: RawConnection

    init(port: UInt16) throws {
      connection = try RawConnection(port: port)
      try connection.send("GET /.threadsite/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }

    var states: [[String: Any]] {
      connection.received.split(whereSeparator: \.isNewline).compactMap { line in
        guard line.hasPrefix("data: ") else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)) as? [String: Any]
      }
    }

    /// Waits for a matching state.
    func next(where isWanted: ([String: Any]) -> Bool) throws -> [String: Any] {
      connection.read { _ in states.last.map(isWanted) ?? false }
      return try #require(states.last.flatMap { isWanted($0) ? $0 : nil }, "\(states)")
    }
  }

  #if os(Linux)
    private static let isLinux = true
  #else
    private static let isLinux = false
  #endif

  private func title(_ port: UInt16, _ path: String = "/") throws -> String {
    let answer = try RawConnection.answer(path, port: port)
    return answer.firstMatch(of: /<title>(.*?)<\/title>/).map { String($0.1) } ?? answer
  }

  private func setting(_ title: String, _ more: String = "") -> String {
    "title: \(title)\nlanguage: en\ntheme: paper\ntimezone: UTC\nmedia: none\nsearch: false\n\(more)"
  }

  @Test func showsAMistakeUntilItIsFixed() throws {
    let site = try TemporarySite("thread-list")
    try site.folder.save(setting("One"), to: "site.yml")
    let serving = try Serving(site)
    let port = try serving.port()
    #expect(try title(port) == "One")
    let following = try Following(port: port)
    let first = try following.next { _ in true }
    #expect(first["build"] as? Int == 1)
    #expect(first["messages"] is NSNull)

    try site.folder.save(setting("Two", "tilte: Three\n"), to: "site.yml")
    let failed = try following.next { $0["messages"] is [String] }
    let messages = try #require(failed["messages"] as? [String])
    #expect(messages.count == 1)
    #expect(
      messages[0].hasPrefix("site.yml:7:1: error: tilte: unknown key \"tilte\"; did you mean \"title\"?"))
    #expect(failed["build"] as? Int == 1)
    #expect(try title(port) == "One")
    #expect(serving.wait { serving.errors.contains(messages[0]) })

    try site.folder.save(setting("Two"), to: "site.yml")
    let mended = try following.next { $0["build"] as? Int == 2 }
    #expect(mended["messages"] is NSNull)
    #expect(mended["reload"] as? Int == 2)
    #expect(mended["session"] as? String == first["session"] as? String)
    #expect(try title(port) == "Two")
    #expect(serving.interrupt() == 0)
    #expect(serving.errors.contains("\nsite.yml changed: "))
  }

  /// The published folder and the earlier build's files in the store do not change.
  @Test func writesOnlyThePreview() throws {
    let site = try TemporarySite("thread-list")
    try site.folder.save(setting("One"), to: "site.yml")
    try site.build()
    let before = try site.folder.tree()
    let serving = try Serving(site, ["--json", "--quiet"])
    let port = try serving.port(from: \.output)
    #expect(try title(port) == "One")
    #expect(serving.interrupt() == 0)
    #expect(serving.errors.isEmpty)
    let after = try site.folder.tree()
    // All files except the caches of builds, one per output, and the preview's folder.
    func others(_ tree: [String: Data]) -> [String: Data] {
      tree.filter { !$0.key.hasPrefix(".threadsite/") }
    }
    #expect(others(after) == others(before))
    #expect(before.filter { $0.key.hasPrefix(".threadsite/") }.allSatisfy { after[$0.key] == $0.value })
    let summary = try JSONSerialization.jsonObject(with: Data(serving.output.utf8)) as? [String: Any]
    let schema = ProjectFolders.repository.appending(path: "docs/schemas/serve.schema.json")
    #expect(
      JSONSchema(root: try JSONValue(parsing: Array(try Data(contentsOf: schema)))).problems(
        of: try JSONValue(parsing: Array(serving.output.utf8))
      ).isEmpty)
    let stored = before.keys.filter { $0.hasPrefix("threads/x/") }
    #expect(summary?["threads"] as? Int == stored.count)
  }

  @Test func reportsAPortInUseAndASiteThatIsServedAlready() throws {
    let (one, two) = (try TemporarySite("thread-list"), try TemporarySite("thread-list"))
    let first = try Serving(one)
    let port = try first.port()
    let second = try Serving(two, ["--port", "\(port)"])
    #expect(try second.port() != port)
    #expect(second.errors.hasPrefix("warning: port \(port) is in use, so the site is at port "))
    let third = try Program(folder: one.path).run(["serve", "--port", "0"])
    #expect(third.code == 74)
    #expect(
      third.errors.contains("another `threadsite serve` shows this site at http://127.0.0.1:\(port)/"))
    #expect(second.interrupt() == 0)
    #expect(first.interrupt() == 0)
  }

  @Test func doesNotWaitForAFolderWithoutASite() throws {
    let site = try TemporarySite()
    for arguments in [[], ["--config", "other.yml"]] {
      let outcome = try Program(folder: site.path).run(["serve", "--port", "0"] + arguments)
      #expect(outcome.code == 78)
      #expect(outcome.errors.contains("`threadsite init"))
    }
    #expect(try site.folder.tree().isEmpty)
  }

  /// The browser gets the URL but not the server's socket, because the browser may outlive the server.
  @Test(.enabled(if: isLinux, "macOS opens URLs with its own program"))
  func opensABrowser() throws {
    let site = try TemporarySite("thread-list")
    let name = "bin/xdg-open"
    try site.folder.save("#!/bin/sh\necho \"$@\" > address.txt\nexec sleep 10\n", to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: site.path + "/" + name)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let serving = try Serving(site, ["--open"], path: site.path + "/bin:" + path)
    let port = try serving.port()
    #expect(serving.wait { (try? site.folder.text("address.txt")) == "http://127.0.0.1:\(port)/\n" })
    #expect(serving.interrupt() == 0)
    #expect(throws: RawConnection.NobodyListens.self) { try RawConnection(port: port) }
  }

  /// Any page in a browser may send such requests.
  @Test func readsNoBodiesAndNoLongHeaders() throws {
    let site = try TemporarySite("thread-list")
    let serving = try Serving(site)
    let port = try serving.port()
    func status(_ request: String) throws -> String {
      let connection = try RawConnection(port: port)
      connection.offer(request)
      connection.read(seconds: 60) { $0.contains("\r\n\r\n") }
      return String(connection.received.prefix { $0 != "\r\n" })
    }
    // The response does not wait for a body that never arrives.
    #expect(
      try status("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10485760\r\n\r\n").contains(" 405 "))
    #expect(
      try status("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n").contains(" 405 ")
    )
    let long = String(repeating: "x", count: 1 << 20)
    #expect(try status("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: \(long)\r\n\r\n").contains(" 431 "))
    #expect(try status("GET /\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n").contains(" 431 "))
    for hosts in [
      "Host: evil.example\r\nHost: localhost", "Host: localhost\r\nHost: localhost",
      "Host: localhost\r\n continued",
    ] {
      #expect(try status("GET / HTTP/1.1\r\n\(hosts)\r\n\r\n").contains(" 400 "), "\(hosts)")
    }
    // Several requests on one connection in one packet.
    let pipelined = try RawConnection(port: port)
    pipelined.offer(String(repeating: "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 3))
    #expect(pipelined.read(seconds: 60) { $0.split(separator: "HTTP/1.1 200 OK").count == 3 })
    // Neither an incomplete request nor an endless one prevents the end of the program.
    let half = try RawConnection(port: port)
    half.offer("GET / HT")
    let endless = try RawConnection(port: port)
    endless.offer("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10485760\r\n\r\nx")
    #expect(try title(port) != "")
    #expect(serving.interrupt() == 0)
  }
}
