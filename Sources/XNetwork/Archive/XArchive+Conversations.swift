import JSONText
package import NetworkSources
package import ThreadModel

extension XArchive {
  /// Reads the posts of a plan's threads, and gives each conversation as soon as all of its posts are in.
  ///
  /// - Parameters:
  ///   - files: what became of the media, by the names that `readMedia` gave.
  ///   - progress: called with the bytes of posts read so far.
  /// - Returns: how many posts took their text from a note.
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
    // The author's own posts that they quote from other threads, or from none.
    if !assembly.quoted.isEmpty {
      let quoted = assembly.quoted
      try readWanted(survey, wants: { quoted.contains($0) }) { object, position in
        assembly.add(quoted: object, at: position)
      }
    }
    for conversation in assembly.takeRest() { emit(conversation) }
    return assembly.notesUsed
  }

  /// The positions of the author's own posts that a plan's threads quote.
  ///
  /// Which of its links a post quotes is told by its whole text: those few are read that link to a post of the archive.
  func quotedPosts(_ plan: ArchivePlan, _ survey: ArchiveSurvey) throws(ExportError) -> Set<Int> {
    func position(_ id: UInt64) -> Int? {
      let id = plan.latest(id)
      return survey.circle.contains(id) ? nil : survey.position(of: id)
    }
    let candidates = survey.sketches.indices.filter { index in
      plan.threadOf[index] >= 0 && survey.sketches[index].linked.contains { position($0) != nil }
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

  /// Reads those posts in full that stand at wanted positions.
  private func readWanted(
    _ survey: ArchiveSurvey, progress: (Int) -> Void = { _ in }, wants: (Int) -> Bool,
    _ body: (JSONObject, Int) -> Void
  ) throws(ExportError) {
    var position = -1
    try readElements(layout.posts, progress: progress) { reader throws(JSONError) in
      position += 1
      guard position < survey.sketches.count, wants(position) else {
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
