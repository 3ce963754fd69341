import Basics
import NetworkSources
import ThreadModel

/// The likes in an account's repository: records of the lexicon `app.bsky.feed.like`, with the address of the post (`subject.uri`) and a
/// time (`createdAt`). Their keys are TIDs, which begin with the time.
struct BlueskyLikes {
  private let file: CARFile
  private let records: [ContentID]

  private static let prefix = "app.bsky.feed.like/"

  init(_ file: CARFile) throws(DAGCBORError) {
    self.file = file
    var tree = try RepositoryTree(RepositoryCommit(file).tree, in: file)
    var records: [ContentID] = []
    while let (key, record) = try tree.next() {
      if key.hasBytePrefix(Self.prefix) { records.append(record) }
    }
    self.records = records
  }

  /// Returns the liked posts, latest first: the keys of the records are times. Likes of other things, such as feeds, are left out.
  ///
  /// - Parameter path: the file, for messages.
  func list(path: String) throws(DAGCBORError) -> ReadingList {
    var list = ReadingList()
    var missing = 0
    for id in records {
      guard let block = try file.block(id) else {
        missing += 1
        continue
      }
      // An unreadable record is counted.
      let record = try? DAGCBORValue(block).json
      guard let address = RecordAddress(record?["subject"]?["uri"]?.string) else {
        list.add(nil)
        continue
      }
      guard address.isPost else { continue }
      list.add(
        ReadingList.Entry(
          url: "https://bsky.app/profile/\(address.did)/post/\(address.key)",
          time: record?["createdAt"]?.string.flatMap { Timestamp(iso8601: $0) }))
    }
    list.reverse()
    if missing > 0 {
      list.shortfalls = [
        "\(path): error: \(missing == 1 ? "1 like that it names is" : "\(missing) likes that it names are") not in it"
      ]
    }
    return list
  }
}
