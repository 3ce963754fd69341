import Basics
import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// Connects FlyingFox's requests with ``SiteResponder``, and holds the current state and the event streams.
final class PreviewHandler: HTTPHandler {
  private let state: Mutex<PreviewState>
  private let hosts: AllowedHosts
  let events: EventStreams

  init(_ state: PreviewState, hosts: AllowedHosts) {
    self.state = Mutex(state)
    self.hosts = hosts
    events = EventStreams(state)
  }

  /// Changes the state, and sends it to all open pages.
  func update(_ change: (inout PreviewState) -> Void) {
    let new = state.withLock { state in
      change(&state)
      return state
    }
    events.send(new)
  }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    // The state is read before a file is opened. So the build number in a page may be too old, which costs one unnecessary reload, but never too new.
    let responder = SiteResponder(state.withLock { $0 }, hosts: hosts)
    let response = responder.response(to: PreviewRequest(request))
    var headers = HTTPHeaders(
      Dictionary(response.headers.map { (HTTPHeader($0), $1) }, uniquingKeysWith: { first, _ in first }))
    // Also for HEAD requests, whose responses have no body.
    headers[.contentLength] = response.length.map(String.init)
    let status = HTTPStatusCode(response.status, phrase: Self.phrase(response.status))
    if request.method == .HEAD { return HTTPResponse(statusCode: status, headers: headers) }
    return HTTPResponse(statusCode: status, headers: headers, body: body(of: response))
  }

  private func body(of response: PreviewResponse) -> HTTPBodySequence {
    switch response.body {
    case .bytes(let bytes): HTTPBodySequence(data: Data(bytes), suggestedBufferSize: FileBytesSequence.part)
    case .file(let file, let range):
      HTTPBodySequence(
        from: FileBytesSequence(file: file, range: range), count: range.count,
        suggestedBufferSize: FileBytesSequence.part)
    case .events: HTTPBodySequence(from: EventSequence(events: events))
    }
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 206: "Partial Content"
    case 302: "Found"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 416: "Range Not Satisfiable"
    default: "Service Unavailable"
    }
  }
}

extension PreviewRequest {
  init(_ request: HTTPRequest) {
    // Of a header that occurs twice, FlyingFox keeps the last value.
    let headers = Dictionary(
      request.headers.map { ($0.key.rawValue.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
    // The path as it was sent: FlyingFox's own path is decoded and has ".." removed before it could be checked.
    self.init(
      request.target.path(), method: request.method.rawValue, query: request.target.query(), headers: headers)
  }
}

/// The bytes of a file, read while they are sent.
private struct FileBytesSequence: AsyncBufferedSequence {
  typealias Element = UInt8
  static let part = 256 * 1024

  let file: ServedFile
  let range: Range<Int>

  struct Iterator: AsyncBufferedIteratorProtocol {
    let file: ServedFile
    var rest: Range<Int>

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      guard !rest.isEmpty else { return nil }
      let bytes = try file.bytes(Swift.min(count, rest.count), at: rest.lowerBound)
      // The file is shorter than when it was opened. The connection is closed, because the announced length cannot be sent.
      guard !bytes.isEmpty else { throw SocketError.disconnected }
      rest = rest.lowerBound + bytes.count..<rest.upperBound
      return bytes
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(file: file, rest: range) }
}

/// The events for a page, sent as they occur.
private struct EventSequence: AsyncBufferedSequence {
  typealias Element = UInt8

  let events: EventStreams

  struct Iterator: AsyncBufferedIteratorProtocol {
    var stream: AsyncStream<[UInt8]>.Iterator

    // Events are sent as whole buffers, so single bytes are never requested.
    mutating func next() async throws -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? { await stream.next() }
  }

  func makeAsyncIterator() -> Iterator { Iterator(stream: events.follow().makeAsyncIterator()) }
}
