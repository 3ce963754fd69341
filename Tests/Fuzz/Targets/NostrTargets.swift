import Basics
import NetworkSources
import NostrNetwork
import NostrSigner
import ThreadModel

extension FuzzTarget {
  /// Saved events of Nostr. The target signs events with the given contents, because unsigned ones are rejected. Every imported conversation can
  /// be stored, read back and rendered. A second import changes nothing.
  static let nostrEvents = FuzzTarget(
    "nostr-events",
    dictionary: [
      "\"kind\":1,", "\"kind\":5,", "\"kind\":0,", "\"kind\":1068,", "\"kind\":1018,", "\"kind\":1111,",
      "\"kind\":20,",
      "\"kind\":30023,", "\"tags\":[[\"e\",\"0\",\"\",\"reply\"]]", "[\"e\",\"1\",\"\",\"root\"]",
      "[\"q\",\"0\"]",
      "[\"imeta\",\"url https://", "\"m image/jpeg\"", "\"dim 1x2\"", "\"alt ", "[\"d\",\"x\"]",
      "[\"option\",\"a\",\"A\"]",
      "[\"response\",\"a\"]", "[\"content-warning\",\"", "[\"emoji\",\"a\",\"https://", ":a:",
      "\"content\":\"", "\"author\":1",
      "\"created_at\":1", "nostr:note180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkws4c58hj",
      "nostr:npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6", "#[0]", "#tag",
      "https://m.example/a.jpg",
      "javascript:", "![", "](", "```", "**", "\n", "😀",
    ], maximumLength: 16 << 10, openers: bytes("[", "[{\"content\":\""), testRuns: 60
  ) { bytes in
    _ = NostrAnswers.recognizes(bytes)
    func check(_ bytes: [UInt8], _ answers: inout NostrAnswers) throws {
      do throws(SourceError) {
        try answers.take(bytes, file: "events.jsonl")
      } catch {
        try JSONPlace.check(error, in: bytes)
      }
    }
    var plain = NostrAnswers()
    try check(bytes, &plain)
    let lines = Array(signed(bytes).joined(separator: "\n").utf8)
    func conversations(adding times: Int) throws -> [Conversation] {
      var answers = NostrAnswers()
      for _ in 0..<times { try check(lines, &answers) }
      let parts = answers.removeParts()
      return answers.grouped(with: []).groups.flatMap { group in
        NostrAnswers.resolve(group.members.map { parts[$0] }, as: group.id)
      }
    }
    func sorted(_ conversations: [Conversation]) -> [Conversation] {
      conversations.sorted { ($0.id, $0.authorID) < ($1.id, $1.authorID) }
    }
    let once = sorted(try conversations(adding: 1))
    try require(
      once == sorted(try conversations(adding: 2)), "the same events twice make another conversation")
    for conversation in once {
      try require(
        !conversation.posts.contains { post in conversation.tombstones.contains { $0.id == post.id } },
        "a deleted post is shown")
      try StoredForm.check(conversation)
      try PageForm.check(conversation)
    }
  }

  private static let signers = [Signer(1), Signer(2)]
  private static let mostEvents = 12

  /// Returns signed events as lines of JSON: one for each object of a JSON array, or one note with the bytes as its text. In a tag, the number of an
  /// earlier event stands for its id.
  private static func signed(_ bytes: [UInt8]) -> [String] {
    guard let objects = (try? JSONValue(parsing: bytes))?.array?.compactMap(\.object) else {
      return [signers[0].line(String(decoding: bytes, as: UTF8.self))]
    }
    var ids: [String] = []
    return objects.prefix(mostEvents).map { object in
      let tags = (object["tags"]?.array ?? []).compactMap(\.array).map { tag in
        tag.compactMap(\.string).map { part in
          Int(part).flatMap { ids.indices.contains($0) ? ids[$0] : nil } ?? part
        }
      }
      let signed = signers[(object["author"]?.int ?? 0) & 1].object(
        object["content"]?.string ?? "", kind: (object["kind"]?.int ?? 1) & 0xFFFF, tags: tags,
        at: max(0, min(object["created_at"]?.integer ?? 1_760_000_000, NostrEvent.Limits.latest)))
      ids.append(signed["id"]?.string ?? "")
      return JSONWriter.text(of: .object(signed), .compact).string
    }
  }
}
