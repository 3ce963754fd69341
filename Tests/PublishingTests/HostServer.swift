import Foundation
import HTTPTransport
import TestSupport
import Testing

/// A Python server that replaces a host whose own program is not available. A folder shows the files that it
/// serves.
final class HostServer: Sendable {
  let port: Int
  let folder: String
  let transport = CurlTransport(userAgent: "tests")
  private let site: PublishingSite
  private let server: PeerServer

  /// - Parameter python: the path of Python; `nil` for the system's.
  init(_ script: String, for site: PublishingSite, python: String? = nil) throws {
    self.site = site
    folder = site.top.path + "/host"
    try FileManager.default.createDirectory(atPath: folder + "/now", withIntermediateDirectories: true)
    port = try PeerPrograms.freePort()
    let scripts = ProjectFolders.repository.appending(path: "Tests/PublishingTests/Fixtures").path
    server = try PeerServer(
      try #require(python ?? PeerPrograms.path("python3")), [scripts + "/" + script, "\(port)", folder],
      in: site.top.path)
    try PeerPrograms.wait(for: port)
  }

  func content() throws -> [String: Data] { try site.top.tree("host/now") }

  func fail(_ faults: String) throws { try site.top.write(faults, to: "host/faults") }

  /// The requests since the last call.
  func log() throws -> [String] {
    guard site.top.exists("host/log") else { return [] }
    let lines = try site.top.text("host/log").split(separator: "\n").map(String.init)
    try site.top.remove("host/log")
    return lines
  }
}
