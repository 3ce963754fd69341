/// A program, chosen by the user, that receives the site's folder and publishes it.
package struct CommandTarget: PublishTarget {
  /// The placeholder for the site's folder in arguments.
  static let placeholder = "{site}"
  /// The environment variable with the site's folder.
  package static let variable = "THREADSITE_OUTPUT"

  private let words: [String]
  private let siteFolder: String
  private let environment: [String: String]

  /// - Parameter words: the program and its arguments.
  package init(_ words: [String], siteFolder: String, environment: [String: String]) {
    self.words = words
    self.siteFolder = siteFolder
    self.environment = environment
  }

  package var name: String { words.first ?? "" }

  package func compare(_ site: PublishedSite) async throws(PublishError) -> PublishWork {
    guard let first = words.first else {
      throw PublishError(.configuration, "site.yml: error: publish.command is empty.")
    }
    let program = try ChildProgram(
      first, in: siteFolder, environment: environment, advice: "Check publish.command in site.yml.")
    // Throws if the site is empty, before the program is started.
    _ = try site.listing(.sha256)
    let arguments = words.dropFirst().map { $0.replacing(Self.placeholder, with: site.folder) }
    let environment = environment.merging([Self.variable: site.folder]) { _, own in own }
    return PublishWork(nil) { () throws(PublishError) in
      let outcome = try await program.run(arguments, in: siteFolder, environment: environment, output: .shown)
      guard outcome.code == 0 else {
        throw PublishError(
          .network,
          "error: \(program.name) ended with exit code \(outcome.code); its output is above. Fix the problem and publish again."
        )
      }
    }
  }
}
