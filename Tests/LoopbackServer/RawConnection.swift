import Foundation

/// A connection to a server on loopback that sends and receives raw bytes, without a client's view of HTTP.
package final class RawConnection {
  package struct NobodyListens: Error { let port: UInt16 }
  /// The peer accepted only a part of a text.
  package struct IncompleteWrite: Error { let text: String }

  private let descriptor: Int32
  package private(set) var received = ""

  package init(port: UInt16) throws {
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw NobodyListens(port: port) }
  }

  deinit { close(descriptor) }

  package func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count == bytes.count else { throw IncompleteWrite(text: text) }
  }

  /// Sends as much as the peer accepts; the peer may close the connection before the end.
  package func offer(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads until the received text matches, the peer closes, or the time limit ends.
  @discardableResult
  package func read(seconds: Double = 300, until isEnough: (String) -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isEnough(received) {
      guard Date() < end else { return false }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 100) > 0 else { continue }
      let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return isEnough(received) }
      received += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return true
  }

  /// A complete response.
  package static func answer(_ path: String, port: UInt16, headers: String = "Host: localhost\r\n") throws
    -> String
  {
    let connection = try RawConnection(port: port)
    try connection.send("GET \(path) HTTP/1.1\r\n\(headers)Connection: close\r\n\r\n")
    // The peer closes the connection.
    connection.read { _ in false }
    return connection.received
  }
}
