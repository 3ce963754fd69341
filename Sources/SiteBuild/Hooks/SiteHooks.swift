import Basics
import Foundation
import Publishing
import SiteConfig
package import SiteWorkspace

/// Runs the programs that `hooks` in site.yml names.
///
/// A program starts in the site's folder and without a shell. Its standard input is a JSON object about the build, described by
/// docs/schemas/hook.schema.json. Its output goes to standard error.
package struct SiteHooks: Sendable {
  private let site: SiteFolder
  private let environment: [String: String]
  private let includesDrafts: Bool
  private let progress: ProgressHandler

  /// - Parameter environment: the variables of the programs. Those that may contain credentials of networks are left out.
  package init(
    _ site: SiteFolder, environment: [String: String], includesDrafts: Bool,
    progress: @escaping ProgressHandler
  ) {
    self.site = site
    self.includesDrafts = includesDrafts
    self.progress = progress
    let secrets = Set(site.networks.credentialVariables(of: site.config))
    self.environment = environment.filter { !secrets.contains($0.key) }.merging(
      [CommandTarget.variable: site.output]) { _, own in own }
  }

  /// Runs `hooks.before_build`, if it is set.
  ///
  /// - Throws: `PipelineError` if the program is missing or fails.
  package func runBeforeBuild() async throws(PipelineError) {
    try await run(site.config.hooks.beforeBuild, "before_build", [:])
  }

  /// Runs `hooks.after_build`, if it is set.
  ///
  /// - Throws: `PipelineError` if the program is missing or fails. The new site is in place nevertheless.
  package func runAfterBuild(_ summary: BuildSummary) async throws(PipelineError) {
    try await run(
      site.config.hooks.afterBuild, "after_build",
      [
        "threads": .integer(Int64(summary.threads)), "posts": .integer(Int64(summary.posts)),
        "pages": .integer(Int64(summary.pages)), "rendered": .integer(Int64(summary.rendered)),
      ])
  }

  private func run(
    _ words: [String]?, _ event: String, _ facts: [String: JSONValue]
  ) async throws(PipelineError) {
    guard let words, let name = words.first else { return }
    progress(.note("Running hooks.\(event): \(words.joined(separator: " "))"))
    let members: [String: JSONValue] = [
      "event": .string(event), "site": .string(site.path), "store": .string(site.store),
      "output": .string(site.output),
      "base_url": site.config.baseURL.map { .string($0.description) } ?? .null,
      "drafts": .bool(includesDrafts),
    ]
    let input = Array((JSONWriter.text(of: .object(members.merging(facts) { $1 })).string + "\n").utf8)
    let code: Int32
    do {
      let program = try ChildProgram(
        name, in: site.path, environment: environment, advice: "Check hooks.\(event) in site.yml.")
      code = try await program.run(
        Array(words.dropFirst()), in: site.path, environment: environment, output: .shown
      ) { try $0.write(contentsOf: input) }.code
    } catch {
      throw PipelineError(error)
    }
    guard code != 0 else { return }
    throw site.error(
      at: "hooks.\(event)",
      "\(name) ended with exit code \(code); its output is above. Fix the problem, or build with --no-hooks",
      .content)
  }
}
