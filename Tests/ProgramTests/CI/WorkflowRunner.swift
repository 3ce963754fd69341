import Basics
import Foundation
import TestSupport
import Testing

/// Runs a workflow's jobs on this machine. Like GitHub, it runs each `run:` with bash in a clone of a bare
/// repository. Scripts replace the programs that use the network (`gh`, `curl`, `apt-get`) and record their
/// arguments.
final class WorkflowRunner {
  typealias Value = WorkflowExpression.Value

  /// The result of a job.
  struct Job {
    var result = "skipped"
    var outputs: [String: String] = [:]
    /// The steps that ran, with their exit codes. A `uses:` step has its action's name and the code 0.
    var steps: [(name: String, code: Int32)] = []
    var log = ""
  }

  let folder: TemporaryFolder
  let workflow: [String: Any]
  var context: [String: Value]
  /// The environment of every step, such as the path of the stubs.
  var environment: [String: String]
  /// The names of steps that are not run.
  var skipped: Set<String> = []
  /// Implementations of `uses:` by the action's name without its version; other actions do nothing.
  var actions: [String: (WorkflowRunner, [String: String]) throws -> [String: String]] = [:]
  private(set) var jobs: [String: Job] = [:]

  /// - Parameter folder: gets the folders `work` (the checkout), `temp` and `bin`.
  init(_ file: String, in folder: TemporaryFolder, context: [String: Any], environment: [String: String])
    throws
  {
    self.folder = folder
    let text = try String(contentsOfFile: file, encoding: .utf8)
    workflow = try #require(try Self.yaml(text))
    self.context = context.mapValues { Value($0) }
    self.environment = environment
    for name in ["inputs", "vars", "secrets", "needs", "steps", "job"] where self.context[name] == nil {
      self.context[name] = .object([:])
    }
  }

  /// The last document of a file.
  static func yaml(_ text: String) throws -> [String: Any]? {
    try documents(text).last ?? nil
  }

  /// Plain scalars are Booleans or strings, as in YAML 1.2. The key `on` is a string.
  static func documents(_ text: String) throws -> [[String: Any]?] {
    let flags = ["true": true, "false": false]
    return try TypedYAML.documents(text) { plain -> Any in
      if let flag = flags[plain] { flag } else { plain }
    }.map { $0 as? [String: Any] }
  }

  /// Runs all jobs in the order of the file, which is also the order of their needs.
  func run(_ names: [String]) throws {
    let all = try #require(workflow["jobs"] as? [String: Any])
    #expect(Set(names) == Set(all.keys))
    for name in names { jobs[name] = try run(try #require(all[name] as? [String: Any])) }
  }

  private func run(_ definition: [String: Any]) throws -> Job {
    var job = Job()
    let needs = (definition["needs"] as? [String]) ?? (definition["needs"] as? String).map { [$0] } ?? []
    var needed: [String: Value] = [:]
    for need in needs {
      let other = try #require(jobs[need])
      needed[need] = .object([
        "result": .text(other.result), "outputs": .object(other.outputs.mapValues { .text($0) }),
      ])
    }
    var context = context
    context["needs"] = .object(needed)
    let isFine = needs.allSatisfy { jobs[$0]?.result == "success" }
    guard try WorkflowExpression(context, hasFailed: !isFine).condition(definition["if"] as? String) else {
      return job
    }
    var outputs: [String: Value] = [:]
    for step in try #require(definition["steps"] as? [[String: Any]]) {
      context["steps"] = .object(outputs)
      let hasFailed = job.steps.contains { $0.code != 0 }
      context["job"] = .object(["status": .text(hasFailed ? "failure" : "success")])
      let expression = WorkflowExpression(context, hasFailed: hasFailed)
      guard try expression.condition(step["if"] as? String) else { continue }
      let name = step["name"] as? String ?? step["uses"] as? String ?? "?"
      if skipped.contains(name) { continue }
      func filled(_ key: String, of mapping: [String: Any]) throws -> [String: String] {
        try (mapping[key] as? [String: Any] ?? [:]).mapValues { try expression.fill("\($0)") }
      }
      var said: [String: String] = [:]
      var code: Int32 = 0
      if let uses = step["uses"] as? String {
        let action = actions[String(uses.prefix { $0 != "@" })]
        said = try action?(self, try filled("with", of: step)) ?? [:]
      } else {
        let script = try #require(step["run"] as? String)
        // Scripts do not depend on the event.
        #expect(!script.contains("${{"), "\(name) has an expression in its script")
        let own = try filled("env", of: definition).merging(try filled("env", of: step)) { $1 }
        let outcome = try bash(script, own)
        code = outcome.code
        job.log += outcome.log
        said = outcome.outputs
      }
      job.steps.append((name, code))
      if let id = step["id"] as? String {
        outputs[id] = .object(["outputs": .object(said.mapValues { .text($0) })])
      }
    }
    context["steps"] = .object(outputs)
    job.result = job.steps.contains { $0.code != 0 } ? "failure" : "success"
    let expression = WorkflowExpression(context)
    for (name, text) in definition["outputs"] as? [String: String] ?? [:] {
      job.outputs[name] = try expression.fill(text)
    }
    return job
  }

  /// Runs a script like a step.
  func bash(
    _ script: String, _ own: [String: String] = [:]
  ) throws -> (code: Int32, log: String, outputs: [String: String]) {
    for name in ["temp/output", "temp/summary", "temp/path", "temp/log"] { try folder.write("", to: name) }
    try folder.write(script, to: "temp/step.sh")
    let log = try FileHandle(forWritingTo: URL(filePath: folder.path + "/temp/log"))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["bash", "--noprofile", "--norc", "-eo", "pipefail", folder.path + "/temp/step.sh"]
    process.currentDirectoryURL = URL(filePath: folder.path + "/work", directoryHint: .isDirectory)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    var all = environment.merging(own) { $1 }
    all["PATH"] = "\(folder.path)/bin:\(path)"
    all["HOME"] = folder.path + "/home"
    all["GIT_CONFIG_NOSYSTEM"] = "1"
    all["TMPDIR"] = folder.path + "/temp"
    all["RUNNER_TEMP"] = folder.path + "/temp"
    all["GITHUB_OUTPUT"] = folder.path + "/temp/output"
    all["GITHUB_STEP_SUMMARY"] = folder.path + "/temp/summary"
    all["GITHUB_PATH"] = folder.path + "/temp/path"
    process.environment = all
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = log
    process.standardError = log
    try ProcessLauncher.start(process)
    process.waitUntilExit()
    var outputs: [String: String] = [:]
    for line in try folder.text("temp/output").split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      #expect(parts.count == 2, "an output must have a name and a value: \(line)")
      outputs[String(parts[0])] = String(parts.last ?? "")
    }
    return (process.terminationStatus, try folder.text("temp/log"), outputs)
  }

  /// Replaces a program by a script that records its arguments and its standard input, and then runs `then`.
  func stub(_ name: String, readsInput: Bool = false, then: String = "") throws {
    try Self.stub(name, in: folder, readsInput: readsInput, then: then)
  }

  static func stub(_ name: String, in folder: TemporaryFolder, readsInput: Bool, then: String) throws {
    let input = readsInput ? "cat >> '\(folder.path)/calls/\(name)'" : ""
    try folder.write(
      """
      #!/bin/bash
      printf '[%s]' "$@" >> '\(folder.path)/calls/\(name)'; echo >> '\(folder.path)/calls/\(name)'
      \(input)
      \(then)

      """, to: "bin/\(name)")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/bin/" + name)
    if !folder.exists("calls/\(name)") { try folder.write("", to: "calls/\(name)") }
  }

  func calls(_ name: String) throws -> String {
    folder.exists("calls/\(name)") ? try folder.text("calls/\(name)") : ""
  }
}
