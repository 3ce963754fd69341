import Basics
import BlueskyNetwork
import BlueskyStub
import SourceHarness
import Testing
import ThreadModel

/// A Bluesky stub and the network's source that reads it.
final class BlueskyFetch: Sendable {
  let stub: BlueskyStub
  private let harness: SourceHarness

  init(
    _ world: BlueskyWorld = .boats, configuration: String = "",
    _ change: (inout BlueskyStub.Behaviour) -> Void = { _ in }
  ) throws {
    var behaviour = BlueskyStub.Behaviour()
    change(&behaviour)
    stub = try BlueskyStub(world, behaviour: behaviour)
    harness = try SourceHarness(
      BlueskySource(),
      configuration: "bluesky:\n  api_url: \(stub.url)\n  directory_url: \(stub.url)\n" + configuration)
  }

  var conversations: [Conversation] { harness.conversations }

  /// The only conversation.
  func conversation() throws -> Conversation {
    let all = conversations
    try #require(all.count == 1, "not exactly one thread was found")
    return all[0]
  }

  func add(_ address: String, withReplies: Bool = false) async throws -> SourceHarness.Outcome {
    try await harness.add(address, withReplies: withReplies)
  }

  func fetchSources() async throws -> SourceHarness.Outcome { try await harness.fetchSources() }

  func fetchAll() async throws -> SourceHarness.Outcome { try await harness.fetchAll() }

  /// Whether any field of a conversation contains a text.
  func contains(_ text: String) -> Bool { harness.contains(text) }
}
