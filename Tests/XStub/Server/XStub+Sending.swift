import LoopbackServer

extension XStub {
  /// Sends the HTTP response for an answer, as changed by a fault.
  func send(
    _ answer: StubAnswer, _ fault: StubFault?, to request: LoopbackRequest,
    over connection: LoopbackConnection, index: Int
  ) throws {
    var answer = answer
    switch fault {
    case .neverAnswers: return try connection.waitForEnd()
    case .pause(let seconds): try connection.pause(milliseconds: Int(seconds * 1000))
    case .invalidJSON:
      answer.body = Array(answer.body.dropLast(answer.body.count / 3)) + Array("}}, oops".utf8)
    default: break
    }
    note(answer, at: index)
    let isPlain = fault == nil || fault?.isAboutPages == true
    if isPlain, accepts(gzipOf: answer, request) {
      answer.body = Gzip.stored(answer.body)
      answer.headers["content-encoding"] = "gzip"
    }
    try send(answer, fault, isHead: request.method == "HEAD", over: connection)
  }

  private func accepts(gzipOf answer: StubAnswer, _ request: LoopbackRequest) -> Bool {
    behaviour.compresses && answer.contentType.hasPrefix("application/json") && !answer.body.isEmpty
      && request["Accept-Encoding"]?.contains("gzip") == true
  }

  private func send(
    _ answer: StubAnswer, _ fault: StubFault?, isHead: Bool, over connection: LoopbackConnection
  ) throws {
    let body = isHead ? [] : answer.body
    switch fault {
    case .cutInTheMiddle:
      try connection.send(head(of: answer, length: max(answer.body.count, 1)))
      try connection.send(Array(body.prefix(answer.body.count / 2)))
      connection.close()
    case .cutAfterHeaders:
      try connection.send(head(of: answer, length: max(answer.body.count, 1)))
      connection.close()
    case .endlessBody:
      try connection.send(head(of: answer, length: nil))
      if body.count > 1 { try connection.sendChunk(body.dropLast()) }
      let spaces = [UInt8](repeating: 0x20, count: 65_536)
      while true { try connection.sendChunk(spaces) }
    case .slowDrip(let size, let seconds):
      try connection.send(head(of: answer, length: answer.body.count))
      for start in stride(from: 0, to: body.count, by: size) {
        if start > 0 { try connection.pause(milliseconds: Int(seconds * 1000)) }
        try connection.send(Array(body[start..<min(start + size, body.count)]))
      }
    default:
      try connection.send(Array(head(of: answer, length: answer.body.count).utf8) + body)
    }
  }

  /// The status line and the headers, without a length for a chunked body.
  private func head(of answer: StubAnswer, length: Int?) -> String {
    var head = "HTTP/1.1 \(answer.status) \(Self.phrase(of: answer.status))\r\n"
    head += "content-type: \(answer.contentType)\r\n"
    for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
    head += length.map { "content-length: \($0)\r\n" } ?? "transfer-encoding: chunked\r\n"
    return head + "\r\n"
  }

  private static func phrase(of status: Int) -> String {
    switch status {
    case 200..<300: "OK"
    case 300..<400: "Elsewhere"
    case 400..<500: "Refused"
    default: "Server Error"
    }
  }
}
