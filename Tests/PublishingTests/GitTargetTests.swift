import Foundation
import HTTPTransport
import LoopbackServer
import Publishing
import SiteConfig
import SiteOutput
import TestSupport
import Testing

/// Bare repositories on this machine, inspected with git.
@Suite struct GitTargetTests {
  private let site: PublishingSite
  private let remote: String

  init() throws {
    site = try PublishingSite()
    remote = site.top.path + "/remote.git"
    try shell("git", "init", "--quiet", "--bare", remote, in: site.top.path)
  }

  private func target(
    history: Bool = true, remote: String? = nil, branch: String = "gh-pages",
    environment: [String: String] = [:],
    token: Secret? = nil
  ) -> GitTarget {
    var options = SiteConfig.Publish.Git(branch: branch)
    options.remote = remote ?? self.remote
    options.history = history
    let own = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": site.top.path,
      "GIT_CONFIG_NOSYSTEM": "1",
      // As in a hook of another repository.
      "GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere/index",
    ]
    return GitTarget(
      options, siteFolder: site.top.path, environment: own.merging(environment) { _, new in new },
      token: token)
  }

  private func git(_ words: String..., fails: Bool = false) throws -> String {
    try shell(
      "sh", "-c", "git --git-dir=\(remote) \(words.joined(separator: " "))", in: site.top.path, fails: fails
    )
    .trimmingCharacters(in: .newlines)
  }

  /// Publishes, and runs a closure between comparing and pushing.
  ///
  /// - Returns: the error.
  private func publish(_ meanwhile: () throws -> Void) async throws -> PublishError? {
    let work = try await target().compare(site.published)
    try meanwhile()
    guard case .failure(let error) = await work.carryOut() else { return nil }
    return error
  }

  /// The files of a clone.
  private func clone() throws -> [String: Data] {
    let name = "clone-\(UUID().uuidString)"
    try shell("git", "clone", "--quiet", "--branch=gh-pages", remote, name, in: site.top.path)
    try FileManager.default.removeItem(atPath: site.top.path + "/\(name)/.git")
    return try site.top.tree(name)
  }

  @Test func publishesTheSiteToTheBranch() async throws {
    let first = try await site.publish(to: target())
    #expect(first?.added.count == PublishingSite.files.count)
    #expect(try clone() == site.content())
    #expect(try await site.publish(to: target())?.isEmpty == true)
    #expect(try git("rev-list --count gh-pages") == "1")
    try site.change()
    PublishingSite.expectChange(try await site.publish(to: target()))
    #expect(try clone() == site.content())
    #expect(try git("rev-list --count gh-pages") == "2")
    #expect(try git("log -1 --format=%s gh-pages") == "Publish the site")
    #expect(try git("fsck --strict", fails: true).contains("error") == false)
  }

  @Test func comparingPushesNothing() async throws {
    let difference = try await target().compare(site.published).difference
    #expect(difference?.added.count == PublishingSite.files.count)
    #expect(try git("for-each-ref").isEmpty)
  }

  @Test func withoutHistoryTheBranchHasOneCommit() async throws {
    try await site.publish(to: target(history: false))
    try site.change()
    try await site.publish(to: target(history: false))
    #expect(try git("rev-list --count gh-pages") == "1")
    #expect(try clone() == site.content())
  }

  /// Texts that were removed from the site are not in this machine's repository, whether the branch has a history or not.
  @Test(arguments: [true, false]) func keepsNoFormerFiles(history: Bool) async throws {
    try await site.publish(to: target(history: history))
    for word in ["quixotic", "zeppelin", "balloon"] {
      try site.top.write("<!doctype html><title>\(word)</title>", to: "site/index.html")
      try await site.publish(to: target(history: history))
      let objects = try shell(
        "sh", "-c",
        "git --git-dir=.threadsite/publish/git cat-file --batch-all-objects --batch | LC_ALL=C tr -d '\\000'",
        in: site.top.path)
      #expect(objects.contains(word))
      #expect(!objects.contains("<title>All") && (word == "quixotic" || !objects.contains("quixotic")))
    }
    #expect(try git("rev-list --count gh-pages") == (history ? "4" : "1"))
    #expect(try git("fsck --strict", fails: true).contains("error") == false)
    #expect(try clone() == site.content())
  }

  /// Another machine without this machine's records.
  @Test func freshMachineContinuesFromTheBranch() async throws {
    try await site.publish(to: target())
    try site.top.remove(".threadsite")
    try site.change()
    PublishingSite.expectChange(try await site.publish(to: target()))
    #expect(try git("rev-list --count gh-pages") == "2")
    #expect(try clone() == site.content())
  }

  @Test func leavesTheOwnersRepositoryUntouched() async throws {
    let top = site.top.path
    try site.top.write("title: Kept\n", to: "site.yml")
    try site.top.write("/site\n/.threadsite\n/remote.git\n/clone-*\n", to: ".gitignore")
    try shell("git", "init", "--quiet", "--initial-branch=main", in: top)
    try shell("git", "remote", "add", "origin", remote, in: top)
    try shell("git", "add", "site.yml", in: top)
    try shell("git", "commit", "--quiet", "--message=One", in: top)
    try site.top.write("title: Staged\n", to: "site.yml")
    try shell("git", "add", "site.yml", in: top)
    try site.top.write("title: Changed\n", to: "site.yml")
    func state() throws -> [String] {
      [
        try shell("git", "status", "--porcelain", in: top), try shell("git", "for-each-ref", in: top),
        try shell("git", "count-objects", "-v", in: top), try shell("git", "diff", "--cached", in: top),
      ]
    }
    let before = try state()
    try await site.publish(to: target(remote: "origin"))
    #expect(try state() == before)
    #expect(try clone() == site.content())
    // Its branch is rejected as a target, by its name and by its content.
    let named = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(remote: "origin", branch: "main"))
    }
    #expect(named?.kind == .configuration)
    try shell("git", "push", "--quiet", "origin", "main:sources", in: top)
    let held = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(branch: "sources"))
    }
    #expect(held?.kind == .configuration)
    #expect(try git("rev-list --count sources") == "1")
  }

  @Test func doesNotOverwriteABranchThatMoved() async throws {
    try await site.publish(to: target())
    try site.change()
    let other = try git("commit-tree -p gh-pages -m Other 'gh-pages^{tree}'")
    let error = try await publish { _ = try git("update-ref refs/heads/gh-pages \(other)") }
    #expect(error?.kind == .conflict)
    #expect(error?.description.contains("changed while") == true)
    #expect(try git("rev-parse gh-pages") == other)
    // The next run starts from there.
    try await site.publish(to: target())
    #expect(try git("rev-list --count gh-pages") == "3")
    #expect(try git("rev-parse gh-pages^") == other)
    #expect(try clone() == site.content())
  }

  /// A branch that someone else creates in between is not overwritten.
  @Test func doesNotOverwriteABranchThatAppeared() async throws {
    let tree = try git("hash-object -t tree -w /dev/null")
    let other = try git("commit-tree -m Other \(tree)")
    let error = try await publish { _ = try git("update-ref refs/heads/gh-pages \(other)") }
    #expect(error?.kind == .conflict)
    #expect(try git("rev-parse gh-pages") == other)
  }

  @Test func reportsTheOutputOfAHook() async throws {
    try site.top.write(
      "#!/bin/sh\necho 'Pages are frozen until Monday.' >&2\nexit 1\n", to: "remote.git/hooks/pre-receive")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: remote + "/hooks/pre-receive")
    let error = await #expect(throws: PublishError.self) { try await site.publish(to: target()) }
    #expect(error?.kind == .access)
    #expect(error?.description.contains("Pages are frozen until Monday.") == true)
  }

  @Test func keepsACustomDomain() async throws {
    try await site.publish(to: target())
    let blob = try shell(
      "sh", "-c", "printf ada.example | git --git-dir=\(remote) hash-object -w --stdin", in: site.top.path)
    let tree = try git(
      "ls-tree gh-pages > \(site.top.path)/tree; printf '100644 blob %s\\tCNAME\\n' \(blob.prefix(40)) >> \(site.top.path)/tree; git --git-dir=\(remote) mktree < \(site.top.path)/tree"
    )
    let commit = try git("commit-tree -p gh-pages -m Domain \(tree)")
    _ = try git("update-ref refs/heads/gh-pages \(commit)")
    #expect(try await target().compare(site.published).difference?.isEmpty == true)
    try site.change()
    PublishingSite.expectChange(try await site.publish(to: target()))
    #expect(try git("show gh-pages:CNAME") == "ada.example")
    // The site's own file has priority.
    try site.top.write("other.example\n", to: "site/CNAME")
    try await site.publish(to: target())
    #expect(try git("show gh-pages:CNAME") == "other.example")
  }

  @Test func replacesForeignContentAsAWhole() async throws {
    let link = try shell(
      "sh", "-c", "printf /etc/passwd | git --git-dir=\(remote) hash-object -w --stdin", in: site.top.path
    ).prefix(40)
    let tree =
      try git(
        "mktree < /dev/null; printf '120000 blob %s\\tindex.html\\n' \(link) | git --git-dir=\(remote) mktree"
      ).split(separator: "\n").last.map(String.init) ?? ""
    let commit = try git("commit-tree -m Links \(tree)")
    _ = try git("update-ref refs/heads/gh-pages \(commit)")
    let difference = try await site.publish(to: target())
    #expect(difference?.changed.map(\.path.text) == ["index.html"])
    #expect(try git("ls-tree gh-pages index.html").hasPrefix("100644 blob"))
    #expect(try clone() == site.content())
  }

  // MARK: Credentials

  /// Answers like a git server with version 2 of the protocol, so git continues with a POST.
  private func advertise(on server: LoopbackServer) {
    func line(_ text: String) -> String { String(format: "%04x", text.utf8.count + 4) + text }
    server.on(
      "/ada/site.git/info/refs",
      .answer(
        headers: [("Content-Type", "application/x-git-upload-pack-advertisement")],
        body: Array(
          (line("# service=git-upload-pack\n") + "0000" + line("version 2\n") + line("ls-refs\n")
            + line("object-format=sha1\n") + "0000").utf8)))
  }

  @Test func sendsNoTokenToTheTargetOfARedirect() async throws {
    let (remote, other) = (try LoopbackServer(), try LoopbackServer())
    advertise(on: other)
    remote.on(
      "/ada/site.git/info/refs",
      .redirect(to: other.url("/ada/site.git/info/refs?service=git-upload-pack"), status: 301))
    let url = remote.url("/ada/site.git")
    let error = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(remote: url, token: Secret("a-token-for-one-host")))
    }
    #expect(error?.kind == .configuration)
    #expect(error?.description.contains("redirects to another URL") == true)
    #expect(!remote.requests.isEmpty && other.requests.isEmpty)
    // A header that a CI system stored for the host is also a credential.
    try site.top.write(
      "[http \"\(remote.url())\"]\n  extraheader = Authorization: Basic eDp5\n", to: ".gitconfig")
    await #expect(throws: PublishError.self) { try await site.publish(to: target(remote: url)) }
    #expect(remote.requests.contains { $0["Authorization"] == "Basic eDp5" } && other.requests.isEmpty)
  }

  @Test func sendsNoCredentialsOverPlainHTTP() async throws {
    let token = Secret("a-token-for-https-alone")
    for url in [
      "http://git.example/ada/site.git", "http://127.evil.example/site.git", "ssh://localhost/site.git",
    ] {
      let error = await #expect(throws: PublishError.self) {
        try await site.publish(to: target(remote: url, token: token))
      }
      #expect(error?.kind == .configuration)
      #expect(error?.description.contains("sent only to https:// URLs") == true)
    }
    try shell("git", "init", "--quiet", in: site.top.path)
    try shell(
      "git", "remote", "add", "origin", "http://ada:a-password@git.example/site.git", in: site.top.path)
    let error = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(remote: "origin"))
    }
    #expect(error?.kind == .configuration)
    #expect(error?.description.contains("http://git.example/site.git") == true)
    #expect(error?.description.contains("a-password") == false)
  }

  /// A password in the URL of a named remote, and a password that a setting adds to a URL.
  @Test(arguments: [true, false])
  func keepsPasswordsOffCommandLinesAndOutOfMessages(isNamed: Bool) async throws {
    let password = "pass%2Fword/\(UUID().uuidString)"
    let encoded = password.replacing("%", with: "%25").replacing("/", with: "%2F")
    let server = try LoopbackServer()
    server.otherwise(
      LoopbackAnswer { request, connection in
        let sent = request["Authorization"] ?? ""
        let text =
          "no: \(sent) \(sent.replacing("=", with: "%3D")) \(encoded.replacing("%2F", with: "%2f")) \(encoded) \(password)"
        try connection.answer(
          status: sent.isEmpty ? 401 : 403,
          headers: [("Content-Type", "text/plain"), ("WWW-Authenticate", "Basic realm=\"git\"")],
          body: Array(text.utf8))
      })
    let url = server.url("/ada/site.git")
    let withPassword = url.replacing("http://", with: "http://ci:\(encoded)@")
    if isNamed {
      try shell("git", "init", "--quiet", in: site.top.path)
      try shell("git", "remote", "add", "origin", withPassword, in: site.top.path)
    } else {
      try site.top.write(
        "[url \"\(withPassword)\"]\n  insteadOf = https://forge.example/site.git\n", to: ".gitconfig")
    }
    let trace = site.top.path + "/trace"
    let error = await #expect(throws: PublishError.self) {
      try await site.publish(
        to: target(
          remote: isNamed ? "origin" : "https://forge.example/site.git", environment: ["GIT_TRACE": trace]))
    }
    let word = Data("ci:\(password)".utf8).base64EncodedString()
    #expect(server.requests.contains { $0["Authorization"] == "Basic \(word)" })
    // git logs the programs that it runs, with their arguments.
    let commands = try site.top.text("trace")
    #expect(commands.contains("remote-http"))
    let message = try #require(error?.description)
    #expect(message.contains("(redacted)") && message.contains(url))
    for text in [commands, message] {
      for form in [password, encoded, encoded.replacing("%2F", with: "%2f"), word, String(word.dropLast(4))] {
        #expect(!text.contains(form), "\(text)")
      }
    }
  }

  @Test func usesAuthorFromTheEnvironment() async throws {
    try await site.publish(
      to: target(environment: ["GIT_COMMITTER_NAME": "Ada <\n", "GIT_COMMITTER_EMAIL": "ada@example.org"]))
    #expect(
      try git("log -1 --format='%an|%ae|%cn' gh-pages") == "Ada |ada@example.org|Ada "
        || git("log -1 --format='%an|%ae' gh-pages") == "Ada|ada@example.org")
  }

  @Test func reportsMissingConfiguration() async throws {
    let none = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(remote: site.top.path + "/none.git"))
    }
    #expect(none?.kind == .configuration)
    let unnamed = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(remote: "upstream"))
    }
    #expect(unnamed?.kind == .configuration)
    #expect(unnamed?.description.contains("upstream") == true)
    let noGit = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(environment: ["PATH": "/nowhere"]))
    }
    #expect(noGit?.description.contains("Install git") == true)
  }

  /// A server that requires credentials: without a token the error lists the ways to give one. The token is
  /// sent to the server and appears nowhere.
  @Test func sendsCredentialsOnRequestWithoutPrintingThem() async throws {
    let server = try LoopbackServer()
    server.otherwise(.answer(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"git\"")]))
    let url = server.url("/ada/site.git")
    let error = await #expect(throws: PublishError.self) { try await site.publish(to: target(remote: url)) }
    #expect(error?.kind == .access)
    #expect(!server.requests.isEmpty && server.requests.allSatisfy { $0["Authorization"] == nil })
    let secret = "tok-\(UUID().uuidString)"
    let refused = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(remote: url, token: Secret(secret)))
    }
    #expect(refused?.kind == .access)
    let word = Data("x-access-token:\(secret)".utf8).base64EncodedString()
    #expect(server.requests.contains { $0["Authorization"] == "Basic \(word)" })
    #expect(refused?.description.contains(secret) == false && refused?.description.contains(word) == false)
  }
}
