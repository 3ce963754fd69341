import Basics
import Foundation
import Publishing
import SiteConfig
import SiteOutput
import TestSupport
import Testing

/// rsync over this machine's ssh to a server that the tests start.
@Suite(
  "rsync over ssh",
  .enabled(if: PeerPrograms.has("rsync") && PeerPrograms.has("sshd"), "needs rsync and openssh-server"))
struct RsyncTargetTests {
  private let site: PublishingSite
  private let server: SSHServer

  init() throws {
    site = try PublishingSite()
    server = try SSHServer(in: site.top.path)
    try FileManager.default.createDirectory(atPath: site.top.path + "/www", withIntermediateDirectories: true)
  }

  private func target(_ path: String = "www", keep: [String] = [], environment: [String: String] = [:])
    -> RsyncTarget
  {
    var options = SiteConfig.Publish.Rsync(to: "\(server.user)@127.0.0.1:\(site.top.path)/\(path)/")
    options.keep = keep
    return RsyncTarget(
      options, siteFolder: site.top.path,
      environment: server.environment.merging(environment) { _, new in new })
  }

  @Test func publishesTheSite() async throws {
    let first = try await site.publish(to: target())
    #expect(first?.added.map(\.path.text).sorted() == PublishingSite.files.keys.sorted())
    #expect(try site.top.tree("www") == site.content())
    #expect(try await site.publish(to: target())?.isEmpty == true)
    try site.change()
    let before = try site.top.tree("www")
    PublishingSite.expectChange(try await target().compare(site.published).difference)
    #expect(try site.top.tree("www") == before)
    PublishingSite.expectChange(try await site.publish(to: target()))
    #expect(try site.top.tree("www") == site.content())
  }

  /// A build on another machine gives all files new times.
  @Test func differentTimesAreNotAChange() async throws {
    try await site.publish(to: target())
    for path in try site.content().keys {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
        ofItemAtPath: site.top.path + "/site/" + path)
    }
    #expect(try await target().compare(site.published).difference?.isEmpty == true)
  }

  @Test func keepsTheConfiguredFiles() async throws {
    try site.top.write("theirs", to: "www/stats/today.html")
    try site.top.write("old", to: "www/old.html")
    let difference = try await site.publish(to: target(keep: ["/stats/**"]))
    #expect(difference?.removed.map(\.text) == ["old.html"])
    #expect(try site.top.text("www/stats/today.html") == "theirs")
    #expect(!site.top.exists("www/old.html"))
  }

  /// The same files are published as by every other target. Files that should never have been published are
  /// deleted.
  @Test func publishesNoHiddenFiles() async throws {
    let secrets = [
      ".env", ".git/config", ".ssh/id_ed25519", "x/.env", "x/.well-known/key", ".well-known/.env",
      ".well-known/.git/config", ".htaccess.d/key", "x/.htaccess/key", ".nojekyll.old", ".domains/key",
    ]
    let published = [".htaccess", "x/htaccess-notes.html", ".well-known/acme/x"]
    for path in secrets { try site.top.write("secret", to: "site/" + path) }
    for path in published { try site.top.write("public", to: "site/" + path) }
    for path in secrets { try site.top.write("published before", to: "www/" + path) }
    let difference = try await site.publish(to: target())
    #expect(Set(difference?.removed.map(\.text) ?? []) == Set(secrets))
    let expected = try site.content().filter { !secrets.contains($0.key) }
    #expect(try site.top.tree("www") == expected)
    #expect(expected.keys.contains(".well-known/acme/x") && expected.keys.contains(".htaccess"))
  }

  /// A name is never an option of rsync, a filter, or a list of files.
  @Test func namesAreOnlyNames() async throws {
    for name in [
      "--delete", "- *", "-e sh", "a\nb.html", "*.html", "@list", "!", "# x", "C:/x", "x:y", "~/x", " ",
    ] {
      try site.top.write(name, to: "site/names/" + name)
      try site.top.write(name, to: "site/" + name)
    }
    try await site.publish(to: target())
    #expect(try site.top.tree("www") == site.content())
    try site.top.remove("site/names/*.html")
    try site.top.write("kept", to: "site/names/b.html")
    try await site.publish(to: target())
    #expect(try site.top.tree("www") == site.content())
  }

  /// A link at the destination is replaced: nothing outside the destination's folder is written or deleted.
  @Test func doesNotFollowLinksAtTheDestination() async throws {
    try site.top.write("theirs", to: "outside/kept.txt")
    try site.top.write("theirs", to: "outside.html")
    try await site.publish(to: target())
    try site.top.remove("www/x/@ada")
    try FileManager.default.createSymbolicLink(
      atPath: site.top.path + "/www/x/@ada", withDestinationPath: site.top.path + "/outside")
    try site.top.remove("www/index.html")
    try FileManager.default.createSymbolicLink(
      atPath: site.top.path + "/www/index.html", withDestinationPath: site.top.path + "/outside.html")
    try await site.publish(to: target())
    #expect(try site.top.tree("www") == site.content())
    #expect(try site.top.tree("outside") == ["kept.txt": Data("theirs".utf8)])
    #expect(try site.top.text("outside.html") == "theirs")
  }

  @Test func reportsErrors() async throws {
    let closed = await #expect(throws: PublishError.self) {
      try await site.publish(
        to: target(environment: ["RSYNC_RSH": server.command.replacing(server.key, with: "/nowhere")]))
    }
    #expect(closed?.kind == .access, "\(closed?.description ?? "")")
    let missing = await #expect(throws: PublishError.self) { try await site.publish(to: target("none/none")) }
    #expect(missing?.kind == .configuration, "\(missing?.description ?? "")")
    let port = server.command.replacing("-p \(server.port)", with: "-p 1")
    let nobody = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(environment: ["RSYNC_RSH": port]))
    }
    #expect(nobody?.kind == .network, "\(nobody?.description ?? "")")
  }
}

/// sshd with its own keys.
final class SSHServer: Sendable {
  let user = NSUserName()
  let key: String
  let port: Int
  private let server: PeerServer

  init(in folder: String) throws {
    key = folder + "/user-key"
    port = try PeerPrograms.freePort()
    for name in ["host-key", "user-key"] {
      try shell("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(folder)/\(name)", in: folder)
    }
    try shell("cp", "user-key.pub", "authorized", in: folder)
    // As root, sshd needs a directory for its privilege separation, which its package creates when the
    // machine starts.
    if getuid() == 0 {
      try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
    }
    let settings = """
      ListenAddress 127.0.0.1:\(port)
      HostKey \(folder)/host-key
      AuthorizedKeysFile \(folder)/authorized
      PidFile none
      StrictModes no
      UsePAM no
      PasswordAuthentication no
      PermitRootLogin prohibit-password
      """
    try Data((settings + "\n").utf8).write(to: URL(filePath: folder + "/sshd_config"))
    let program = try #require(PeerPrograms.path("sshd"))
    server = try PeerServer(program, ["-D", "-f", folder + "/sshd_config"], in: folder)
    try PeerPrograms.wait(for: port)
  }

  var command: String {
    "ssh -p \(port) -i \(key) -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
      + " -o LogLevel=ERROR"
  }

  var environment: [String: String] {
    [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": NSTemporaryDirectory(),
      "RSYNC_RSH": command,
    ]
  }
}
