import Basics
import Foundation

/// The request and the response that open a WebSocket (RFC 6455, section 4). Extensions and subprotocols are not offered.
struct WebSocketHandshake {
  /// The maximum size of the response's head in bytes.
  private static let maximumHeadBytes = 16 << 10

  private let key = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
  private let url: String
  private var head: [UInt8] = []

  /// - Parameter url: the URL for messages.
  init(url: String) { self.url = url }

  func request(_ request: HTTPRequest, _ target: TransferTarget, userAgent: String) -> [UInt8] {
    var headers: [(name: String, value: String)] = [
      ("Host", target.authority), ("Upgrade", "websocket"), ("Connection", "Upgrade"),
      ("Sec-WebSocket-Key", key), ("Sec-WebSocket-Version", "13"),
    ]
    if !request.headers.contains(where: { $0.name.lowercased() == "user-agent" }) {
      headers.append(("User-Agent", userAgent))
    }
    headers += request.headers
    if let authorization = request.authorization { headers.append(("Authorization", authorization.revealed)) }
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    return Array("GET \(target.requestTarget) HTTP/1.1\r\n\(lines)\r\n".utf8)
  }

  /// Adds bytes of the response, and checks the head when it is complete.
  ///
  /// - Returns: the bytes after the head; `nil` as long as the head is incomplete.
  mutating func add(_ bytes: some Sequence<UInt8>) throws(HTTPError) -> [UInt8]? {
    // The end of the head may arrive in several parts.
    let start = max(head.count - 3, 0)
    head += bytes
    let end = head.indices.dropFirst(start).first { head[$0...].starts(with: "\r\n\r\n".utf8) }
    guard (end ?? head.count) <= Self.maximumHeadBytes else {
      throw HTTPError(
        .tooLarge, "the response's headers are larger than \(Self.maximumHeadBytes >> 10) KB", url: url)
    }
    guard let end else { return nil }
    try check(head[..<end])
    return Array(head[(end + 4)...])
  }

  private func check(_ head: ArraySlice<UInt8>) throws(HTTPError) {
    var answer = AnswerHead()
    head.withUnsafeBytes { bytes in
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        _ = answer.add(UnsafeRawBufferPointer(rebasing: line))
      }
    }
    guard head.starts(with: "HTTP/1.1 ".utf8) else {
      throw HTTPError(.other, "the response is not HTTP/1.1", url: url)
    }
    guard answer.status == 101 else {
      throw HTTPError(
        .other, "the server does not open a WebSocket: it responded with status \(answer.status)", url: url)
    }
    let headers = answer.headers
    let connection = (headers["Connection"] ?? "").lowercased().utf8.split(separator: UInt8(ascii: ","))
      .map { String(Substring($0)).trimmingCharacters(in: .whitespaces) }
    let accepted = SHA1.hash((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    guard headers["Upgrade"]?.lowercased() == "websocket", connection.contains("upgrade"),
      headers["Sec-WebSocket-Accept"] == Data(accepted).base64EncodedString(),
      headers["Sec-WebSocket-Extensions"] == nil, headers["Sec-WebSocket-Protocol"] == nil
    else {
      throw HTTPError(.other, "the server's response does not open a WebSocket correctly", url: url)
    }
  }
}
