import Basics
import Synchronization

/// The streams of server-sent events (HTML, section 9.2) to all open pages.
final class EventStreams: Sendable {
  private struct Streams {
    var next = 0
    var open: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
    /// The latest event, which new streams receive first.
    var latest: [UInt8]
    var isClosed = false
  }

  private let streams: Mutex<Streams>

  init(_ state: PreviewState) { streams = Mutex(Streams(latest: Self.event(state))) }

  private static func event(_ state: PreviewState) -> [UInt8] {
    // A page that loses its connection reconnects after half a second.
    Array("retry: 500\ndata: ".utf8) + JSONWriter.text(of: state.json, .compact).bytes + Array("\n\n".utf8)
  }

  func send(_ state: PreviewState) {
    let event = Self.event(state)
    send(event) { $0.latest = event }
  }

  /// Sends a comment, so that no proxy between the preview and a page closes an idle connection, and closed connections are detected.
  func sendComment() { send(Array(": here\n\n".utf8)) { _ in } }

  private func send(_ bytes: [UInt8], _ change: (inout Streams) -> Void) {
    let open = streams.withLock { streams in
      change(&streams)
      return Array(streams.open.values)
    }
    for stream in open { stream.yield(bytes) }
  }

  /// Opens a stream for one page. The stream ends when the page closes its connection or the preview ends.
  func follow() -> AsyncStream<[UInt8]> {
    // A page that reads slowly loses older events, but still gets the newest.
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
      // The lock is not held when `finish` is called, because `finish` calls this handler.
      _ = streams.withLock { $0.open.removeValue(forKey: number) }
    }
    return stream
  }

  /// Ends all streams.
  func close() {
    let open = streams.withLock { streams in
      streams.isClosed = true
      return Array(streams.open.values)
    }
    for stream in open { stream.finish() }
  }
}
