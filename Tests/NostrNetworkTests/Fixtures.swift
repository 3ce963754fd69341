import Basics
import Foundation
import NetworkSources
import NostrNetwork
import NostrSigner
import TestSupport
import ThreadModel

/// The fixtures that `Fixtures/make.py` writes with an independent implementation of Nostr.
enum Fixture {
  static func lines(_ name: String) throws -> [String] {
    let folder = ProjectFolders.repository.appending(path: "Tests/NostrNetworkTests/Fixtures")
    return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  static func objects(_ name: String) throws -> [JSONObject] {
    try lines(name).compactMap { try JSONValue(parsing: Array($0.utf8)).object }
  }

  static func events(_ name: String) throws -> [NostrEvent] {
    var events: [NostrEvent] = []
    for object in try objects(name) { events.append(try NostrEvent(object)) }
    return events
  }

  static func threads(_ name: String) throws -> [Conversation] {
    try threads(events(name))
  }

  static func threads(_ events: [NostrEvent]) throws -> [Conversation] {
    sorted(NostrThreads(events, provenance: Provenance(source: .nostrEvents)).conversations())
  }
}

func sorted(_ conversations: [Conversation]) -> [Conversation] {
  conversations.sorted { ($0.id, $0.authorID) < ($1.id, $1.authorID) }
}

/// Adds files to a store, as an import does.
func imported(
  _ files: [String], into stored: [Conversation] = []
) throws(SourceError) -> (conversations: [Conversation], report: ImportReport) {
  var answers = NostrAnswers()
  for (number, file) in files.enumerated() {
    var one = NostrAnswers()
    try one.take(Array(file.utf8), file: "\(number).jsonl")
    answers.add(one)
  }
  let parts = answers.removeParts() + stored
  let (groups, report) = answers.grouped(with: stored.map(NostrAnswers.summary))
  return (
    sorted(
      groups.flatMap { group in NostrAnswers.resolve(group.members.map { parts[$0] }, as: group.id) }),
    report
  )
}

extension [String] {
  var asLines: String { map { $0 + "\n" }.joined() }
}

extension Signer {
  func event(
    _ content: String, kind: Int = 1, tags: [[String]] = [], at time: Int64 = 1_760_000_000
  ) throws -> NostrEvent {
    try NostrEvent(object(content, kind: kind, tags: tags, at: time))
  }
}
