import Foundation
import HTTPTransport
import LoopbackServer
import Synchronization
import Testing

@Suite(.serialized) struct ThreadTests {
  /// The system's name of a transport's thread.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/proc/self/task"), "only Linux shows threads as files"))
  func threadEndsWithTheTransport() async throws {
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

  /// A program that exits while a transport's thread runs can crash, so every way to end must stop the
  /// thread.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/proc/self/task"), "only Linux shows threads as files"),
    arguments: [false, true])
  func threadEndsWithTheWork(fails: Bool) async throws {
    struct Refusal: Error {}
    let server = try LoopbackServer()
    server.otherwise(.text("ok"))
    let name = "curl of work \(server.port % 1000)"
    var options = CurlOptions()
    options.proxies = .none
    options.allowsLoopback = true
    options.threadName = name
    let kept = Mutex<CurlTransport?>(nil)
    do {
      let text = try await CurlTransport.withTransport(userAgent: "tests", options: options) { transport in
        // Retained, so that its release does not end the thread.
        kept.withLock { $0 = transport }
        let text = try await transport.send(get(server.url())).text
        #expect(threads(called: name) == 1)
        if fails { throw Refusal() }
        return text
      }
      #expect(text == "ok" && !fails)
    } catch is Refusal {
      #expect(fails)
    }
    #expect(try await eventually { threads(called: name) == 0 })
    let transport = try #require(kept.withLock { $0 })
    #expect(await failure(transport, get(server.url()))?.kind == .cancelled)
  }

  private func threads(called name: String) -> Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return all.count { Self.name(ofThread: $0) == String(name.prefix(15)) }
  }

  /// `nil` for a thread that ended meanwhile. Foundation would leak the memory of the read buffer.
  private static func name(ofThread id: String) -> String? {
    let descriptor = open("/proc/self/task/\(id)/comm", O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
