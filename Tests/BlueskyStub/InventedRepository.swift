package import Basics

/// The repository of an account as the CAR file that Bluesky offers in its settings. Written from the
/// specifications (CARv1, DAG-CBOR, version 3 of AT Protocol's repositories), not from the reader.
package struct InventedRepository: Sendable {
  package let did: String
  /// The maximum number of keys in a node of the tree.
  package var nodeSize = 10_000
  /// The records by their keys: `app.bsky.feed.post/3k…`.
  private var records: [String: JSONValue] = [:]

  /// - Parameter labels: the labels that the owner gave the profile.
  package init(of did: String, in world: BlueskyWorld, labels: [String]) {
    self.did = did
    for post in world.posts where post.did == did {
      records["app.bsky.feed.post/" + post.key] = post.record
    }
    records["app.bsky.actor.profile/self"] = [
      "$type": "app.bsky.actor.profile",
      "labels": [
        "$type": "com.atproto.label.defs#selfLabels",
        "values": .array(labels.map { ["val": .string($0)] }),
      ],
    ]
  }

  /// Adds a record, such as a like, under its key.
  package mutating func add(_ record: JSONValue, at key: String) { records[key] = record }

  package var bytes: [UInt8] {
    var blocks: [UInt8] = []
    func add(_ block: [UInt8]) -> [UInt8] {
      let id: [UInt8] = [1, 0x71, 0x12, 0x20] + SHA256.hash(block)
      blocks += Self.varint(id.count + block.count) + id + block
      return id
    }
    let records = records.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    // The last key of each node leads to the next node.
    var tree: [UInt8]?
    for start in stride(from: 0, to: max(1, records.count), by: nodeSize).reversed() {
      var entries: [UInt8] = []
      let part = records[start..<min(start + nodeSize, records.count)]
      var before: [UInt8] = []
      for (position, record) in part.enumerated() {
        let key = Array(record.key.utf8)
        let shared = zip(before, key).prefix { $0 == $1 }.count
        before = key
        let next = position == part.count - 1 ? tree.map(Self.link) : nil
        entries += Self.map([
          ("k", Self.head(2, key.count - shared) + key[shared...]), ("p", Self.head(0, shared)),
          ("t", next ?? [0xF6]), ("v", Self.link(add(Self.encoded(record.value)))),
        ])
      }
      tree = add(Self.map([("e", Self.head(4, part.count) + entries), ("l", [0xF6])]))
    }
    let commit = add(
      Self.map([
        ("did", Self.encoded(.string(did))), ("rev", Self.encoded("3mg2aaaaaaa22")),
        ("sig", Self.head(2, 64) + [UInt8](repeating: 0, count: 64)), ("data", Self.link(tree ?? [])),
        ("prev", [0xF6]), ("version", Self.head(0, 3)),
      ]))
    let header = Self.map([("roots", Self.head(4, 1) + Self.link(commit)), ("version", Self.head(0, 1))])
    return Self.varint(header.count) + header + blocks
  }

  private static func varint(_ number: Int) -> [UInt8] {
    number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
  }

  /// Returns the first bytes of a CBOR value: its kind and its length.
  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    switch count {
    case ..<24: [kind << 5 | UInt8(count)]
    case ..<0x100: [kind << 5 | 24, UInt8(count)]
    default: [kind << 5 | 25, UInt8(count >> 8), UInt8(count & 0xFF)]
    }
  }

  private static func link(_ id: [UInt8]) -> [UInt8] { [0xD8, 0x2A] + head(2, id.count + 1) + [0] + id }

  /// Shorter keys come first.
  private static func map(_ members: [(key: String, value: [UInt8])]) -> [UInt8] {
    let sorted = members.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }
    return head(5, members.count) + sorted.flatMap { head(3, $0.key.utf8.count) + $0.key.utf8 + $0.value }
  }

  private static func encoded(_ value: JSONValue) -> [UInt8] {
    switch value {
    case .null, .number: [0xF6]
    case .bool(let value): [value ? 0xF5 : 0xF4]
    case .integer(let number): head(0, Int(number))
    case .string(let text): head(3, text.utf8.count) + text.utf8
    case .array(let values): head(4, values.count) + values.flatMap(encoded)
    case .object(let members): map(members.map { ($0.key, encoded($0.value)) })
    }
  }
}
