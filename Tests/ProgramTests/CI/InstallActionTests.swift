import Basics
import Foundation
import TestSupport
import Testing

/// Runs the script of `action.yml`, which installs the program in workflows, with stubs for the programs that
/// use the network.
@Suite struct InstallActionTests {
  private let folder: TemporaryFolder
  private let script: String
  private let package = "threadsite-0.1.0-linux-x86_64.tar.gz"

  init() throws {
    folder = try TemporaryFolder()
    for name in ["work", "temp", "home", "calls", "bin"] { try folder.write("", to: "\(name)/.keep") }
    let file = ProjectFolders.repository.appending(path: "action.yml").path
    let action = try #require(try WorkflowRunner.yaml(String(contentsOfFile: file, encoding: .utf8)))
    let runs = try #require(action["runs"] as? [String: Any])
    let steps = try #require(runs["steps"] as? [[String: Any]])
    script = try #require(steps.first?["run"] as? String)
    #expect(steps.count == 1 && !script.contains("${{"), "inputs come only from the environment")
    for (name, then) in [
      ("tar", ""), ("uname", "[ \"$1\" = -m ] && echo x86_64 || echo Linux"), ("make", ""),
    ] {
      try WorkflowRunner.stub(name, in: folder, readsInput: false, then: then)
    }
  }

  /// Lets the `curl` stub find these files by the last component of their URLs.
  private func publish(_ files: [String: String]) throws {
    for (name, text) in files { try folder.write(text, to: "published/\(name)") }
    try WorkflowRunner.stub(
      "curl", in: folder, readsInput: false,
      then: """
        for word; do case "$word" in https://*) cp "\(folder.path)/published/${word##*/}" . || exit 22;; esac; done
        """)
  }

  private func install(_ environment: [String: String]) throws -> (code: Int32, log: String) {
    for name in ["tar", "make", "curl"] where folder.exists("calls/\(name)") {
      try folder.write("", to: "calls/\(name)")
    }
    let runner = try WorkflowRunner(
      ProjectFolders.repository.appending(path: "templates/ci/github/workflow.yml").path, in: folder,
      context: [:], environment: ["CHECKOUT": ProjectFolders.repository.path])
    let outcome = try runner.bash(
      script, ["VERSION": "", "SHA256": "", "REPOSITORY": ""].merging(environment) { $1 })
    return (outcome.code, outcome.log)
  }

  /// Computed by another program.
  private func digest(of text: String) throws -> String {
    try folder.write(text, to: "digested")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", "import hashlib,sys;print(hashlib.sha256(open(sys.argv[1],'rb').read()).hexdigest())",
      folder.path + "/digested",
    ]
    let output = ProcessLauncher.makePipe()
    process.standardOutput = output
    try ProcessLauncher.start(process)
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func installsAReleaseThatMatchesTheChecksum() throws {
    let sum = try digest(of: "a package")
    try publish([package: "a package", "SHA256SUMS": "\(sum)  \(package)\n"])
    for environment in [[:], ["VERSION": "0.1.0"], ["VERSION": "0.1.0", "SHA256": sum]] {
      let outcome = try install(environment)
      #expect(outcome.code == 0, "\(outcome.log)")
      #expect(
        try folder.text("calls/tar")
          .contains("[-xzf][\(package)][--strip-components=1][-C][\(folder.path)/home/.local]"))
      #expect(try folder.text("temp/path") == "\(folder.path)/home/.local/bin\n")
      try folder.write("", to: "temp/path")
      #expect(try folder.text("calls/make").isEmpty)
    }
    #expect(try folder.text("calls/curl").contains("/releases/download/v0.1.0/\(package)]"))
  }

  @Test func rejectsAnotherPackage() throws {
    let sum = try digest(of: "a package")
    try publish([package: "another package", "SHA256SUMS": "\(sum)  \(package)\n"])
    for environment in [[:], ["VERSION": "0.1.0", "SHA256": sum]] {
      #expect(try install(environment).code != 0)
      #expect(try folder.text("calls/tar").isEmpty && folder.text("calls/make").isEmpty)
    }
    // A list without the package's name does not verify it.
    try publish(["SHA256SUMS": "\(sum)  other.deb\n"])
    #expect(try install([:]).code != 0)
    #expect(try folder.text("calls/tar").isEmpty && folder.text("calls/make").isEmpty)
  }

  @Test func buildsFromSourceWithoutARelease() throws {
    try publish([:])
    let outcome = try install([:])
    #expect(outcome.code == 0, "\(outcome.log)")
    #expect(try folder.text("calls/make").contains("[install][PREFIX=\(folder.path)/home/.local]"))
    #expect(try folder.text("temp/path") == "\(folder.path)/home/.local/bin\n")
    #expect(try install(["VERSION": "source"]).code == 0)
    #expect(try folder.text("calls/curl").isEmpty)
    // With a given digest, nothing else is installed.
    #expect(try install(["SHA256": String(repeating: "0", count: 64)]).code != 0)
    #expect(try folder.text("calls/make").isEmpty)
  }

  /// The source of the action is that of one version.
  @Test(arguments: ["Linux", "Darwin"]) func rejectsAnotherVersionWithoutARelease(_ system: String) throws {
    try publish([:])
    try WorkflowRunner.stub(
      "uname", in: folder, readsInput: false, then: "[ \"$1\" = -m ] && echo x86_64 || echo \(system)")
    let outcome = try install(["VERSION": "9.9.9"])
    #expect(outcome.code == 1)
    #expect(outcome.log.contains("there is no threadsite 9.9.9 for this machine"), "\(outcome.log)")
    #expect(try folder.text("calls/make").isEmpty && folder.text("temp/path").isEmpty)
    // With a given digest, the action's own version is not built from source either.
    #expect(try install(["SHA256": String(repeating: "0", count: 64)]).code == 1)
    #expect(try folder.text("calls/make").isEmpty)
  }

  @Test(arguments: ["$(touch pwned)", "1.0.0; touch pwned", "../../0.1.0", "0.1.0\n0.2.0", "v0.1.0"])
  func versionsAreNumbers(_ version: String) throws {
    try publish([:])
    #expect(try install(["VERSION": version]).code == 64)
    #expect(try install(["SHA256": version]).code == 64)
    #expect(!folder.exists("work/pwned") && !folder.exists("temp/pwned"))
  }
}
