/// A reader of untrusted bytes with the properties that must hold for any input.
///
/// libFuzzer (`make fuzz`) and mutation from a seed (`swift test`) run the same targets.
package struct FuzzTarget: Sendable {
  /// The name on the command line and of the folders for the corpus and the findings.
  package let name: String
  /// Words that are meaningful to the reader, which mutations insert.
  package let dictionary: [String]
  /// The length in bytes of the longest input.
  package let maximumLength: Int
  /// Files of the repository that are also in the corpus: a folder and a suffix of names.
  package let seeds: [Seeds]
  /// Pieces that open something that can contain itself. The corpus has an input for each that consists of this piece alone, as often as the
  /// longest input allows, because mutations rarely nest deeply enough to reach the end of a stack.
  package let openers: [[UInt8]]
  /// The number of mutations in ordinary tests.
  package let testRuns: Int
  private let body: @Sendable ([UInt8]) throws -> Void

  /// Files of the repository in the initial corpus, in addition to the corpus folder.
  package struct Seeds: Sendable {
    /// The path from the top of the repository.
    package let folder: String
    /// For example `.yml`.
    package let suffix: String

    init(_ folder: String, _ suffix: String) {
      self.folder = folder
      self.suffix = suffix
    }
  }

  init(
    _ name: String, dictionary: [String] = [], maximumLength: Int = 4096, seeds: [Seeds] = [],
    openers: [[UInt8]] = [], testRuns: Int = 300, body: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.name = name
    self.dictionary = dictionary
    self.maximumLength = maximumLength
    self.seeds = seeds
    self.openers = openers
    self.testRuns = testRuns
    self.body = body
  }

  /// Passes `bytes` to the reader. An error of the reader's own type is not a failure.
  ///
  /// - Throws: ``PropertyFailure`` if a property does not hold. Any other error is also a failure.
  package func check(_ bytes: [UInt8]) throws { try body(bytes) }

  /// Every target. A reader of another network's files is added here.
  package static let all: [FuzzTarget] = [
    .json, .script, .response, .archive, .zip, .conversation, .profile, .postText, .markdown, .template,
    .siteConfig, .page, .theme, .strings, .media, .http, .address, .slug, .mastodonContent, .mastodonAnswer,
    .repository, .outbox, .threadsAnswer, .nostrEvents, .misskeyText, .misskeyNotes, .webSocket,
  ]

  package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// The bytes of texts, for ``FuzzTarget/openers``.
func bytes(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

/// A property that does not hold for an input.
package struct PropertyFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Throws unless `condition` holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(PropertyFailure) {
  if !condition { throw PropertyFailure(message()) }
}
