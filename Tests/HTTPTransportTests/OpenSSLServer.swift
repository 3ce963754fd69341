import Basics
import Foundation
import TestSupport

/// `openssl s_server` on loopback with its own certificate for `localhost`.
final class OpenSSLServer {
  static let program = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl", "/usr/local/bin/openssl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  static var exists: Bool { program != nil }

  let port: Int
  /// A PEM file.
  let certificate: String
  private let process: Process

  struct Failure: Error {}

  init(_ folder: TemporaryFolder) throws {
    guard let program = Self.program else { throw Failure() }
    certificate = folder.path + "/certificate.pem"
    let key = folder.path + "/key.pem"
    let maker = Process()
    maker.executableURL = URL(filePath: program)
    maker.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
      "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
      certificate,
    ]
    maker.standardInput = FileHandle.nullDevice
    maker.standardError = FileHandle.nullDevice
    try ProcessLauncher.start(maker)
    maker.waitUntilExit()
    guard maker.terminationStatus == 0 else { throw Failure() }

    process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = [
      "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www",
    ]
    let output = ProcessLauncher.makePipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try ProcessLauncher.start(process)
    // It prints "ACCEPT 127.0.0.1:<port>" when it listens.
    var text = ""
    var found: Int?
    while found == nil {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { throw Failure() }
      text += String(decoding: part, as: UTF8.self)
      found = Self.port(in: text)
    }
    port = found ?? 0
  }

  func stop() {
    // Threads of Swift's pool block most signals, and child processes inherit that, so SIGTERM would never
    // arrive.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private static func port(in text: String) -> Int? {
    guard
      let line = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .first(where: { $0.hasPrefix("ACCEPT") }), let colon = line.lastIndex(of: ":")
    else { return nil }
    return Int(line[line.index(after: colon)...])
  }
}
