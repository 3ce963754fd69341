import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The bytes received over a connection. The stub is tested with a client that uses only sockets.
struct RawAnswer: Sendable {
  var status = 0
  var headers: [String: String] = [:]
  var body: [UInt8] = []
  /// Whether the whole body arrived, according to the headers.
  var isComplete = false

  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Sends one request over a new connection and reads until the end, a limit or a timeout.
enum RawClient {
  static func send(
    _ target: String, method: String = "GET", to baseURL: String, headers: [String: String] = [:],
    body: String = "", limit: Int = 8 << 20, timeout: Double = 60
  ) async -> RawAnswer {
    let port = UInt16(baseURL.split(separator: ":").last ?? "") ?? 0
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if !body.isEmpty { head += "Content-Length: \(body.utf8.count)\r\n" }
    let request = Array((head + "\r\n" + body).utf8)
    // Sockets block here, which threads of Swift's pool must not do.
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let bytes = exchange(request, port: port, limit: limit, timeout: timeout)
        continuation.resume(returning: parse(bytes))
      }
    }
  }

  private static func exchange(_ request: [UInt8], port: UInt16, limit: Int, timeout: Double) -> [UInt8] {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var wait = timeval(
      tv_sec: Int(timeout), tv_usec: .init((timeout - timeout.rounded(.down)) * 1_000_000))
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0, write(descriptor, request, request.count) == request.count else { return [] }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while answer.count < limit {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      answer.append(contentsOf: buffer[..<count])
    }
    return answer
  }

  private static func parse(_ bytes: [UInt8]) -> RawAnswer {
    var answer = RawAnswer()
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return answer }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    answer.status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      answer.headers[line[..<colon].lowercased()] = value
    }
    let rest = bytes[end.upperBound...]
    if answer.headers["transfer-encoding"] == "chunked" {
      (answer.body, answer.isComplete) = dechunked(rest)
    } else {
      answer.body = Array(rest)
      answer.isComplete = answer.headers["content-length"].flatMap { Int($0) } == rest.count
    }
    return answer
  }

  private static func dechunked(_ bytes: ArraySlice<UInt8>) -> ([UInt8], Bool) {
    var body: [UInt8] = []
    var rest = bytes
    while let line = rest.firstRange(of: Array("\r\n".utf8)) {
      let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16) ?? 0
      if size == 0 { return (body, true) }
      body.append(contentsOf: rest[line.upperBound...].prefix(size))
      rest = rest[line.upperBound...].dropFirst(size + 2)
    }
    return (body, false)
  }
}
