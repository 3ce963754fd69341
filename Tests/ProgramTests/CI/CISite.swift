import Basics
import Foundation
import TestSupport
import Testing
import XStub

/// A site in its own repository with the workflows that `threadsite init --ci` writes. The workflows run on
/// this machine, and X is the stub.
final class CISite: Sendable {
  let fetching: FetchingSite
  let forge: String

  var folder: TemporaryFolder { fetching.site.folder }
  /// The URL of a post in the middle of the stub's thread.
  var address: String { fetching.sample.world.url(of: fetching.sample.posts[20]) }

  /// The store's file of the thread, named by the first post's number.
  var file: String { "threads/x/mira_stub/\(fetching.sample.root).json" }

  init(_ forge: String) async throws {
    self.forge = forge
    fetching = try await FetchingSite()
    let outcome = try await fetching.run("init", "work", "--ci", forge, "--title", "Threads of mine")
    #expect(outcome.code == 0, "\(outcome.errors)")
    try folder.write(
      try folder.text("work/site.yml")
        + "\nbase_url: https://ada.example/threads/\nx: { api_url: \"\(fetching.stub.baseURL)\" }\n",
      to: "work/site.yml")
    for name in ["bin", "temp", "home", "calls"] { try folder.write("", to: "\(name)/.keep") }
    let program = try #require(Program.executable)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/bin/threadsite", withDestinationPath: program.path)
    try git("init", "--quiet", "--bare", "--initial-branch", "main", "../ada/threads.git")
    try git("init", "--quiet", "--initial-branch", "main")
    try git("add", "--all")
    try git("commit", "--quiet", "--message", "A site")
    try git("push", "--quiet", bare, "main")
  }

  /// The repository at the forge.
  var bare: String { folder.path + "/ada/threads.git" }

  @discardableResult
  func git(_ words: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git"] + words
    process.currentDirectoryURL = URL(filePath: folder.path + "/work", directoryHint: .isDirectory)
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder.path,
      "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada",
      "GIT_COMMITTER_EMAIL": "ada@example.org",
    ]
    let output = ProcessLauncher.makePipe()
    process.standardOutput = output
    try ProcessLauncher.start(process)
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "git \(words)")
    return text
  }

  /// The files of a branch at the forge.
  func files(of branch: String) throws -> Set<String> {
    Set(
      try git("--git-dir", bare, "ls-tree", "-r", "-z", "--name-only", branch).split(separator: "\0").map(
        String.init))
  }

  func commits(of branch: String = "main") throws -> [String] {
    try git("--git-dir", bare, "log", "--format=%s", branch).split(separator: "\n").map(String.init)
  }

  /// Checks that hostile text did not run: none of the files that it would create exist.
  func expectNothingRan() throws {
    let made = try folder.tree("").keys.filter { $0.split(separator: "/").last?.hasPrefix("pwned") == true }
    #expect(made.isEmpty, "\(made)")
  }

  /// Removes a folder's content before a run.
  func clear(_ name: String) throws {
    if folder.exists(name) { try folder.remove(name) }
    try FileManager.default.createDirectory(
      atPath: folder.path + "/" + name, withIntermediateDirectories: true)
  }

  /// Runs the workflow as the forge does for an event.
  ///
  /// - Parameter github: additional members of the context `github`.
  func run(_ github: [String: JSONValue], inputs: [String: JSONValue] = [:], token: String? = nil)
    async throws
    -> [String: WorkflowRunner.Job]
  {
    let server = forge == "github" ? "https://github.com" : folder.path
    let event: JSONValue = .object(
      [
        "server_url": .string(server), "repository": "ada/threads", "repository_owner": "ada",
        "run_id": "4711", "token": "a-token-of-the-run",
      ].merging(github) { $1 })
    let token = JSONValue.string(token ?? fetching.stub.behaviour.bearerToken)
    let context = JSONWriter.text(
      of: .object([
        "github": event, "inputs": .object(inputs), "secrets": ["X_BEARER_TOKEN": token],
        "vars": ["THREADSITE_TRUSTED": "[\"grace\"]"],
      ])
    ).string
    try clear("work")
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try self.run(context) }) }
    }
  }

  private func run(_ context: String) throws -> [String: WorkflowRunner.Job] {
    let file = forge == "github" ? ".github/workflows/threadsite.yml" : ".forgejo/workflows/threadsite.yml"
    try folder.write(try git("--git-dir", bare, "show", "main:" + file), to: "written.yml")
    defer { try? folder.remove("written.yml") }
    let object = try JSONSerialization.jsonObject(with: Data(context.utf8))
    let runner = try WorkflowRunner(
      folder.path + "/written.yml", in: folder, context: try #require(object as? [String: Any]),
      environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    runner.actions["actions/checkout"] = { runner, with in
      #expect(with["ref"] == "main", "a run that waited does not use an old commit")
      let clone = try runner.bash("git clone --quiet --depth 1 --branch main 'file://\(self.bare)' .")
      #expect(clone.code == 0, "\(clone.log)")
      return [:]
    }
    runner.actions["actions/upload-pages-artifact"] = { runner, with in
      #expect(with == ["path": "site", "include-hidden-files": "true"])
      #expect(runner.folder.exists("work/site/index.html"))
      return [:]
    }
    runner.actions["actions/deploy-pages"] = { _, _ in ["page_url": "https://ada.example/threads/"] }
    try runner.stub("gh", readsInput: true)
    try runner.stub("curl", readsInput: true, then: "echo '{}'")
    try runner.stub("apt-get")
    runner.skipped = ["Install threadsite"]
    try runner.run(forge == "github" ? ["build", "deploy", "answer"] : ["site"])
    return runner.jobs
  }
}
