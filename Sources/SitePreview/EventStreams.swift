import Basics
import Synchronization

/// Everybody who follows the state: server-sent events (HTML, section 9.2) to each page that is open.
final class EventStreams: Sendable {
  private struct Streams {
    var next = 0
    var open: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
    /// What who comes is told first.
    var latest: [UInt8]
    var isClosed = false
  }

  private let streams: Mutex<Streams>

  init(_ state: PreviewState) { streams = Mutex(Streams(latest: Self.event(state))) }

  private static func event(_ state: PreviewState) -> [UInt8] {
    // A page that loses its connection comes back after half a second.
    Array("retry: 500\ndata: ".utf8) + JSONWriter.text(of: state.json, .compact).bytes + Array("\n\n".utf8)
  }

  func send(_ state: PreviewState) {
    let event = Self.event(state)
    send(event) { $0.latest = event }
  }

  /// A word that means nothing, so that nobody between us and the page thinks that the connection is dead, and we learn of one that is.
  func sendComment() { send(Array(": here\n\n".utf8)) { _ in } }

  private func send(_ bytes: [UInt8], _ change: (inout Streams) -> Void) {
    let open = streams.withLock { streams in
      change(&streams)
      return Array(streams.open.values)
    }
    for stream in open { stream.yield(bytes) }
  }

  /// A stream of its own for one page; it ends when the page goes or the preview does.
  func follow() -> AsyncStream<[UInt8]> {
    // A page that does not read is told the newest when it does.
    let (stream, continuation) = AsyncStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingNewest(8))
    let number: Int? = streams.withLock { streams in
      guard !streams.isClosed else { return nil }
      streams.next += 1
      streams.open[streams.next] = continuation
      continuation.yield(streams.latest)
      return streams.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [self] _ in
      // Not within the lock: this is called where the stream is used, too.
      _ = streams.withLock { $0.open.removeValue(forKey: number) }
    }
    return stream
  }

  /// Ends all of them.
  func close() {
    let open = streams.withLock { streams in
      streams.isClosed = true
      return Array(streams.open.values)
    }
    for stream in open { stream.finish() }
  }
}
