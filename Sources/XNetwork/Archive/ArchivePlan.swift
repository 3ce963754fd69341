import Basics
package import NetworkSources
package import ThreadModel

/// The threads of an archive with their posts, and the posts that are left out.
package struct ArchivePlan: PlannedExport {
  struct Thread: Sendable {
    var conversation: UInt64
    /// Whether the conversation's id is X's own, which is the case if the archive has the first post.
    var isConversationKnown: Bool
    var posts = 0
  }

  /// The numbers of posts that were left out, unless stated otherwise.
  package struct Counts: Sendable, Hashable {
    package var reposts = 0
    package var earlierVersions = 0
    package var circle = 0
    package var replies = 0
    package var short = 0
    /// A number of threads.
    package var outOfRange = 0

    package init() {}
  }

  let survey: ArchiveSurvey
  private(set) var threads: [Thread] = []
  /// The position of the thread of each summary; -1 if it is in no thread.
  private(set) var threadOf: [Int32]
  /// The archive's post ids as numbers; X's ids grow with time.
  private var versions = PostVersions<UInt64>(<)
  package private(set) var counts = Counts()
  package private(set) var posts = 0
  /// The path of each media file to import, by its name in `conversations`.
  package private(set) var mediaPaths: [String: String] = [:]
  /// The media of these threads without a file in the archive: `<post id>-<name>`.
  package private(set) var mediaMissing: [String] = []

  package var threadCount: Int { threads.count }
  package var mediaWanted: Set<String> { Set(mediaPaths.values) }
  package var mediaAbsence: String? {
    archive.layout.media.isEmpty ? "there is no tweets_media folder in it" : nil
  }
  private var archive: XArchive { survey.archive }

  package var leftOut: [Omission] {
    [
      .short(counts.short), .replies(counts.replies), .reposts(counts.reposts),
      Omission(
        counts.earlierVersions, "earlier version of an edited post", "earlier versions of edited posts"),
      Omission(counts.circle, "post to a circle, which is private", "posts to a circle, which are private"),
      .outOfRange(counts.outOfRange),
      Omission(survey.unreadable, "entry that is not a post", "entries that are not posts"),
    ]
  }

  /// Finds the threads in the whole archive: chains of the author's replies to themselves.
  ///
  /// - Parameter conversationOf: returns the id of the known conversation that contains a post, for chains whose first post is missing from
  ///   the archive.
  package init(
    _ survey: ArchiveSurvey, _ choice: ExportChoice, conversationOf: (PostID) -> PostID? = { _ in nil }
  ) throws(SourceError) {
    self.survey = survey
    threadOf = Array(repeating: -1, count: survey.summaries.count)
    findVersions()
    let roots = roots()
    var sizes: [Int32: Int] = [:]
    for position in survey.sorted where roots[Int(position)] >= 0 {
      sizes[roots[Int(position)], default: 0] += 1
    }
    var threadOfRoot: [Int32: Int32] = [:]
    // Several chains may reply to one post that the archive lacks; they belong to one conversation.
    var threadOfConversation: [UInt64: Int32] = [:]
    for root in survey.sorted where roots[Int(root)] == root {
      let size = sizes[root] ?? 0
      guard let thread = thread(root, size, choice, conversationOf) else { continue }
      if let known = threadOfConversation[thread.conversation] {
        threadOfRoot[root] = known
        continue
      }
      threadOfRoot[root] = Int32(threads.count)
      threadOfConversation[thread.conversation] = Int32(threads.count)
      threads.append(thread)
    }
    for position in survey.sorted where roots[Int(position)] >= 0 {
      guard let thread = threadOfRoot[roots[Int(position)]] else { continue }
      threadOf[Int(position)] = thread
      threads[Int(thread)].posts += 1
      posts += 1
    }
    if choice.wantsMedia { try chooseMedia() }
  }

  /// The id of the conversation of a post in the plan, if the archive has its first post or the conversation is known.
  package func conversation(of id: PostID) -> PostID? {
    guard let number = UInt64(id.value), let position = survey.position(of: latest(number)),
      threadOf[position] >= 0
    else { return nil }
    let thread = threads[Int(threadOf[position])]
    return thread.isConversationKnown ? PostID(String(thread.conversation), on: .x) : nil
  }

  /// Whether the archive has a later version of the post.
  package func hasLaterVersion(of id: PostID) -> Bool { UInt64(id.value).map(versions.isSuperseded) ?? false }

  /// The id of the latest version in the archive.
  func latest(_ id: UInt64) -> UInt64 { versions.latest(id) }

  private mutating func findVersions() {
    for summary in survey.summaries where !summary.versions.isEmpty {
      let known = summary.versions.filter { survey.position(of: $0) != nil }
      guard let last = known.last else { continue }
      versions.add(summary.versions, replacedBy: last)
    }
    versions.resolve()
  }

  /// Returns the position of the first post of each summary's chain; -1 if it is in no chain.
  private mutating func roots() -> [Int32] {
    let unknown: Int32 = -2
    let open: Int32 = -3
    var roots = Array(repeating: Int32(-1), count: survey.summaries.count)
    for position in survey.sorted {
      let id = survey.summaries[Int(position)].id
      if versions.isSuperseded(id) {
        counts.earlierVersions += 1
      } else if survey.circle.contains(id) {
        counts.circle += 1
      } else {
        roots[Int(position)] = unknown
      }
    }
    // Private posts that are only in the separate file.
    counts.circle += survey.circle.count { $0 != 0 && survey.position(of: $0) == nil }
    for position in survey.sorted where roots[Int(position)] == unknown {
      var path: [Int] = []
      var current = Int(position)
      while roots[current] == unknown {
        roots[current] = open
        path.append(current)
        let parent = latest(survey.summaries[current].parent)
        guard parent != 0, let next = survey.position(of: parent), roots[next] != -1, roots[next] != open
        else {
          break
        }
        current = next
      }
      let root = roots[current] >= 0 ? roots[current] : Int32(path.last ?? current)
      for step in path { roots[step] = root }
    }
    return roots
  }

  /// Returns the thread that begins with a post. A thread that is not imported is counted, and the result is `nil`.
  private mutating func thread(
    _ root: Int32, _ size: Int, _ choice: ExportChoice, _ conversationOf: (PostID) -> PostID?
  ) -> Thread? {
    let summary = survey.summaries[Int(root)]
    // A post that looks like a repost but has a reply by its author was typed by the author.
    if summary.isRepost, size == 1, summary.parent == 0 {
      counts.reposts += 1
      return nil
    }
    let isReply = summary.parent != 0 && String(summary.parentAuthor) != survey.author.id.value
    guard choice.includesReplies || !isReply else {
      counts.replies += size
      return nil
    }
    guard size >= choice.minPosts else {
      counts.short += size
      return nil
    }
    guard choice.covers(summary.time) else {
      counts.outOfRange += 1
      return nil
    }
    guard summary.parent != 0 else { return Thread(conversation: summary.id, isConversationKnown: true) }
    let known =
      conversationOf(PostID(String(summary.id), on: .x))
      ?? conversationOf(PostID(String(summary.parent), on: .x))
    if let id = known.flatMap({ UInt64($0.value) }) {
      return Thread(conversation: id, isConversationKnown: true)
    }
    return Thread(conversation: latest(summary.parent), isConversationKnown: false)
  }

  /// Chooses the media files of the threads' posts and of the author's posts that these quote, and records the files that the
  /// archive lacks.
  private mutating func chooseMedia() throws(SourceError) {
    let quoted = try quotedPosts()
    for position in survey.sorted where threadOf[Int(position)] >= 0 || quoted.contains(Int(position)) {
      let summary = survey.summaries[Int(position)]
      for names in summary.media where !names.isEmpty {
        let found = Self.fileNames(ids: [summary.id] + summary.versions.reversed(), names)
          .first { archive.layout.media[$0] != nil }
        if let found, let entry = archive.layout.media[found] {
          mediaPaths[entry.path] = found
        } else {
          mediaMissing.append("\(summary.id)-\(names[0])")
        }
      }
    }
    chooseAvatar()
  }

  /// Returns the possible names of a file, best first: the id of the post, or of another version of it, and the name.
  static func fileNames(ids: [UInt64], _ names: [String]) -> [String] {
    names.flatMap { name in ids.map { "\($0)-\(name)" } }
  }

  /// Returns the names that a media file may have in the archive.
  package static func fileNames(of media: Media, in post: Post) -> [String] {
    let ids = ([post.id] + post.earlierVersions.reversed()).compactMap { UInt64($0.value) }
    return fileNames(ids: ids, MediaNames.names(of: media))
  }

  private mutating func chooseAvatar() {
    guard !threads.isEmpty, let name = survey.avatar.flatMap(MediaNames.name) else { return }
    let files = archive.layout.profileMedia
    guard let entry = files["\(survey.author.id.value)-\(name)"] ?? files[name] else { return }
    mediaPaths[entry.path] = Self.avatarName
  }

  /// The reserved name of the avatar. No file of a post has this name.
  static let avatarName = "avatar"

  // MARK: Reading

  /// Returns the positions of the author's posts that the threads quote.
  ///
  /// Only the complete text of a post shows which of its links is the quote. So the few posts that link to posts of the archive are read
  /// again.
  private func quotedPosts() throws(SourceError) -> Set<Int> {
    func position(_ id: UInt64) -> Int? {
      let id = latest(id)
      return survey.circle.contains(id) ? nil : survey.position(of: id)
    }
    let candidates = survey.summaries.indices.filter { index in
      threadOf[index] >= 0 && survey.summaries[index].linked.contains { position($0) != nil }
    }
    guard !candidates.isEmpty else { return [] }
    let wanted = Set(candidates)
    var quoted: Set<Int> = []
    try archive.readWanted(survey, wants: wanted.contains) { object, _ in
      let id = XVersion1Post(object)?.quotedID.flatMap { UInt64($0) }
      if let found = id.flatMap(position) { quoted.insert(found) }
    }
    return quoted
  }

  package func readMedia(
    _ names: Set<String>, _ body: (String, any EntryBytes) throws(SourceError) -> Void
  ) throws(SourceError) {
    let wanted = mediaPaths.filter { names.contains($0.value) }
    try archive.source.read(Set(wanted.keys)) { (entry, content) throws(SourceError) in
      guard let name = wanted[entry.path] else { return }
      try body(name, content)
    }
  }

  /// Reads the posts of the threads, and passes on each conversation as soon as all of its posts are read.
  @discardableResult
  package func conversations(
    files: [String: ArchivedMedia], emit: (Conversation) -> Void
  ) throws(SourceError) -> Int {
    var assembly = ArchiveAssembly(self, files)
    try archive.readWanted(survey, wants: { threadOf[$0] >= 0 }) { object, position in
      assembly.add(object, at: position)
      for conversation in assembly.takeFinished() { emit(conversation) }
    }
    // The author's quoted posts from other threads or outside threads.
    if !assembly.quoted.isEmpty {
      let quoted = assembly.quoted
      try archive.readWanted(survey, wants: quoted.contains) { object, position in
        assembly.add(quoted: object, at: position)
      }
    }
    for conversation in assembly.takeRest() { emit(conversation) }
    return assembly.notesUsed
  }
}

/// The names of media files in an archive: `<post id>-<last part of the URL>`.
enum MediaNames {
  /// Returns the names for a media object of version 1.1, best first: a photo's picture, or a video's files by bitrate. A video's preview
  /// picture is not among them.
  static func names(of media: JSONObject) -> [String] {
    let variants = media["video_info"]?["variants"]?.array ?? []
    if !variants.isEmpty {
      let videos = variants.compactMap { variant -> MediaVariant? in
        guard let url = variant["url"]?.string else { return nil }
        let bitrate = variant["bitrate"].flatMap { $0.int ?? $0.string.flatMap { Int($0) } }
        return MediaVariant(url: url, contentType: variant["content_type"]?.string, bitrate: bitrate)
      }
      return names(of: videos)
    }
    let url = media["media_url_https"]?.string ?? media["media_url"]?.string
    return url.flatMap(name).map { [$0] } ?? []
  }

  /// Returns the names for a media item of the model.
  static func names(of media: Media) -> [String] {
    media.variants.isEmpty ? media.url.flatMap(name).map { [$0] } ?? [] : names(of: media.variants)
  }

  private static func names(of variants: [MediaVariant]) -> [String] {
    variants.filter { $0.contentType != "application/x-mpegURL" }
      .sorted { ($0.bitrate ?? -1, $0.url) > ($1.bitrate ?? -1, $1.url) }
      .compactMap { name($0.url) }
  }

  /// Returns the last part of a URL, without the query.
  static func name(_ url: String) -> String? {
    let path = url.prefix(upToBytes: "?#")
    guard let name = path.split(atBytes: "/").last, !name.isEmpty else { return nil }
    return String(name)
  }
}
