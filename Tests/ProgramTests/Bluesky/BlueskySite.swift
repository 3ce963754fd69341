import Basics
import BlueskyStub
import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// A site that fetches its threads from the Bluesky stub with the actual program.
final class BlueskySite: Sendable {
  let site: TemporarySite
  let stub: BlueskyStub

  init(
    _ world: BlueskyWorld = .boats, configuration: String = "",
    _ change: (inout BlueskyStub.Behaviour) -> Void = { _ in }
  ) throws {
    var behaviour = BlueskyStub.Behaviour()
    change(&behaviour)
    stub = try BlueskyStub(world, behaviour: behaviour)
    site = try TemporarySite()
    try configure(configuration)
  }

  func configure(_ text: String) throws {
    try site.folder.write(
      "title: Fetched\nbluesky:\n  api_url: \(stub.url)\n  directory_url: \(stub.url)\n\(text)\n",
      to: "site.yml")
  }

  @discardableResult
  func run(_ arguments: String...) async throws -> Program.Outcome {
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    return try await program.runAside(arguments)
  }

  var store: ThreadStore { ThreadStore(folder: site.path + "/threads") }

  func conversations() throws -> [Conversation] {
    try store.list().map { try store.read($0) }
  }

  func conversation() throws -> Conversation {
    let all = try conversations()
    try #require(all.count == 1, "the store has not exactly one thread")
    return all[0]
  }

  /// The Markdown and the HTML of the page of the only thread.
  func page() throws -> (markdown: String, html: String) {
    let tree = try site.folder.tree("site")
    let pages = tree.keys.filter { $0.hasPrefix("bluesky/") && $0.hasSuffix("/index.md") }
    try #require(pages.count == 1, "not exactly one page: \(tree.keys.sorted())")
    return (try site.page(pages[0]), try site.page(pages[0].replacing("index.md", with: "index.html")))
  }
}
