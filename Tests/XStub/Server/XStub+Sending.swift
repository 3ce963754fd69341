import FlyingFox
import FlyingSocks
import Foundation

extension XStub {
  /// Returns the HTTP response for an answer, as changed by a fault.
  func response(
    _ answer: StubAnswer, _ fault: StubFault?, to request: HTTPRequest, index: Int
  ) async throws -> HTTPResponse {
    var answer = answer
    switch fault {
    case .neverAnswers: try await Task.sleep(for: .seconds(86_400))
    case .pause(let seconds): try await Task.sleep(for: .seconds(seconds))
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
    return HTTPResponse(
      statusCode: HTTPStatusCode(answer.status, phrase: Self.phrase(of: answer.status)),
      headers: headers(of: answer), body: body(of: answer, fault, isHead: request.method == .HEAD))
  }

  private static func phrase(of status: Int) -> String {
    switch status {
    case 200..<300: "OK"
    case 300..<400: "Elsewhere"
    case 400..<500: "Refused"
    default: "Server Error"
    }
  }

  private func accepts(gzipOf answer: StubAnswer, _ request: HTTPRequest) -> Bool {
    behaviour.compresses && answer.contentType.hasPrefix("application/json") && !answer.body.isEmpty
      && request.headers[HTTPHeader("Accept-Encoding")]?.contains("gzip") == true
  }

  private func headers(of answer: StubAnswer) -> HTTPHeaders {
    var headers = HTTPHeaders()
    headers[.contentType] = answer.contentType
    for (name, value) in answer.headers { headers[HTTPHeader(name)] = value }
    return headers
  }

  private func body(of answer: StubAnswer, _ fault: StubFault?, isHead: Bool) -> HTTPBodySequence {
    let bytes = isHead ? [] : answer.body
    let count = answer.body.count
    switch fault {
    case .cutInTheMiddle:
      return HTTPBodySequence(from: GeneratedBody.cut(bytes, after: count / 2), count: max(count, 1))
    case .cutAfterHeaders:
      return HTTPBodySequence(from: GeneratedBody.cut(bytes, after: 0), count: max(count, 1))
    case .endlessBody:
      return HTTPBodySequence(from: GeneratedBody.endless(bytes))
    case .slowDrip(let size, let seconds):
      return HTTPBodySequence(from: GeneratedBody.dripping(bytes, size, seconds), count: count)
    default:
      return HTTPBodySequence(data: Data(bytes), suggestedBufferSize: 65_536)
    }
  }
}

/// A body that is generated while it is sent.
struct GeneratedBody: AsyncBufferedSequence {
  typealias Element = UInt8

  /// The error that closes a connection in the middle of a body.
  struct Cut: Error {}

  /// Returns the chunk with an index, from 0; `nil` at the end. An error closes the connection.
  var chunk: @Sendable (Int) async throws -> ArraySlice<UInt8>?

  func makeAsyncIterator() -> Iterator { Iterator(chunk: chunk) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var chunk: @Sendable (Int) async throws -> ArraySlice<UInt8>?
    var index = 0

    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
      defer { index += 1 }
      return try await chunk(index)
    }

    /// Always throws, because bodies are only read in chunks.
    mutating func next() async throws -> UInt8? { throw Cut() }
  }

  static func cut(_ bytes: [UInt8], after count: Int) -> GeneratedBody {
    GeneratedBody { index in
      guard index == 0, count > 0 else {
        // The pause lets the first half arrive, so that the body is cut in the middle and not before.
        try await Task.sleep(for: .milliseconds(20))
        throw Cut()
      }
      return bytes.prefix(count)
    }
  }

  static func endless(_ bytes: [UInt8]) -> GeneratedBody {
    let spaces = [UInt8](repeating: 0x20, count: 65_536)
    return GeneratedBody { index in index == 0 && bytes.count > 1 ? bytes.dropLast() : spaces[...] }
  }

  static func dripping(_ bytes: [UInt8], _ size: Int, _ seconds: Double) -> GeneratedBody {
    GeneratedBody { index in
      let start = index * size
      guard start < bytes.count else { return nil }
      if index > 0 { try await Task.sleep(for: .seconds(seconds)) }
      return bytes[start..<Swift.min(start + size, bytes.count)]
    }
  }
}
