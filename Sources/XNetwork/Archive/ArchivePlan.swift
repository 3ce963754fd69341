import Basics
package import NetworkSources
package import ThreadModel

/// The threads of an archive: which posts are in which, and what is left out.
package struct ArchivePlan: Sendable {
  struct Thread: Sendable {
    var conversation: UInt64
    /// Whether the network calls the conversation so, too: it does where the archive holds the first post.
    var isConversationKnown: Bool
    var posts = 0
  }

  /// What was left out, in posts unless it says otherwise.
  package struct Counts: Sendable, Hashable {
    package var reposts = 0
    package var earlierVersions = 0
    package var circle = 0
    package var replies = 0
    package var short = 0
    /// Threads.
    package var outOfRange = 0

    package init() {}
  }

  var threads: [Thread] = []
  /// For each sketch the position of its thread; -1 for none.
  var threadOf: [Int32]
  /// Ids of the archive, as numbers: X's grow with time.
  private var versions = PostVersions<UInt64>(<)
  package var counts = Counts()
  /// Posts in threads.
  package var posts = 0
  /// The path of each file of media that is wanted, and the name by which `conversations` knows it.
  package var mediaWanted: [String: String] = [:]
  /// Media of these threads whose files are not in the archive: `<post id>-<name>`.
  package var mediaMissing: [String] = []
  package var avatarPath: String?

  package var threadCount: Int { threads.count }

  /// Finds the threads: chains of the author's answers to themselves, over the whole archive.
  ///
  /// - Parameter conversationOf: the id of the conversation that is known to hold a post, for chains whose first post
  ///   the archive lacks.
  package init(
    _ survey: ArchiveSurvey, _ choice: ExportChoice, conversationOf: (PostID) -> PostID? = { _ in nil }
  ) {
    threadOf = Array(repeating: -1, count: survey.sketches.count)
    findVersions(survey)
    let roots = roots(survey)
    var sizes: [Int32: Int] = [:]
    for position in survey.sorted where roots[Int(position)] >= 0 {
      sizes[roots[Int(position)], default: 0] += 1
    }
    var threadOfRoot: [Int32: Int32] = [:]
    // Several chains may answer one post that the archive lacks: they are in one conversation.
    var threadOfConversation: [UInt64: Int32] = [:]
    for root in survey.sorted where roots[Int(root)] == root {
      let size = sizes[root] ?? 0
      guard let thread = thread(survey, root, size, choice, conversationOf) else { continue }
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
  }

  /// The conversation of a post that the plan takes, where the archive has its beginning or somebody else knew it.
  package func conversation(of id: PostID, in survey: ArchiveSurvey) -> PostID? {
    guard let number = UInt64(id.value), let position = survey.position(of: latest(number)),
      threadOf[position] >= 0
    else { return nil }
    let thread = threads[Int(threadOf[position])]
    return thread.isConversationKnown ? PostID(String(thread.conversation), on: .x) : nil
  }

  /// Whether the archive has the post in a later version.
  package func hasLaterVersion(of id: PostID) -> Bool { UInt64(id.value).map(versions.isSuperseded) ?? false }

  /// The id of the latest version in the archive.
  func latest(_ id: UInt64) -> UInt64 { versions.latest(id) }

  private mutating func findVersions(_ survey: ArchiveSurvey) {
    for sketch in survey.sketches where !sketch.versions.isEmpty {
      let known = sketch.versions.filter { survey.position(of: $0) != nil }
      guard let last = known.last else { continue }
      versions.add(sketch.versions, replacedBy: last)
    }
    versions.resolve()
  }

  /// For each sketch the position of the first post of its chain; -1 for what is in none.
  private mutating func roots(_ survey: ArchiveSurvey) -> [Int32] {
    let unknown: Int32 = -2
    let open: Int32 = -3
    var roots = Array(repeating: Int32(-1), count: survey.sketches.count)
    for position in survey.sorted {
      let id = survey.sketches[Int(position)].id
      if versions.isSuperseded(id) {
        counts.earlierVersions += 1
      } else if survey.circle.contains(id) {
        counts.circle += 1
      } else {
        roots[Int(position)] = unknown
      }
    }
    // Those that are in a file of their own only.
    counts.circle += survey.circle.count { $0 != 0 && survey.position(of: $0) == nil }
    for position in survey.sorted where roots[Int(position)] == unknown {
      var path: [Int] = []
      var current = Int(position)
      while roots[current] == unknown {
        roots[current] = open
        path.append(current)
        let parent = latest(survey.sketches[current].parent)
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

  /// The thread that begins with a post, where it is wanted; otherwise it is counted.
  private mutating func thread(
    _ survey: ArchiveSurvey, _ root: Int32, _ size: Int, _ choice: ExportChoice,
    _ conversationOf: (PostID) -> PostID?
  ) -> Thread? {
    let sketch = survey.sketches[Int(root)]
    // A post that begins so and was answered by its author is one that they typed.
    if sketch.isRepost, size == 1, sketch.parent == 0 {
      counts.reposts += 1
      return nil
    }
    let isReply = sketch.parent != 0 && String(sketch.parentAuthor) != survey.author.id.value
    guard choice.includesReplies || !isReply else {
      counts.replies += size
      return nil
    }
    guard size >= choice.minPosts else {
      counts.short += size
      return nil
    }
    guard choice.covers(sketch.time) else {
      counts.outOfRange += 1
      return nil
    }
    guard sketch.parent != 0 else { return Thread(conversation: sketch.id, isConversationKnown: true) }
    let known =
      conversationOf(PostID(String(sketch.id), on: .x))
      ?? conversationOf(PostID(String(sketch.parent), on: .x))
    if let id = known.flatMap({ UInt64($0.value) }) {
      return Thread(conversation: id, isConversationKnown: true)
    }
    return Thread(conversation: latest(sketch.parent), isConversationKnown: false)
  }

  /// Chooses the files of media that the threads' posts show, and the author's own posts that these quote, and notes those that the
  /// archive lacks.
  package mutating func chooseMedia(_ survey: ArchiveSurvey, in archive: XArchive) throws(ExportError) {
    let quoted = try archive.quotedPosts(self, survey)
    for position in survey.sorted where threadOf[Int(position)] >= 0 || quoted.contains(Int(position)) {
      let sketch = survey.sketches[Int(position)]
      for names in sketch.media where !names.isEmpty {
        let found = Self.fileNames(ids: [sketch.id] + sketch.versions.reversed(), names)
          .first { archive.layout.media[$0] != nil }
        if let found, let entry = archive.layout.media[found] {
          mediaWanted[entry.path] = found
        } else {
          mediaMissing.append("\(sketch.id)-\(names[0])")
        }
      }
    }
    chooseAvatar(survey, in: archive)
  }

  /// The names that a file may have, best first: the post's id, or that of another version of it, and the name.
  static func fileNames(ids: [UInt64], _ names: [String]) -> [String] {
    names.flatMap { name in ids.map { "\($0)-\(name)" } }
  }

  /// The names that the archive may have a media's file under.
  package static func fileNames(of media: Media, in post: Post) -> [String] {
    let ids = ([post.id] + post.earlierVersions.reversed()).compactMap { UInt64($0.value) }
    return fileNames(ids: ids, MediaNames.names(of: media))
  }

  private mutating func chooseAvatar(_ survey: ArchiveSurvey, in archive: XArchive) {
    guard !threads.isEmpty, let name = survey.avatar.flatMap(MediaNames.name) else { return }
    let entry =
      archive.layout.profileMedia["\(survey.author.id.value)-\(name)"] ?? archive.layout.profileMedia[name]
    guard let entry else { return }
    avatarPath = entry.path
    mediaWanted[entry.path] = Self.avatarName
  }

  /// No post's file is called so.
  static let avatarName = "avatar"
}

/// The names under which an archive keeps media: `<post id>-<last part of the address>`.
enum MediaNames {
  /// For a media object of version 1.1, best first: a photo's picture; a video's files by their bitrates, then nothing, as its
  /// picture is no video.
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

  /// For a media of the model.
  static func names(of media: Media) -> [String] {
    media.variants.isEmpty ? media.url.flatMap(name).map { [$0] } ?? [] : names(of: media.variants)
  }

  private static func names(of variants: [MediaVariant]) -> [String] {
    variants.filter { $0.contentType != "application/x-mpegURL" }
      .sorted { ($0.bitrate ?? -1, $0.url) > ($1.bitrate ?? -1, $1.url) }
      .compactMap { name($0.url) }
  }

  /// The last part of an address, without its query.
  static func name(_ url: String) -> String? {
    let path = url.prefix(upToBytes: "?#")
    guard let name = path.split(atBytes: "/").last, !name.isEmpty else { return nil }
    return String(name)
  }
}
