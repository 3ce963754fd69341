import JSONText
package import ThreadModel
import XAPI

/// What an archive holds, post by post in a few words each.
package struct ArchiveSurvey: Sendable {
  /// The archive's owner.
  package let author: Author
  /// When the archive was made; where it does not say, when its latest post was written, which is before.
  package let date: Timestamp?
  /// Whether X says that the archive does not hold all.
  package let isPartial: Bool
  /// In the order in which they are read.
  let sketches: [PostSketch]
  /// Positions in `sketches`, sorted by id, each id once.
  let sorted: [Int32]
  let notes: ArchiveNotes
  /// Posts to a chosen few.
  let circle: Set<UInt64>
  /// The address or path of the avatar.
  let avatar: String?
  /// Elements that are no posts.
  package let unreadable: Int

  /// Posts in the archive, earlier versions among them.
  package var posts: Int { sorted.count }

  /// Whether the archive holds a post of this id.
  package func holds(_ id: PostID) -> Bool { UInt64(id.value).map { position(of: $0) != nil } ?? false }

  /// Where a post stands in `sketches`.
  func position(of id: UInt64) -> Int? {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sketches[Int(sorted[middle])].id < id { low = middle + 1 } else { high = middle }
    }
    guard low < sorted.count else { return nil }
    let position = Int(sorted[low])
    return sketches[position].id == id ? position : nil
  }
}

extension XArchive {
  /// Reads all but the media.
  ///
  /// - Parameter progress: called with the bytes of posts read so far.
  package func survey(progress: (Int) -> Void = { _ in }) throws(XArchiveError) -> ArchiveSurvey {
    var account = ArchiveAccount()
    try readSmall(layout.account) { account.take(account: $0) }
    try readSmall(layout.profile) { account.take(profile: $0) }
    try readSmall(layout.manifest) { account.take(manifest: $0) }
    guard let id = account.id else {
      throw XArchiveError(
        path, nil, .noArchive("has no data/account.js, without which nobody knows whose posts these are"))
    }
    var circle: Set<UInt64> = []
    try readElements(layout.circle) { reader throws(JSONError) in
      circle.insert(try PostSketch(reading: &reader).id)
    }
    var notes = ArchiveNotes()
    try readElements(layout.notes) { reader throws(JSONError) in notes.take(try reader.readValue()) }
    var sketches: [PostSketch] = []
    try readElements(layout.posts, progress: progress) { reader throws(JSONError) in
      sketches.append(try PostSketch(reading: &reader))
    }
    let sorted = Self.sorted(sketches)
    let latest = sorted.last.flatMap { sketches[Int($0)].time }
    let date = account.generationDate ?? latest
    return ArchiveSurvey(
      author: account.author(id: id, archiveDate: date), date: date, isPartial: account.isPartial,
      sketches: sketches, sorted: sorted, notes: notes, circle: circle, avatar: account.avatar,
      unreadable: sketches.count { $0.id == 0 })
  }

  private static func sorted(_ sketches: [PostSketch]) -> [Int32] {
    let all = sketches.indices.filter { sketches[$0].id != 0 }
      .sorted { (sketches[$0].id, $0) < (sketches[$1].id, $1) }
    var result: [Int32] = []
    result.reserveCapacity(all.count)
    var last: UInt64 = 0
    for position in all where sketches[position].id != last {
      last = sketches[position].id
      result.append(Int32(position))
    }
    return result
  }
}
