import Foundation
import HTTPTransport
import Synchronization

/// A network of a few URLs in memory.
final class FakeTransport: HTTPTransport {
  enum Answer: Sendable {
    case bytes([UInt8])
    case status(Int)
    case error(HTTPError.Kind)
    /// Never arrives; ends when it is canceled.
    case silence
  }

  struct State {
    var answers: [String: Answer]
    var requests: [HTTPRequest] = []
    var running = 0
    var most = 0
    /// The number of concurrent downloads before any response is sent.
    var gathering = 0
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  let state: Mutex<State>

  init(_ answers: [String: Answer] = [:]) { state = Mutex(State(answers: answers)) }

  /// The requested URLs, sorted.
  var urls: [String] { state.withLock { $0.requests.map(\.url).sorted() } }
  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  var mostAtOnce: Int { state.withLock { $0.most } }

  func answer(_ url: String, _ answer: Answer) { state.withLock { $0.answers[url] = answer } }
  func forget() { state.withLock { $0.requests = [] } }

  /// Delays all responses until `count` downloads run at the same time.
  func gather(_ count: Int) { state.withLock { $0.gathering = count } }

  /// Waits until `count` downloads run at the same time.
  func waitUntilRunning(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.most < count { state.waiting.append((count, continuation)) }
        return state.most >= count
      }
      if isReached { continuation.resume() }
    }
  }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(.other, "media are written to files", url: request.url)
  }

  func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
    let (answer, gathering, reached) = state.withLock { state in
      state.requests.append(request)
      state.running += 1
      state.most = max(state.most, state.running)
      let most = state.most
      let reached = state.waiting.filter { $0.count <= most }
      state.waiting.removeAll { $0.count <= most }
      return (state.answers[request.url] ?? .status(404), state.gathering, reached)
    }
    for waiting in reached { waiting.continuation.resume() }
    defer { state.withLock { $0.running -= 1 } }
    await waitUntilRunning(gathering)
    if case .silence = answer {
      do {
        // Ends only when the task is canceled.
        try await Task.sleep(for: .seconds(86_400))
      } catch {
        throw HTTPError(.cancelled, "it was cancelled", url: request.url)
      }
    }
    switch answer {
    case .bytes(let bytes):
      guard bytes.count <= request.limits.maximumBytes else {
        write(bytes.prefix(request.limits.maximumBytes), to: path)
        throw HTTPError(.tooLarge, "it has more bytes than allowed", url: request.url)
      }
      write(bytes[...], to: path)
      return HTTPResponse(status: 200, url: request.url)
    case .status(let status):
      write(Array("<html>".utf8)[...], to: path)
      return HTTPResponse(status: status, url: request.url)
    case .error(let kind): throw HTTPError(kind, "it did not work", url: request.url)
    case .silence: throw HTTPError(.timedOut, "it timed out", url: request.url)
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to path: String) {
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
  }
}
