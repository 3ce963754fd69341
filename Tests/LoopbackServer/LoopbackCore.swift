import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The shared state of the threads of a `LoopbackServer`, which exists until the last thread has ended.
final class LoopbackCore: Sendable {
  struct State {
    var answers: [String: LoopbackAnswer] = [:]
    var otherwise = LoopbackAnswer.answer(status: 404)
    var onConnection: (@Sendable (LoopbackConnection) throws -> Void)?
    var requests: [LoopbackRequest] = []
    var accepted = 0
    var open: [Int: LoopbackConnection] = [:]
    var answering = 0
    var greatestConcurrency = 0
    var isStopped = false
    var isListening = true
  }

  let state = Mutex(State())

  /// Opens the port and starts to accept connections.
  func listen(port: UInt16) throws -> (port: Int, descriptor: Int32) {
    #if canImport(Darwin)
      let type = SOCK_STREAM
    #else
      let type = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_INET, type, 0)
    guard listener >= 0 else { throw LoopbackError("socket") }
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        bind(listener, general, length) == 0 && Self.startListening(listener)
          && getsockname(listener, general, &length) == 0
      }
    }
    guard isBound else {
      defer { close(listener) }
      throw LoopbackError("bind")
    }
    Thread.detachNewThread { [self] in accept(listener) }
    return (Int(UInt16(bigEndian: address.sin_port)), listener)
  }

  func stop() {
    let connections = state.withLock { state in
      state.isStopped = true
      return Array(state.open.values)
    }
    for connection in connections { connection.shutDown() }
  }

  private static func startListening(_ listener: Int32) -> Bool {
    #if canImport(Darwin)
      Darwin.listen(listener, 512) == 0
    #else
      Glibc.listen(listener, 512) == 0
    #endif
  }

  private func accept(_ listener: Int32) {
    defer {
      close(listener)
      state.withLock { $0.isListening = false }
    }
    while !state.withLock({ $0.isStopped }) {
      var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 50) > 0 else { continue }
      #if canImport(Darwin)
        let descriptor = Darwin.accept(listener, nil, nil)
      #else
        let descriptor = Glibc.accept(listener, nil, nil)
      #endif
      guard descriptor >= 0 else { continue }
      serve(descriptor)
    }
  }

  private func serve(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let connection = state.withLock { state -> LoopbackConnection? in
      // It may have been accepted while `stop` closed the others.
      guard !state.isStopped else { return nil }
      state.accepted += 1
      let connection = LoopbackConnection(descriptor, number: state.accepted)
      state.open[state.accepted] = connection
      return connection
    }
    guard let connection else {
      close(descriptor)
      return
    }
    Thread.detachNewThread { [self] in
      // A broken connection ends; the error needs no handling.
      try? serve(connection)
      connection.finish()
      state.withLock { $0.open[connection.number] = nil }
    }
  }

  private func serve(_ connection: LoopbackConnection) throws {
    if let body = state.withLock({ $0.onConnection }) { return try body(connection) }
    while let request = try connection.readRequest() {
      let answer = state.withLock { state in
        state.requests.append(request)
        state.answering += 1
        state.greatestConcurrency = max(state.greatestConcurrency, state.answering)
        return state.answers[request.path] ?? state.otherwise
      }
      defer { state.withLock { $0.answering -= 1 } }
      try answer.write(request, connection)
      if connection.isClosed || request["Connection"]?.lowercased() == "close" { return }
    }
  }
}
