import Basics
import HTTPTransport
import Synchronization
import ThreadModel
import XNetwork

/// A transport that answers from memory. It passes each request to a closure and records it.
final class FakeTransport: HTTPTransport {
  typealias Handler = @Sendable (HTTPRequest, _ number: Int) -> Result<HTTPResponse, HTTPError>

  private let handler: Handler
  private let sent = Mutex<[HTTPRequest]>([])

  init(_ handler: @escaping Handler) { self.handler = handler }

  /// Returns the answers in order and repeats the last one.
  convenience init(_ answers: [HTTPResponse]) {
    self.init { _, number in .success(answers[min(number, answers.count - 1)]) }
  }

  var requests: [HTTPRequest] { sent.withLock { $0 } }
  var urls: [String] { requests.map(\.url) }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let number = sent.withLock { sent in
      sent.append(request)
      return sent.count - 1
    }
    return try handler(request, number).get()
  }
}

extension HTTPResponse {
  init(_ status: Int, _ headers: [String: String] = [:], _ body: String) {
    self.init(status: status, headers: HTTPHeaders(headers), body: Array(body.utf8))
  }

  /// A page with these posts, each with an author and its own ID as conversation.
  static func page(_ ids: some Sequence<Int>, next: String? = nil, author: Int = 7) -> HTTPResponse {
    let posts = ids.map {
      #"{"id":"\#($0)","text":"post \#($0)","author_id":"\#(author)","conversation_id":"\#($0)"}"#
    }
    let token = next.map { #","next_token":"\#($0)""# } ?? ""
    return HTTPResponse(
      200,
      #"{"data":[\#(posts.joined(separator: ","))],"#
        + #""includes":{"users":[{"id":"\#(author)","name":"Ada","username":"ada"}]},"#
        + #""meta":{"result_count":\#(posts.count)\#(token)}}"#)
  }

  init(_ status: Int, _ body: String) { self.init(status, [:], body) }
}

/// A clock that advances only during pauses.
final class FakeClock: Sendable {
  private let state: Mutex<(now: Timestamp, pauses: [Double])>

  /// Starts at 2024-05-01T12:00:00Z by default.
  init(_ now: Timestamp = Timestamp(seconds: 1_714_564_800)) { state = Mutex((now, [])) }

  var now: Timestamp { state.withLock(\.now) }
  var pauses: [Double] { state.withLock(\.pauses) }

  func advance(seconds: Double) {
    state.withLock { $0.now.milliseconds += Int64((seconds * 1000).rounded()) }
  }

  /// The announcements of long pauses.
  var announced: [String] { announcements.withLock { $0 } }
  private let announcements = Mutex<[String]>([])

  var clock: XClock {
    XClock(
      now: { self.now },
      sleep: { seconds in
        self.advance(seconds: seconds)
        self.state.withLock { $0.pauses.append(seconds) }
      }, announce: { reason, left in self.announcements.withLock { $0.append("\(reason): \(left)") } })
  }
}
