/// One reader of untrusted bytes, with the properties that have to hold for whatever it is given.
///
/// The same targets are run by libFuzzer (`make fuzz`) and by mutation from a seed (`swift test`).
package struct FuzzTarget: Sendable {
  /// What the command line, the corpus folder and the findings folder call it.
  package let name: String
  /// Words that mean something to the reader, for mutations to put in.
  package let dictionary: [String]
  /// Bytes of the longest input that is tried.
  package let maximumLength: Int
  /// Files of the repository that are a corpus, too: a folder, and how their names end.
  package let seeds: [Seeds]
  /// How many mutations the ordinary tests try.
  package let testRuns: Int
  private let body: @Sendable ([UInt8]) throws -> Void

  /// Files of the repository that a target begins with, beside its corpus folder.
  package struct Seeds: Sendable {
    /// From the repository's top.
    package let folder: String
    /// Such as `.yml`.
    package let suffix: String

    init(_ folder: String, _ suffix: String) {
      self.folder = folder
      self.suffix = suffix
    }
  }

  init(
    _ name: String, dictionary: [String] = [], maximumLength: Int = 4096, seeds: [Seeds] = [],
    testRuns: Int = 300, body: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.name = name
    self.dictionary = dictionary
    self.maximumLength = maximumLength
    self.seeds = seeds
    self.testRuns = testRuns
    self.body = body
  }

  /// Gives `bytes` to the reader. A refusal in the reader's own words is no failure.
  ///
  /// - Throws: ``PropertyFailure`` where a property does not hold; anything else that is thrown is a failure as well.
  package func check(_ bytes: [UInt8]) throws { try body(bytes) }

  /// Every target. A reader of another network's files (such as AT Protocol's CAR) gets its line here.
  package static let all: [FuzzTarget] = [
    .json, .script, .response, .archive, .zip, .conversation, .profile, .postText, .markdown, .template,
    .siteConfig, .page, .theme, .strings, .media, .http, .address, .slug, .mastodonContent, .mastodonAnswer,
    .repository, .outbox,
  ]

  package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// A property that does not hold for an input.
package struct PropertyFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Fails unless `condition` holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(PropertyFailure) {
  if !condition { throw PropertyFailure(message()) }
}
