import Basics
package import NetworkSources
package import ThreadModel

/// An importer that builds conversations from saved responses of X's API, from any number of files.
///
/// Each response is converted separately, because X sends posts together with all objects that they need. The results are merged field by
/// field (`Post.merged`), within one import as across several. `XPlacement` finds out which conversations are the same. The result depends
/// neither on the order of the files nor on their distribution over imports.
package struct XImporter: SavedAnswers {
  package static let platform = Platform.x

  /// The facts about one file, before the other files are read.
  private struct File: Sendable {
    var name: String
    /// The number of requested posts that are in a conversation.
    var posts = 0
    var reposts = 0
    var withoutAuthor: [String] = []
    /// Posts whose response does not state their conversation although the API could have returned it.
    var unplaced: [String] = []
    var badIDs: [String] = []
    /// The number of entries that are not posts.
    var unreadable = 0
    /// The reasons why responses in the file contain no posts.
    var reasons: [String] = []
    var unread: [String] = []
    /// Whether an error about the file was thrown to the caller.
    var isRefused = false
  }

  /// The conversations of each response, unordered; several may be the same conversation.
  private var parts: [Conversation] = []
  /// The summaries of all parts, including those that were removed.
  private var summaries: [XPlacement.ConversationSummary] = []
  private var files: [File] = []
  /// Posts that were included because they were reposted.
  private var repeated: Set<String> = []

  package init() {}

  /// Adds the responses in a file: one, an array, or one per line, each bare or as a recorded exchange.
  ///
  /// Throws if no response in the file contains posts. Otherwise each response without posts becomes a problem in the report. So does a
  /// truncated or damaged response in a file with one response per line.
  package mutating func take(_ bytes: [UInt8], file name: String) throws(SourceError) {
    var file = File(name: name)
    var reasons: [XEmptyReason] = []
    var holdsPosts = false
    var companions: [Conversation] = []
    let firstPart = parts.count
    defer { files.append(file) }
    let content: SavedResponses
    do throws(SourceError) {
      content = try XDocument.responses(in: bytes, file: name)
    } catch {
      file.isRefused = true
      throw error
    }
    for value in content.values {
      do throws(XEmptyReason) {
        let response = try XDocument.response(value)
        take(response, &file, &companions)
        if let reason = response.emptyReason { reasons.append(reason) } else { holdsPosts = true }
      } catch {
        reasons.append(error)
      }
    }
    parts += Self.belonging(companions, to: Array(parts[firstPart...]))
    summaries += parts[firstPart...].map(XPlacement.ConversationSummary.init)
    if !holdsPosts, let reason = reasons.first {
      file.isRefused = true
      throw SourceError(.content, reason.words, at: name)
    }
    file.reasons = Self.counted(reasons.map(\.words))
    file.unread = content.unread.map { $0.description(file: name) }
  }

  package mutating func removeParts() -> [Conversation] {
    defer { parts = [] }
    return parts
  }

  package mutating func add(_ other: XImporter) {
    parts += other.parts
    summaries += other.summaries
    files += other.files
    repeated.formUnion(other.repeated)
  }

  private mutating func take(_ response: XResponse, _ file: inout File, _ companions: inout [Conversation]) {
    let assembly = XAssembly([response])
    parts += assembly.conversations()
    companions += assembly.companions()
    repeated.formUnion(assembly.repeated)
    file.badIDs += assembly.asked.badIDs
    file.unreadable += response.unreadable
    for id in assembly.asked.posts {
      switch assembly.omitted[assembly.current(id)] {
      case .isRepost?: file.reposts += 1
      case .hasNoAuthor?: file.withoutAuthor.append(id)
      case nil:
        file.posts += 1
        if !response.isVersion1, assembly.conversationIDs.known(assembly.current(id)) == nil {
          file.unplaced.append(id)
        }
      }
    }
  }

  /// Returns the posts that were only included with other posts, but belong to requested threads of their authors. Reposting or quoting a
  /// post does not request it. But if the post's thread is in the same file, the post is added to the thread.
  ///
  /// Other files are ignored, so that the result does not depend on which files are imported together.
  private static func belonging(_ companions: [Conversation], to parts: [Conversation]) -> [Conversation] {
    guard !companions.isEmpty else { return [] }
    let all = parts + companions
    return XPlacement(all.map(XPlacement.ConversationSummary.init)).groups.flatMap { group in
      let authors = Set(group.members.filter { $0 < parts.count }.map { all[$0].authorID })
      return group.members.filter { $0 >= parts.count && authors.contains(all[$0].authorID) }.map { all[$0] }
    }
  }

  // MARK: Conversations

  package static func summary(of conversation: Conversation) -> XPlacement.ConversationSummary {
    XPlacement.ConversationSummary(conversation)
  }

  package static func isChosen(_ conversation: Conversation) -> Bool { conversation.isChosen }

  package func grouped(
    with stored: [XPlacement.ConversationSummary]
  ) -> (groups: [ConversationGroup], report: ImportReport) {
    let placement = XPlacement(summaries + stored)
    return (placement.groups, report(placement))
  }

  package static func resolve(_ parts: [Conversation], as id: PostID) -> [Conversation] {
    XPlacement.resolve(parts, as: id)
  }

  /// Returns the conversations, sorted by id and author, and the report, as for an empty store. No parts may have been removed.
  package func result() -> (conversations: [Conversation], report: ImportReport) {
    let (groups, report) = grouped(with: [])
    return (groups.flatMap { group in Self.resolve(group.members.map { parts[$0] }, as: group.id) }, report)
  }

  // MARK: Report

  /// Returns the report on each file, once the conversations are known. Few posts are without an author or only reposted, so only these
  /// are looked up.
  private func report(_ placement: XPlacement) -> ImportReport {
    let doubtful = repeated.union(files.lazy.flatMap(\.withoutAuthor))
    let numbers = Set(doubtful.compactMap(XID.number))
    let known =
      numbers.isEmpty
      ? [] : Set(summaries.lazy.flatMap(\.shown).filter(numbers.contains).map { String($0) })
    var result = ImportReport(files: files.map { report(on: $0, known, placement) })
    result.originals = repeated.count { !known.contains($0) }
    return result
  }

  private func report(on file: File, _ known: Set<String>, _ placement: XPlacement) -> ImportReport.File {
    var result = ImportReport.File(
      name: file.name, posts: file.posts, reposts: file.reposts, problems: file.reasons,
      unread: file.unread)
    // Another response may have named their authors.
    let lost = file.withoutAuthor.filter { !known.contains($0) }
    result.posts += file.withoutAuthor.count - lost.count
    if !lost.isEmpty {
      result.problems.append(
        "\(Self.count(lost)) without author_id: fetch again with \(Self.asking("author_id"))")
    }
    let unplaced = file.unplaced.filter { !placement.isPlaced($0) }
    if !unplaced.isEmpty {
      result.problems.append(
        "\(Self.count(unplaced)) that are replies without conversation_id: imported with the known posts that "
          + "they answer; to assign them to their conversations, fetch again with \(Self.asking("conversation_id"))"
      )
    }
    if !file.badIDs.isEmpty {
      result.problems.append(
        "\(Self.count(file.badIDs, "ids")) that are not strings of 1 to 19 digits, as X's ids are")
    }
    if file.unreadable > 0 {
      result.problems.append(
        file.unreadable == 1
          ? "1 entry without an id or text, which is not a post"
          : "\(file.unreadable) entries without an id or text, which are not posts")
    }
    guard result.posts == 0, !file.isRefused else { return result }
    if file.reposts > 0 {
      result.problems.append(
        "contains only reposts of others' posts (\(file.reposts)), which are not threads")
    }
    (result.refusals, result.problems) = (result.problems, [])
    return result
  }

  /// Returns each text once, followed by its number of occurrences.
  private static func counted(_ texts: [String]) -> [String] {
    let counts = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }.map { text in
      let count = counts[text] ?? 1
      return count == 1 ? text : "\(count) answers: \(text)"
    }
  }

  /// Returns `2 posts (1, 2)`; only the first few ids are listed.
  private static func count(_ ids: [String], _ what: String = "posts") -> String {
    let shown = ids.prefix(3).joined(separator: ", ") + (ids.count > 3 ? ", …" : "")
    return "\(ids.count) \(ids.count == 1 ? String(what.dropLast()) : what) (\(shown))"
  }

  private static func asking(_ field: String) -> String {
    "tweet.fields=\(field)"
  }
}
