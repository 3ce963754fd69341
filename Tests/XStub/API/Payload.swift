import Basics

/// The writer of posts, users, media and polls as JSON, with only the requested fields.
struct Payload {
  var world: StubWorld
  var baseURL: String
  var asked: RequestedFields
  /// The numbers of replies to each post and of posts that quote it.
  private(set) var replies: [StubID: Int] = [:]
  private(set) var quotes: [StubID: Int] = [:]

  init(world: StubWorld, baseURL: String, asked: RequestedFields) {
    self.world = world
    self.baseURL = baseURL
    self.asked = asked
    guard asked.post.contains("public_metrics") else { return }
    for post in world.posts.values where post.isLatestVersion && world.obstacle(to: post) == nil {
      if let parent = post.replyTo { replies[parent, default: 0] += 1 }
      if let quoted = post.quotes { quotes[quoted, default: 0] += 1 }
    }
  }

  /// Returns the members with requested names.
  func selected(_ members: [String: JSONValue?], _ fields: Set<String>) -> JSONValue {
    var kept: [String: JSONValue] = [:]
    for (name, value) in members where fields.contains(name) {
      // A literal `nil` may have become a JSON null, which X never writes.
      if let value, !value.isNull { kept[name] = value }
    }
    return .object(kept)
  }

  func address(_ path: String) -> JSONValue { .string(baseURL + path) }
  func list(_ ids: [StubID]) -> JSONValue { .array(ids.map(JSONValue.init)) }
}

extension JSONValue {
  init(_ id: StubID) { self = .string(id.description) }
  init(_ number: Int) { self = .integer(Int64(number)) }
}
