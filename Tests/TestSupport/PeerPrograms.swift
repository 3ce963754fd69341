import Foundation

/// Independent programs that tests communicate with.
package enum PeerPrograms {
  /// The path of a program; `nil` if it is not installed.
  package static func path(_ name: String) -> String? {
    let peers = ProjectFolders.repository.appending(path: ".build/publishing-peers/bin").path
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/sbin", peers]).map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  package static func has(_ name: String) -> Bool { path(name) != nil }

  /// A port without a listener that the system does not assign to a connection in the meantime.
  package static func freePort() throws -> Int {
    for _ in 0..<100 {
      let port = Int.random(in: 20_000..<30_000)
      if apply(bind, toPort: port) { return port }
    }
    throw CancellationError()
  }

  /// Waits until a server listens on a port.
  package static func wait(for port: Int, seconds: Int = 300) throws {
    for _ in 0..<seconds * 10 {
      if apply(connect, toPort: port) { return }
      usleep(100_000)
    }
    throw Silence(port: port)
  }

  /// Calls `bind` or `connect` with a new socket and a port of 127.0.0.1; returns whether the call succeeds.
  private static func apply(
    _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, toPort port: Int
  ) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// No program listens on a port in time.
  struct Silence: Error { let port: Int }
}
