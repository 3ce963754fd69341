import Basics
package import NetworkSources
package import ThreadModel

/// The contents of an archive, with a summary of each post.
package struct ArchiveSurvey: SurveyedExport {
  let archive: XArchive
  /// The archive's owner.
  package let author: Author
  /// The time at which the archive was made. If it is unknown, the time of its latest post.
  package let date: Timestamp?
  /// Whether the archive is complete.
  package let completeness: ArchiveCompleteness
  /// The summaries in the order in which the posts are read.
  let summaries: [PostSummary]
  /// The positions in `summaries`, sorted by id, each id once.
  let sorted: [Int32]
  let notes: ArchiveNotes
  /// The ids of posts to a restricted audience.
  let circle: Set<UInt64>
  /// The URL or path of the avatar.
  let avatar: String?
  /// The number of posts that were read, including repeated ones.
  package var readPosts: Int { summaries.count - unreadable }
  /// The number of elements that are not posts.
  package let unreadable: Int

  /// The number of posts in the archive, including earlier versions.
  package var posts: Int { sorted.count }

  package var expectedPosts: Int? { completeness.expectedPosts }
  package var doubts: [String] { completeness.doubts }

  /// X writes few parts, but a manifest may list any number.
  package var shortfalls: [String] {
    let all = completeness.shortfalls
    let shown = all.prefix(XArchiveLimits.shortfalls).map { $0.message(in: archive.path) }
    guard all.count > shown.count else { return shown }
    return shown + ["\(archive.path): error: \(all.count - shown.count) more files are incomplete"]
  }

  package var advice: String {
    "Download the archive again; if X sent several zip files, unpack all of them into one folder and "
      + "import that; if you removed posts by hand, correct the counts in data/manifest.js"
  }

  package func fileNames(of media: Media, in post: Post) -> [String] {
    ArchivePlan.fileNames(of: media, in: post)
  }

  package func plan(
    _ choice: ExportChoice, conversationOf: (PostID) -> PostID?
  ) throws(SourceError) -> any PlannedExport {
    try ArchivePlan(self, choice, conversationOf: conversationOf)
  }

  package func holds(_ id: PostID) -> Bool { UInt64(id.value).map { position(of: $0) != nil } ?? false }

  /// Returns the position of a post in `summaries`.
  func position(of id: UInt64) -> Int? {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if summaries[Int(sorted[middle])].id < id { low = middle + 1 } else { high = middle }
    }
    guard low < sorted.count else { return nil }
    let position = Int(sorted[low])
    return summaries[position].id == id ? position : nil
  }
}

extension XArchive {
  /// Reads all files except the media.
  ///
  /// - Parameter progress: called with the number of bytes of posts read so far.
  package func readSurvey(progress: (Int) -> Void = { _ in }) throws(SourceError) -> ArchiveSurvey {
    var account = ArchiveAccount()
    var manifest = ArchiveManifest()
    var readings = try readSmall(layout.account) { account.take(account: $0) }
    readings.take(try readSmall(layout.profile) { account.take(profile: $0) })
    readings.take(try readSmall(layout.manifest) { manifest.take($0) })
    try checkAccount(account.id, manifest)
    account.take(manifest)
    guard let id = account.id else {
      throw SourceError(
        export: path, "has no data/account.js, which names the author of the posts")
    }
    var links = ShortLinks()
    links.wanted = Set(account.shortLinks)
    var circle: Set<UInt64> = []
    readings.take(
      try readElements(layout.circle) { reader throws(JSONError) in
        // The links of these private posts are not used.
        var unread = ShortLinks()
        let post = try PostSummary(reading: &reader, links: &unread, needsText: false)
        circle.insert(post.id)
        return post.id != 0
      })
    var notes = ArchiveNotes()
    readings.take(
      try readElements(layout.notes) { reader throws(JSONError) in notes.take(try reader.readValue()) })
    var summaries: [PostSummary] = []
    readings.take(
      try readElements(layout.posts, progress: progress) { reader throws(JSONError) in
        let post = try PostSummary(reading: &reader, links: &links)
        summaries.append(post)
        return post.id != 0
      })
    let sorted = Self.sorted(summaries)
    let completeness = ArchiveCompleteness(manifest, layout, readings, posts: sorted.count)
    try checkCircle(completeness)
    let latest = sorted.last.flatMap { summaries[Int($0)].time }
    let date = manifest.generationDate ?? latest
    let survey = ArchiveSurvey(
      archive: self, author: account.author(id: id, archiveDate: date, links: links.targets), date: date,
      completeness: completeness,
      summaries: summaries, sorted: sorted, notes: notes, circle: circle, avatar: account.avatar,
      unreadable: summaries.count { $0.id == 0 })
    try checkAuthor(survey)
    return survey
  }

  /// Throws if the files belong to several accounts, because the posts would get the wrong author.
  private func checkAccount(_ id: String?, _ manifest: ArchiveManifest) throws(SourceError) {
    guard let id, let other = manifest.accountID, id != other else { return }
    throw SourceError(
      export: path, layout.account.first?.path,
      "belongs to the account \(id), but the archive's manifest to the account \(other): put the files of one archive "
        + "together, as X provided them")
  }

  /// Throws if the posts belong to several accounts: replies to posts of the archive must be replies to its owner.
  private func checkAuthor(_ survey: ArchiveSurvey) throws(SourceError) {
    var others: [UInt64: Int] = [:]
    for position in survey.sorted {
      let summary = survey.summaries[Int(position)]
      guard summary.parent != 0, summary.parent != summary.id, summary.parentAuthor != 0,
        survey.position(of: summary.parent) != nil
      else { continue }
      if String(summary.parentAuthor) == survey.author.id.value { return }
      others[summary.parentAuthor, default: 0] += 1
    }
    guard let other = others.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return }
    throw SourceError(
      export: path, layout.account.first?.path,
      "belongs to the account \(survey.author.id.value), but the posts to the account \(other.key), because they answer "
        + "each other: put the files of one archive together, as X provided them")
  }

  /// Throws if the list of private posts is incomplete, because private posts could not be left out.
  private func checkCircle(_ completeness: ArchiveCompleteness) throws(SourceError) {
    guard let problem = completeness.circleProblem else { return }
    throw SourceError(
      export: path, problem.path,
      "\(problem.clause). It lists the private posts to a circle, which cannot be recognized "
        + "without it: download the archive again")
  }

  private static func sorted(_ summaries: [PostSummary]) -> [Int32] {
    let all = summaries.indices.filter { summaries[$0].id != 0 }
      .sorted { (summaries[$0].id, $0) < (summaries[$1].id, $1) }
    var result: [Int32] = []
    result.reserveCapacity(all.count)
    var last: UInt64 = 0
    for position in all where summaries[position].id != last {
      last = summaries[position].id
      result.append(Int32(position))
    }
    return result
  }
}

extension [String: ArchiveFileReading] {
  fileprivate mutating func take(_ more: Self) { merge(more) { first, _ in first } }
}
