import Basics
import MastodonNetwork
import MastodonStub
import SourceHarness
import ThreadModel

/// A stub server, and the network's source that reads it.
final class MastodonFetch: Sendable {
  let stub: MastodonStub
  private let harness: SourceHarness

  init(
    _ world: MastodonStub.World = MastodonStub.longThread(), _ configuration: String = "",
    environment: [String: String] = [:]
  ) throws {
    stub = try MastodonStub(world)
    harness = try SourceHarness(
      MastodonSource(), configuration: stub.settings() + configuration, environment: environment)
  }

  deinit { stub.stop() }

  /// Changes the settings.
  ///
  /// - Parameter server: the lines of social.example's entry in `mastodon`, such as a token.
  func configure(server: String = "") throws { try harness.configure(stub.settings(server: server)) }

  var conversations: [Conversation] { harness.conversations }

  func add(_ address: String, withReplies: Bool = false) async throws -> SourceHarness.Outcome {
    try await harness.add(address, withReplies: withReplies)
  }

  func fetchSources() async throws -> SourceHarness.Outcome { try await harness.fetchSources() }

  func fetchAll() async throws -> SourceHarness.Outcome { try await harness.fetchAll() }

  func profile(of author: AuthorID, followers: Int) async throws -> Profile? {
    try await harness.profile(of: author, followers: followers)
  }

  /// Whether any field of a conversation contains a text.
  func contains(_ text: String) -> Bool { harness.contains(text) }
}
