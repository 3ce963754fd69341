import MediaMirror
import NetworkSources
import ThreadModel
import ThreadStore

extension ArchiveImport {
  /// Posts that an older archive of the account had and this one has not.
  func absent(_ survey: any SurveyedExport, _ plan: any PlannedExport, _ known: StoredPosts) -> [StoredPosts
    .Archived]
  {
    guard let date = survey.date else { return [] }
    return known.archived.filter { post in
      guard let seen = post.seenAt, seen < date, !survey.holds(post.id) else { return false }
      return !plan.hasLaterVersion(of: post.id) && post.createdAt.map { $0 < date } ?? true
    }
  }

  /// Reports them, and removes them where that is asked for: their text and media go, and what stays says that they were there.
  ///
  /// They were deleted only if the archive is known to hold every post; otherwise they may be what it lacks.
  func takeLeave(
    of posts: [StoredPosts.Archived], _ survey: any SurveyedExport, _ known: StoredPosts,
    _ summary: inout ArchiveSummary
  ) throws {
    let ids = Set(posts.map(\.id)).sorted().map(\.value)
    guard summary.shortfalls.isEmpty, summary.doubts.isEmpty else {
      summary.unexplained = ids
      guard options.prunes, !summary.shortfalls.isEmpty || !posts.isEmpty else { return }
      let reason =
        summary.shortfalls.isEmpty ? summary.doubts.joined(separator: "; ") : "the archive is not whole"
      summary.pruneRefusal =
        "\(archive.path): error: --prune removes nothing, as what is not in this archive need not be deleted: \(reason)"
      return
    }
    summary.vanished = ids
    guard options.prunes, !posts.isEmpty else { return }
    summary.isPruned = true
    var released: Set<String> = []
    var index = try store.index()
    for (id, gone) in Dictionary(grouping: posts, by: \.conversation).sorted(by: { $0.key < $1.key }) {
      guard let file = try store.find(id, by: survey.author.id, in: index) else { continue }
      let before = try store.read(file)
      var removal = Conversation(id: id, authorID: survey.author.id)
      removal.tombstones = gone.map { post in
        var stone = Tombstone(id: post.id, reason: .deleted)
        stone.authorID = survey.author.id
        stone.handle = survey.author.handle
        stone.removedAt = survey.date
        return stone
      }
      _ = try store.save(removal, index: &index)
      released.formUnion(before.mediaFiles.subtracting(try store.read(file).mediaFiles))
    }
    try removeMedia(released)
  }

  /// Deletes files that nothing in the store shows any more.
  ///
  /// - Returns: how many these were.
  @discardableResult
  func removeMedia(_ names: Set<String>) throws -> Int {
    guard !names.isEmpty else { return 0 }
    return try MediaVault(store: store).remove(names, unlessIn: store.mediaInUse()).count
  }
}
