import Basics
import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// What stands between FlyingFox's requests and ``SiteResponder``: the state of the moment, and those who follow it.
final class PreviewHandler: HTTPHandler {
  private let state: Mutex<PreviewState>
  private let hosts: AllowedHosts
  let events: EventStreams

  init(_ state: PreviewState, hosts: AllowedHosts) {
    self.state = Mutex(state)
    self.hosts = hosts
    events = EventStreams(state)
  }

  /// Changes what is shown, and tells every page that is open.
  func update(_ change: (inout PreviewState) -> Void) {
    let new = state.withLock { state in
      change(&state)
      return state
    }
    events.send(new)
  }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    // The state is taken before a file is opened: a page may call itself older than it is, and then loads once more than it had to, but
    // never newer.
    let responder = SiteResponder(state.withLock { $0 }, hosts: hosts)
    let response = responder.response(to: PreviewRequest(request))
    var headers = HTTPHeaders(
      Dictionary(response.headers.map { (HTTPHeader($0), $1) }, uniquingKeysWith: { first, _ in first }))
    // What it would be, where nothing is sent.
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
    // Of a header that comes twice, FlyingFox keeps the last.
    let headers = Dictionary(
      request.headers.map { ($0.key.rawValue.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
    // As it was sent: FlyingFox's own path is decoded, and freed of "..", before anybody has looked at it.
    self.init(
      request.target.path(), method: request.method.rawValue, query: request.target.query(), headers: headers)
  }
}

/// The bytes of a file, read as they are sent.
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
      // Shorter than when it was opened: the connection ends, as what was announced will not come.
      guard !bytes.isEmpty else { throw SocketError.disconnected }
      rest = rest.lowerBound + bytes.count..<rest.upperBound
      return bytes
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(file: file, rest: range) }
}

/// What a page that follows the state is sent, as it comes.
private struct EventSequence: AsyncBufferedSequence {
  typealias Element = UInt8

  let events: EventStreams

  struct Iterator: AsyncBufferedIteratorProtocol {
    var stream: AsyncStream<[UInt8]>.Iterator

    // Events are sent whole, so that nobody asks for one byte.
    mutating func next() async throws -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? { await stream.next() }
  }

  func makeAsyncIterator() -> Iterator { Iterator(stream: events.follow().makeAsyncIterator()) }
}
