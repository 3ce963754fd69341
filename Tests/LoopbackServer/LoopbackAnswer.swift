/// A response of a `LoopbackServer` to requests for a path, with the usual responses and faults as functions.
package struct LoopbackAnswer: Sendable {
  package let write: @Sendable (LoopbackRequest, LoopbackConnection) throws -> Void

  package init(_ write: @escaping @Sendable (LoopbackRequest, LoopbackConnection) throws -> Void) {
    self.write = write
  }

  /// Returns a complete, correct response.
  package static func answer(
    status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) -> LoopbackAnswer {
    LoopbackAnswer { _, connection in try connection.answer(status: status, headers: headers, body: body) }
  }

  package static func text(_ text: String, status: Int = 200) -> LoopbackAnswer {
    answer(status: status, headers: [("Content-Type", "text/plain")], body: Array(text.utf8))
  }

  package static func redirect(to location: String, status: Int = 302) -> LoopbackAnswer {
    answer(status: status, headers: [("Location", location)], body: Array("over there".utf8))
  }

  /// Returns a response with a chunked body.
  package static func chunked(_ chunks: [[UInt8]]) -> LoopbackAnswer {
    LoopbackAnswer { _, connection in
      try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      for chunk in chunks where !chunk.isEmpty { try connection.sendChunk(chunk) }
      try connection.sendChunk([])
    }
  }

  /// Returns a response with the first bytes of a body, after which the connection is closed.
  package static func cut(after sent: Int, of length: Int) -> LoopbackAnswer {
    LoopbackAnswer { _, connection in
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
      try connection.send([UInt8](repeating: UInt8(ascii: "x"), count: sent))
      connection.close()
    }
  }

  /// A response with an endless body, until the client closes the connection.
  package static let endless = LoopbackAnswer { _, connection in
    try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while true { try connection.sendChunk([UInt8](repeating: UInt8(ascii: "x"), count: 65_536)) }
  }

  /// A response with endless headers, until the client closes the connection.
  package static let headerFlood = LoopbackAnswer { _, connection in
    try connection.send("HTTP/1.1 200 OK\r\n")
    let value = String(repeating: "x", count: 1000)
    var number = 0
    while true {
      try connection.send("X-Flood-\(number): \(value)\r\n")
      number += 1
    }
  }

  /// Returns a response that sends one byte after each pause, until the client closes the connection.
  package static func drip(everyMilliseconds pause: Int) -> LoopbackAnswer {
    LoopbackAnswer { _, connection in
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      while true {
        try connection.send("x")
        try connection.pause(milliseconds: pause)
      }
    }
  }

  /// No response, until the client closes the connection.
  package static let silence = LoopbackAnswer { _, connection in try connection.waitForEnd() }

  /// No response: the server closes the connection.
  package static let hangUp = LoopbackAnswer { _, connection in connection.close() }

  /// Returns a delayed response.
  package static func later(milliseconds: Int, _ answer: LoopbackAnswer) -> LoopbackAnswer {
    LoopbackAnswer { request, connection in
      try connection.pause(milliseconds: milliseconds)
      try answer.write(request, connection)
    }
  }

  /// Returns a sequence of responses, one for each request; the last response is repeated.
  package static func inTurn(_ answers: LoopbackAnswer...) -> LoopbackAnswer {
    let turns = LoopbackTurns(count: answers.count)
    return LoopbackAnswer { request, connection in try answers[turns.next()].write(request, connection) }
  }

  /// Returns a response with a gzip body, declared as `Content-Encoding: gzip`.
  package static func gzip(_ compressed: [UInt8]) -> LoopbackAnswer {
    answer(headers: [("Content-Encoding", "gzip")], body: compressed)
  }
}
