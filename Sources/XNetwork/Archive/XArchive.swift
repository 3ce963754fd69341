import Basics
package import NetworkSources
package import ThreadModel

/// The archive that X provides to its users, as a zip file or unpacked.
///
/// It is read several times instead of being kept in memory: first a summary of every post, to find the threads (`survey`),
/// then their media files (`readMedia`), then the posts of the threads (`conversations`).
package struct XArchive: Sendable {
  let source: any ArchiveSource
  let layout: ArchiveLayout
  /// The entries that were skipped, each a whole message.
  package let passedOver: [String]

  /// Opens a zip file or a folder.
  package static func open(_ path: String) throws(ExportError) -> XArchive {
    if isUnpacked(at: path) { return try XArchive(FolderArchive(path: path, XArchiveRules())) }
    return try XArchive(zip(path))
  }

  /// Returns a zip file of which only the files of X's archives are opened.
  package static func zip(_ path: String) -> PackedArchive {
    PackedArchive(path: path, .zip, XArchiveRules())
  }

  /// Whether a folder, its `data` folder, or the `data` folder of one of its folders has a file of posts or of the account: an archive
  /// without its posts is still an archive.
  package static func isUnpacked(at folder: String) -> Bool {
    guard FileSystem.isFolder(folder) else { return false }
    return candidates(folder).contains { data in
      names(in: data).contains { [.posts, .account].contains(ArchiveAllowList.kind(ofFile: $0)) }
    }
  }

  private static func candidates(_ folder: String) -> [String] {
    let below = names(in: folder).filter { !PathText.isHidden($0) }.map { "\(folder)/\($0)/data" }
    return ([folder, folder + "/data"] + below).filter(FileSystem.isFolder)
  }

  /// A folder that cannot be listed counts as empty.
  private static func names(in folder: String) -> [String] {
    (try? FileSystem.names(in: folder)) ?? []
  }

  package init(_ source: any ArchiveSource) throws(ExportError) {
    self.source = source
    let listing = try source.list()
    layout = try ArchiveLayout(listing, archive: source.path)
    passedOver = listing.passedOver
  }

  package var path: String { source.path }

  /// The number of bytes of all posts according to the archive, for the progress.
  package var postsSize: Int { layout.posts.reduce(0) { $0 + ($1.size ?? 0) } }

  /// Whether it has any photo or video of a post.
  package var hasMedia: Bool { !layout.media.isEmpty }

  // MARK: Reading

  /// Reads files of elements, each element with `body`, in the order of the archive.
  ///
  /// A file that was cut short is read up to the last complete element.
  ///
  /// - Parameters:
  ///   - progress: called at intervals with the number of bytes read so far.
  ///   - body: returns whether the element is valid.
  /// - Returns: how far each file was read, by path.
  @discardableResult
  func readElements(
    _ entries: [ArchiveEntry], progress: (Int) -> Void = { _ in },
    _ body: (inout JSONReader) throws(JSONError) -> Bool
  ) throws(ExportError) -> [String: ArchiveFileReading] {
    var total = 0
    var readings: [String: ArchiveFileReading] = [:]
    try source.read(Set(entries.map(\.path))) { (entry, content) throws(ExportError) in
      var elements = ScriptElements(archive: path, entry: entry.path)
      var reading = ArchiveFileReading()
      var count = 0
      while let bytes = try content.next() {
        count += bytes.count
        total += bytes.count
        guard count <= XArchiveLimits.postsFile else {
          throw ExportError(path, entry.path, .refused("is larger than any file of posts that X writes"))
        }
        try elements.feed(bytes) { reader throws(JSONError) in
          if try body(&reader) { reading.count += 1 }
        }
        progress(total)
      }
      reading.cut = elements.cut
      readings[entry.path] = reading
    }
    return readings
  }

  /// Reads small files, each element with `body`, as `readElements` does.
  func readSmall(
    _ entries: [ArchiveEntry], _ body: (JSONValue) -> Void
  ) throws(ExportError) -> [String: ArchiveFileReading] {
    for entry in entries {
      if let size = entry.size, size > XArchiveLimits.smallFile {
        throw ExportError(path, entry.path, .refused("is larger than any such file of X's"))
      }
    }
    return try readElements(entries) { reader throws(JSONError) in
      body(try reader.readValue())
      return true
    }
  }

  /// Reads the media files that a plan wants, each with `body`, in the order of the archive.
  ///
  /// - Parameter body: receives the name of the file in `conversations`; bytes that it does not read are skipped.
  package func readMedia(
    _ plan: ArchivePlan, _ body: (String, any EntryBytes) throws(ExportError) -> Void
  ) throws(ExportError) {
    try source.read(Set(plan.mediaWanted.keys)) { (entry, content) throws(ExportError) in
      guard let name = plan.mediaWanted[entry.path] else { return }
      try body(name, content)
    }
  }

  /// Reads the posts of a plan's threads, and passes on each conversation as soon as all of its posts are read.
  ///
  /// - Parameters:
  ///   - files: the results for the media, by the names that `readMedia` gave.
  ///   - progress: called with the number of bytes of posts read so far.
  /// - Returns: the number of posts whose text came from a note.
  @discardableResult
  package func conversations(
    _ plan: ArchivePlan, of survey: ArchiveSurvey, files: [String: ArchivedMedia],
    progress: (Int) -> Void = { _ in }, emit: (Conversation) -> Void
  ) throws(ExportError) -> Int {
    var assembly = ArchiveAssembly(plan, survey, files)
    try readWanted(survey, progress: progress, wants: { plan.threadOf[$0] >= 0 }) { object, position in
      assembly.add(object, at: position)
      for conversation in assembly.takeFinished() { emit(conversation) }
    }
    // The author's quoted posts from other threads or outside threads.
    if !assembly.quoted.isEmpty {
      let quoted = assembly.quoted
      try readWanted(survey, wants: { quoted.contains($0) }) { object, position in
        assembly.add(quoted: object, at: position)
      }
    }
    for conversation in assembly.takeRest() { emit(conversation) }
    return assembly.notesUsed
  }

  /// Returns the positions of the author's posts that a plan's threads quote.
  ///
  /// Which of its links a post quotes can only be told from its whole text: the few posts that link to posts of the archive are read for that.
  func quotedPosts(_ plan: ArchivePlan, _ survey: ArchiveSurvey) throws(ExportError) -> Set<Int> {
    func position(_ id: UInt64) -> Int? {
      let id = plan.latest(id)
      return survey.circle.contains(id) ? nil : survey.position(of: id)
    }
    let candidates = survey.summaries.indices.filter { index in
      plan.threadOf[index] >= 0 && survey.summaries[index].linked.contains { position($0) != nil }
    }
    guard !candidates.isEmpty else { return [] }
    let wanted = Set(candidates)
    var quoted: Set<Int> = []
    try readWanted(survey, wants: wanted.contains) { object, _ in
      let id = XVersion1Post(object)?.quotedID.flatMap { UInt64($0) }
      if let found = id.flatMap(position) { quoted.insert(found) }
    }
    return quoted
  }

  /// Reads the posts at the wanted positions completely.
  private func readWanted(
    _ survey: ArchiveSurvey, progress: (Int) -> Void = { _ in }, wants: (Int) -> Bool,
    _ body: (JSONObject, Int) -> Void
  ) throws(ExportError) {
    var position = -1
    try readElements(layout.posts, progress: progress) { reader throws(JSONError) in
      position += 1
      guard position < survey.summaries.count, wants(position) else {
        try reader.skipValue()
        return false
      }
      let element = try reader.readValue()
      let post = ["tweet", "communityTweet", "community_tweet"].lazy.compactMap { element[$0]?.object }.first
      if let object = post ?? element.object { body(object, position) }
      return true
    }
  }
}
