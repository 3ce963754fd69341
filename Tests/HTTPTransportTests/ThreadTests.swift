import Foundation
import HTTPTransport
import LoopbackServer
import Testing

@Suite(.serialized) struct ThreadTests {
  /// What the thread of a transport is called by the system.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/proc/self/task"), "only Linux shows threads as files"))
  func theThreadEndsWithTheTransport() async throws {
    let server = try LoopbackServer()
    server.otherwise(.text("ok"))
    let name = "curl of test \(server.port % 1000)"
    do {
      let clients = (0..<5).map { _ in transport { $0.threadName = name } }
      for client in clients { _ = try await client.send(get(server.url())) }
      #expect(threads(called: name) == 5)
    }
    #expect(try await eventually { threads(called: name) == 0 })
    let client = transport { $0.threadName = name }
    _ = try await client.send(get(server.url()))
    await client.shutdown()
    #expect(try await eventually { threads(called: name) == 0 })
  }

  private func threads(called name: String) -> Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return all.count { id in
      // One that ended meanwhile is not there any more.
      let text = try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8)
      return text?.trimmingCharacters(in: .newlines) == String(name.prefix(15))
    }
  }
}
