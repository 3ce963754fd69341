import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing

@Suite struct CancellationTests {
  @Test func cancellationEndsTheTransferAndItsConnection() async throws {
    let server = try LoopbackServer()
    server.on("/", .silence)
    let client = transport()
    let task = Task { await failure(client, get(server.url())) }
    #expect(try await eventually { server.requests.count == 1 })
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
    #expect(try await eventually { server.openConnectionCount == 0 })
  }

  @Test func canceledTaskGetsNoResponse() async throws {
    let server = try LoopbackServer()
    server.on("/", .silence)
    let client = transport()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await failure(client, get(server.url()))
    }
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
  }

  @Test func cancelsWaitingTransfers() async throws {
    let server = try LoopbackServer()
    server.on("/", .silence)
    server.on("/quick", .text("ok"))
    let client = transport { $0.maximumTransfers = 1 }
    let first = Task { await failure(client, get(server.url())) }
    #expect(try await eventually { server.requests.count == 1 })
    let others = (0..<10).map { _ in Task { await failure(client, get(server.url())) } }
    for task in others { task.cancel() }
    for task in others { #expect(await task.value?.kind == .cancelled) }
    first.cancel()
    #expect(await first.value?.kind == .cancelled)
    // All of their places are free again.
    #expect(try await client.send(get(server.url("/quick"))).text == "ok")
    #expect(server.requests(of: "/").count == 1)
  }

  @Test func leavesNoOpenFiles() async throws {
    let server = try LoopbackServer()
    server.on("/", .drip(everyMilliseconds: 5))
    let folder = try TemporaryFolder()
    let client = transport()
    let tasks = (0..<8).map { number in
      Task { try await client.download(get(server.url()), to: folder.path + "/file-\(number)") }
    }
    #expect(try await eventually { server.requests.count == 8 })
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: HTTPError.self) { try await task.value } }
    #expect(openFiles(below: folder.path).isEmpty)
  }

  @Test func shutdownEndsTransfersAndRejectsNewOnes() async throws {
    let server = try LoopbackServer()
    server.on("/", .silence)
    let client = transport()
    let task = Task { await failure(client, get(server.url())) }
    #expect(try await eventually { server.requests.count == 1 })
    await client.shutdown()
    #expect(await task.value?.kind == .cancelled)
    #expect(await failure(client, get(server.url()))?.kind == .cancelled)
    await client.shutdown()
  }

  @Test func connectionsCloseWithTheTransport() async throws {
    let server = try LoopbackServer()
    server.on("/", .text("ok"))
    do {
      let client = transport()
      _ = try await client.send(get(server.url()))
      #expect(server.openConnectionCount == 1)
    }
    #expect(try await eventually { server.openConnectionCount == 0 })
  }

  /// The open files of this process (Linux only; empty on other systems).
  private func openFiles(below folder: String) -> [String] {
    let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return links.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }.filter { $0.hasPrefix(folder) }
  }
}
