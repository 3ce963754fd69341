import HTTPTransport
import LoopbackServer
import Testing

@Suite struct LimitTests {
  @Test func limitsConcurrentTransfers() async throws {
    let server = try LoopbackServer()
    server.otherwise(.later(milliseconds: 5, .text("ok")))
    let client = transport {
      $0.maximumTransfers = 8
      $0.maximumTransfersPerHost = 100
    }
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<200 {
        group.addTask { try await client.send(get(server.url("/\(number)"))).status }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [Int](repeating: 200, count: 200))
    #expect(Set(server.requests.map(\.path)).count == 200)
    #expect(server.greatestConcurrency <= 8)
    #expect(server.greatestConcurrency > 1)
    #expect(server.connectionCount <= 8)
  }

  /// An extension of a chunk is not part of the body, and libcurl drops it when it arrives.
  @Test func endsAResponseWithAnEndlessChunkExtension() async throws {
    let server = try LoopbackServer()
    server.on("/") { _, connection in
      try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;")
      let part = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
      while true { try connection.send(part) }
    }
    let client = transport()
    for _ in 0..<2 {
      let error = await failure(client, get(server.url()))
      #expect(error?.kind == .tooLarge, "\(String(describing: error))")
    }
    // A body of the smallest possible chunks is valid.
    server.on("/small") { _, connection in
      let chunk = "1;\(String(repeating: "y", count: 20))\r\nx\r\n"
      try connection.send(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
          + String(repeating: chunk, count: 300_000) + "0\r\n\r\n")
    }
    #expect(try await client.send(get(server.url("/small"))).body.count == 300_000)
  }

  @Test func limitsConcurrentTransfersPerHost() async throws {
    let slow = try LoopbackServer()
    slow.on("/", .later(milliseconds: 20, .text("ok")))
    let client = transport { $0.maximumTransfersPerHost = 2 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await client.send(get(slow.url())) } }
      try await group.waitForAll()
    }
    #expect(slow.greatestConcurrency <= 2)
  }

  @Test func slowHostDoesNotDelayAnother() async throws {
    let stuck = try LoopbackServer()
    stuck.on("/", .silence)
    let quick = try LoopbackServer()
    quick.on("/", .text("ok"))
    let client = transport {
      $0.maximumTransfers = 4
      $0.maximumTransfersPerHost = 2
    }
    let waiting = (0..<10).map { _ in Task { await failure(client, get(stuck.url())) } }
    #expect(try await eventually { stuck.requests.count == 2 })
    #expect(try await client.send(get(quick.url())).text == "ok")
    for task in waiting { task.cancel() }
  }

  @Test func hostsAlternateAndKeepTheirOrder() {
    var queue = TransferQueue(limit: 3, limitPerHost: 2)
    for id in 1...4 { queue.enqueue(UInt64(id), host: "a") }
    for id in 5...6 { queue.enqueue(UInt64(id), host: "b") }
    #expect([queue.next(), queue.next(), queue.next(), queue.next()] == [1, 5, 2, nil])
    queue.finished(host: "b")
    #expect(queue.next() == 6)
    queue.withdraw(3)
    queue.finished(host: "b")
    #expect(queue.next() == nil)
    queue.finished(host: "a")
    #expect(queue.next() == 4)
    queue.finished(host: "a")
    queue.finished(host: "a")
    #expect(queue.running == 0)
    #expect(queue.next() == nil)
  }

  @Test func longQueuesAreCompleted() {
    var queue = TransferQueue(limit: 4, limitPerHost: 3)
    for id in 0..<5000 { queue.enqueue(UInt64(id), host: "host \(id % 7)") }
    var seen: Set<UInt64> = []
    var running: [UInt64] = []
    while seen.count < 5000 {
      while let id = queue.next() {
        seen.insert(id)
        running.append(id)
      }
      guard !running.isEmpty else { break }
      queue.finished(host: "host \(running.removeFirst() % 7)")
    }
    #expect(seen.count == 5000)
    #expect(running.count <= 4)
  }
}
