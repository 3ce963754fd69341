import JSONText
import ThreadModel
import UTF8Text

/// What an account's repository holds of posts.
struct BlueskyRepository {
  let did: String
  /// When it was last changed, by its own word.
  let date: Timestamp?
  private(set) var profile: JSONValue?
  private(set) var posts: [(address: RecordAddress, record: JSONValue)] = []
  /// Records that the tree names and the file does not have.
  private(set) var missing = 0
  /// Records of posts that cannot be read, by what is wrong with them.
  private(set) var unreadable: [String: Int] = [:]

  private static let profileKey = "app.bsky.actor.profile/self"
  private static let postPrefix = "app.bsky.feed.post/"

  init(_ file: CARFile) throws(DAGCBORError) {
    guard let block = try file.block(file.root) else {
      throw DAGCBORError("the commit that its header names is missing")
    }
    let commit = try DAGCBORValue(block)
    guard let did = commit["did"]?.text, RecordAddress.isDID(did), let root = commit["data"]?.link,
      let version = commit["version"]?.integer, version == 2 || version == 3
    else { throw DAGCBORError("its first block is no commit of a repository") }
    self.did = did
    date = commit["rev"]?.text.flatMap(Self.date)
    let tree = try RepositoryTree(root, in: file) { key in
      key == Self.profileKey || key.hasBytePrefix(Self.postPrefix)
    }
    for (key, id) in tree.entries {
      // A block that is not what its name says ends the reading; one that is missing, or holds no post, is passed over.
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
    guard RecordAddress.isKey(name) else { throw DAGCBORError("its key is none that a post can have") }
    guard record.type == "app.bsky.feed.post", record["text"]?.string != nil else {
      throw DAGCBORError("it is no post")
    }
    posts.append((RecordAddress(did: did, key: name), record))
  }

  /// The time in a TID: 53 bits of microseconds since 1970 behind a bit that is 0, and ten bits of something else.
  private static func date(_ tid: String) -> Timestamp? {
    let digits = Array("234567abcdefghijklmnopqrstuvwxyz".utf8)
    guard tid.utf8.count == 13 else { return nil }
    var number: UInt64 = 0
    for byte in tid.utf8 {
      guard let digit = digits.firstIndex(of: byte) else { return nil }
      number = number << 5 | UInt64(digit)
    }
    let milliseconds = Int64((number & (1 << 63 - 1)) >> 10) / 1000
    return milliseconds > 0 ? Timestamp(milliseconds: milliseconds) : nil
  }
}
