import Basics
import ThreadModel

/// The posts and the profile in an account's repository.
struct BlueskyRepository {
  let did: String
  /// The time of the last change, from the commit's revision.
  let date: Timestamp?
  private(set) var profile: JSONValue?
  private(set) var posts: [(address: RecordAddress, record: JSONValue)] = []
  /// The number of records (posts, profile) that the tree lists but the file does not contain.
  private(set) var missing = 0
  /// The number of unreadable records, by reason.
  private(set) var unreadable: [String: Int] = [:]

  private static let profileKey = "app.bsky.actor.profile/self"
  private static let postPrefix = RecordAddress.posts + "/"

  init(_ file: CARFile) throws(DAGCBORError) {
    let commit = try RepositoryCommit(file)
    did = commit.did
    date = commit.revision.flatMap { RecordAddress.milliseconds(ofKey: $0) }
      .flatMap { $0 > 0 ? Timestamp(milliseconds: $0) : nil }
    var tree = try RepositoryTree(commit.tree, in: file)
    while let (key, id) = try tree.next() {
      guard key == Self.profileKey || key.hasBytePrefix(Self.postPrefix) else { continue }
      // A block that does not match its name is an error. A missing block, and a block that is not a post, are counted and skipped.
      guard let block = try file.block(id) else {
        missing += 1
        continue
      }
      do throws(DAGCBORError) {
        try take(key, block)
      } catch {
        unreadable[error.message, default: 0] += 1
      }
    }
  }

  private mutating func take(_ key: String, _ block: ArraySlice<UInt8>) throws(DAGCBORError) {
    let record = try DAGCBORValue(block).json
    if key == Self.profileKey {
      profile = record
      return
    }
    let name = String(decoding: key.utf8.dropFirst(Self.postPrefix.utf8.count), as: UTF8.self)
    guard RecordAddress.isKey(name) else { throw DAGCBORError("its key is not a valid key of a post") }
    guard record.type == "app.bsky.feed.post", record["text"]?.string != nil else {
      throw DAGCBORError("it is not a post")
    }
    posts.append((RecordAddress(did: did, key: name), record))
  }
}

/// The commit to which the header of a repository's CAR file leads.
struct RepositoryCommit {
  let did: String
  /// A TID.
  let revision: String?
  /// The root of the tree of records.
  let tree: ContentID

  init(_ file: CARFile) throws(DAGCBORError) {
    guard let block = try file.block(file.root) else {
      throw DAGCBORError("the commit that its header names is missing")
    }
    let commit = try DAGCBORValue(block)
    guard let did = commit["did"]?.text, RecordAddress.isDID(did), let root = commit["data"]?.link,
      let version = commit["version"]?.integer, version == 2 || version == 3
    else { throw DAGCBORError("its first block is not a repository commit") }
    self.did = did
    revision = commit["rev"]?.text
    tree = root
  }
}

/// A CAR file, version 1: a sequence of blocks with their content identifiers, and the identifier of the root block.
///
/// The blocks may be in any order, repeated, or unrelated to the repository. Each block is compared with its identifier when it is read.
struct CARFile {
  let root: ContentID
  private let bytes: [UInt8]
  private let blocks: [ContentID: Range<Int>]

  /// The maximum size of a block in bytes. A record or a node of the tree has at most one mebibyte.
  private static let largestBlock = 1 << 20

  init(_ bytes: [UInt8]) throws(DAGCBORError) {
    self.bytes = bytes
    var place = 0
    let length = try Self.varint(bytes, &place)
    guard length <= 4096, length <= bytes.count - place else {
      throw DAGCBORError("its header cannot be read")
    }
    let header = try DAGCBORValue(bytes[place..<place + length])
    place += length
    guard header["version"]?.integer == 1 else { throw DAGCBORError("it is not a CAR file of version 1") }
    guard let root = header["roots"]?.array?.first?.link else {
      throw DAGCBORError("its header names no root")
    }
    self.root = root
    var blocks: [ContentID: Range<Int>] = [:]
    while place < bytes.count {
      let length = try Self.varint(bytes, &place)
      guard length <= bytes.count - place else {
        throw DAGCBORError(
          "it ends within a block: it was truncated, or the length of a block is wrong")
      }
      let end = place + length
      // A block whose identifier is of a different kind does not belong to a repository.
      if length >= ContentID.length, let id = ContentID(bytes[place..<place + ContentID.length]) {
        if blocks[id] == nil { blocks[id] = place + ContentID.length..<end }
      }
      place = end
    }
    self.blocks = blocks
  }

  /// Returns the bytes of a block; `nil` if the file does not contain it.
  ///
  /// - Throws: if the block is too large or does not match its identifier.
  func block(_ id: ContentID) throws(DAGCBORError) -> ArraySlice<UInt8>? {
    guard let range = blocks[id] else { return nil }
    guard range.count <= Self.largestBlock else {
      throw DAGCBORError("a block is larger than any record")
    }
    let block = bytes[range]
    guard id.names(block) else {
      throw DAGCBORError("a block does not match its content hash, so the file was changed")
    }
    return block
  }

  /// Reads an unsigned number in groups of seven bits, lowest first; at most nine groups, as in the specification.
  private static func varint(_ bytes: [UInt8], _ place: inout Int) throws(DAGCBORError) -> Int {
    var number: UInt64 = 0
    for group in 0..<9 {
      guard place < bytes.count else { throw DAGCBORError("it ends within a number") }
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 0x7F) << UInt64(7 * group)
      if byte & 0x80 == 0 { return Int(number) }
    }
    throw DAGCBORError("it contains an impossible length")
  }
}

/// The records of a repository in the order of their keys, from its Merkle search tree.
///
/// The keys of a node share prefixes, so all keys of a node can have thousands of times its size. Therefore keys are expanded one by one.
struct RepositoryTree {
  private struct Entry {
    /// The number of bytes that the key shares with the one before it.
    var shared: Int
    var rest: ArraySlice<UInt8>
    var record: ContentID
    /// The node with the records between this one and the next.
    var right: ContentID?
  }

  /// A node whose entries were read in part.
  private struct Level {
    var entries: [Entry]
    var position = 0
    /// The key of the entry before `position`.
    var key: [UInt8] = []
    /// The node to read before the entry at `position`.
    var child: ContentID?
  }

  private let file: CARFile
  private var levels: [Level] = []
  private var visited: Set<ContentID> = []
  private var last: [UInt8]?

  /// The maximum length in bytes, as in the protocol's reference implementation.
  private static let longestKey = 1024

  init(_ root: ContentID, in file: CARFile) throws(DAGCBORError) {
    self.file = file
    let top = try level(root)
    levels.append(top)
  }

  /// Returns the next record's key (`<collection>/<key>`) and the identifier of its block; `nil` at the end. Keys that are not UTF-8 do not belong
  /// to any record of interest, and are skipped.
  ///
  /// - Throws: if the tree is incomplete, invalid or out of order.
  mutating func next() throws(DAGCBORError) -> (key: String, record: ContentID)? {
    while let top = levels.indices.last {
      if let child = levels[top].child {
        levels[top].child = nil
        let below = try level(child)
        levels.append(below)
        continue
      }
      guard levels[top].position < levels[top].entries.count else {
        levels.removeLast()
        continue
      }
      let entry = levels[top].entries[levels[top].position]
      let key = Array(levels[top].key.prefix(entry.shared)) + entry.rest
      if let last, !last.lexicographicallyPrecedes(key) {
        throw DAGCBORError("the tree's keys are out of order")
      }
      last = key
      levels[top].key = key
      levels[top].child = entry.right
      levels[top].position += 1
      if let text = String(validating: key, as: UTF8.self) { return (text, entry.record) }
    }
    return nil
  }

  /// Reads a node. A node that is reached twice is an error, because otherwise a small file could repeat its keys without limit.
  private mutating func level(_ id: ContentID) throws(DAGCBORError) -> Level {
    guard visited.insert(id).inserted else {
      throw DAGCBORError("the tree contains a node twice")
    }
    guard let block = try file.block(id) else {
      throw DAGCBORError("a node of the tree is missing: the file is incomplete")
    }
    let node = try DAGCBORValue(block)
    guard let list = node["e"]?.array else { throw DAGCBORError("a node of the tree has no entries") }
    var entries: [Entry] = []
    entries.reserveCapacity(list.count)
    var length = 0
    for entry in list {
      guard let shared = entry["p"]?.integer, let rest = entry["k"]?.bytes, let record = entry["v"]?.link,
        shared >= 0, shared <= length, Int(shared) + rest.count <= Self.longestKey
      else { throw DAGCBORError("an entry of the tree is not valid") }
      length = Int(shared) + rest.count
      entries.append(Entry(shared: Int(shared), rest: rest, record: record, right: entry["t"]?.link))
    }
    return Level(entries: entries, child: node["l"]?.link)
  }
}

/// The content identifier of a block (CID, version 1, as in repositories): the encoding of the bytes and their SHA-256 digest.
struct ContentID: Hashable, Sendable {
  /// 0x71 for DAG-CBOR, 0x55 for raw bytes.
  private let codec: UInt8
  /// The digest as four words instead of an array, because a file has many identifiers.
  private let digest: (UInt64, UInt64, UInt64, UInt64)

  static let length = 36

  /// Creates an identifier from its 36 bytes; `nil` for a different version, codec or hash function.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    let head = Array(bytes.prefix(4))
    guard head[0] == 1, head[1] == 0x71 || head[1] == 0x55, head[2] == 0x12, head[3] == 0x20 else {
      return nil
    }
    codec = head[1]
    digest = Self.words(bytes.dropFirst(4))
  }

  private static func words(_ bytes: some Sequence<UInt8>) -> (UInt64, UInt64, UInt64, UInt64) {
    var words: [UInt64] = [0, 0, 0, 0]
    for (place, byte) in bytes.enumerated() where place < 32 {
      words[place / 8] = words[place / 8] << 8 | UInt64(byte)
    }
    return (words[0], words[1], words[2], words[3])
  }

  /// Returns whether the block has this identifier's digest.
  func names(_ block: ArraySlice<UInt8>) -> Bool {
    Self.words(SHA256.hash(block)) == digest
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.codec == rhs.codec && lhs.digest == rhs.digest }

  func hash(into hasher: inout Hasher) {
    hasher.combine(digest.0)
    hasher.combine(digest.1)
  }

  /// The identifier in base 32, as in URLs: `bafyrei…`.
  var text: String {
    var bytes: [UInt8] = [1, codec, 0x12, 0x20]
    for word in [digest.0, digest.1, digest.2, digest.3] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    let digits = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
    var result: [UInt8] = [UInt8(ascii: "b")]
    var (rest, count) = (0, 0)
    for byte in bytes {
      rest = (rest << 8 | Int(byte)) & 0xFFFF
      count += 8
      while count >= 5 {
        count -= 5
        result.append(digits[rest >> count & 31])
      }
    }
    if count > 0 { result.append(digits[rest << (5 - count) & 31]) }
    return String(decoding: result, as: UTF8.self)
  }
}
