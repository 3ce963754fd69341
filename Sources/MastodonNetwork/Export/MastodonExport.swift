import Basics
import NetworkSources
import SiteConfig
package import ThreadModel

/// An archive that Mastodon, Pleroma and related servers provide to their users, as a zip or tar.gz file or unpacked. Or only its
/// `outbox.json`, which is all that snac provides. Or a list of statuses, such as Pixelfed's `pixelfed-statuses.json`, or of notes, as
/// Misskey and related servers export them.
struct MastodonExport: ThreadExport {
  let path: String
  let passedOver: [String]
  let neverOpened: String? = "likes, bookmarks, and everything except posts and the profile"
  let withoutMedia =
    "`threadsite fetch --all` fetches the files that the server still has"
  /// `nil` if the export is only one JSON file.
  fileprivate let source: (any ArchiveSource)?
  private let form: Form
  /// The account of a list of notes, which does not name it.
  private var owner: ActivityActor?
  private let outbox: ArchiveEntry
  private let actor: ArchiveEntry?
  /// The other files of the archive, by their paths in `actor.json` and `outbox.json`.
  fileprivate let media: [String: ArchiveEntry]

  /// In bytes; enough for a million posts.
  private static let largestOutbox = 1 << 30
  /// In bytes.
  private static let largestActor = 4 << 20

  /// Opens an export; returns `nil` if the path is not an export of the Fediverse.
  ///
  /// - Throws: ``SourceError`` if the export cannot be read, or if it is an export without posts, such as a CSV file.
  static func open(_ path: String) throws(SourceError) -> MastodonExport? {
    let rules = MastodonArchiveRules()
    if FileSystem.isFolder(path) {
      guard isUnpacked(path) else { return nil }
      return try MastodonExport(FolderArchive(path: path, rules))
    }
    if path.lowercased().hasByteSuffix(".csv") {
      throw SourceError(
        export: path,
        "a CSV file contains no posts. GoToSocial exports only CSV files: fetch threads from the server by their URLs instead. "
          + "For Mastodon, request the archive in the preferences under \"Import and export\"")
    }
    let format: PackedArchive.Format?
    do throws(FileError) {
      format = try PackedArchive.Format.of(path)
    } catch {
      // The error is reported when the file has to be read.
      return nil
    }
    switch format {
    case .tar: return try MastodonExport(PackedArchive(path: path, .tar, rules))
    case .zip:
      let archive = PackedArchive(path: path, .zip, rules)
      let listing: ArchiveListing
      do throws(SourceError) {
        listing = try archive.list()
      } catch {
        // Other errors are left to the network that accepts all zip files.
        guard error.kind == .content, error.place?.hasPrefix("\(path)/") == true else { return nil }
        throw error
      }
      guard listing.entries.contains(where: { rules.role(of: $0.path) == .facts }) else { return nil }
      return try MastodonExport(archive, listing)
    case nil:
      return form(of: path).map { MastodonExport(file: path, $0) }
    }
  }

  /// Whether a folder, or a folder in it as deep as the rules allow, has an `outbox.json`.
  private static func isUnpacked(_ folder: String, depth: Int = 0) -> Bool {
    if FileSystem.kind(of: "\(folder)/\(MastodonArchiveRules.posts)") != .nothing { return true }
    guard depth < MastodonArchiveRules.deepest else { return false }
    // A folder that cannot be listed counts as empty; symbolic links to folders are not followed.
    return (try? FileSystem.entries(of: folder))?.contains {
      $0.kind == .folder && !PathText.isHidden($0.name)
        && isUnpacked("\(folder)/\($0.name)", depth: depth + 1)
    } ?? false
  }

  /// The form of the file of posts.
  enum Form { case outbox, statuses, notes }

  /// In bytes.
  private static let head = 64 << 10
  /// Members of every status, in the order of the API's documentation: https://docs.joinmastodon.org/entities/Status/. Posts of other
  /// networks lack at least one of them.
  private static let statusMembers = ["in_reply_to_id", "in_reply_to_account_id", "visibility", "account"]

  /// Members of every note in an export of Misskey (`ExportNotesProcessorService.ts`) that posts of other networks lack.
  private static let noteMembers = ["replyId", "renoteId", "fileIds", "visibility", "localOnly"]

  /// Returns the form of a file that begins like a collection of ActivityPub or like a list of statuses or notes; `nil` for other files, and
  /// for files that cannot be read.
  private static func form(of path: String) -> Form? {
    guard path.lowercased().hasByteSuffix(".json"), let file = try? OpenFile(path),
      let bytes = try? file.bytes(head, at: 0)  // an error is reported when the file has to be read
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let start = text.prefix(100).filter { !$0.isWhitespace }
    func hasMembers(_ names: [String]) -> Bool {
      names.allSatisfy { text.firstRange(of: "\"\($0)\"") != nil }
    }
    if start.hasPrefix("[{") {
      if hasMembers(statusMembers) { return .statuses }
      if hasMembers(noteMembers) { return .notes }
    }
    let isOutbox =
      text.firstRange(of: "https://www.w3.org/ns/activitystreams") != nil
      && text.firstRange(of: "\"OrderedCollection\"") != nil
    return isOutbox ? .outbox : nil
  }

  /// - Parameter path: a file of posts that is not in an archive.
  init(file path: String, _ form: Form) {
    self.path = path
    self.form = form
    passedOver = []
    source = nil
    outbox = ArchiveEntry(path: path, size: FileSystem.size(of: path))
    actor = nil
    media = [:]
  }

  private init(_ source: any ArchiveSource) throws(SourceError) { try self.init(source, try source.list()) }

  private init(_ source: any ArchiveSource, _ listing: ArchiveListing) throws(SourceError) {
    self.source = source
    form = .outbox
    path = source.path
    passedOver = listing.passedOver
    let outboxes = listing.entries.filter { $0.name == MastodonArchiveRules.posts }
    guard let outbox = outboxes.first else {
      throw SourceError(
        export: path,
        "there is no \(MastodonArchiveRules.posts) in it, the file of posts of Mastodon archives")
    }
    guard outboxes.count == 1 else {
      throw SourceError(
        export: path,
        "contains more than one archive (\(outboxes.map(\.path).sorted().joined(separator: ", "))): unpack it, and import each "
          + "folder")
    }
    self.outbox = outbox
    let folder = outbox.path.utf8.count - outbox.name.utf8.count
    func within(_ entry: ArchiveEntry) -> String? {
      guard entry.path.utf8.starts(with: outbox.path.utf8.prefix(folder)) else { return nil }
      return String(decoding: entry.path.utf8.dropFirst(folder), as: UTF8.self)
    }
    actor = listing.entries.first { within($0) == MastodonArchiveRules.account }
    var media: [String: ArchiveEntry] = [:]
    for entry in listing.entries {
      guard let path = within(entry), path != MastodonArchiveRules.posts else { continue }
      let name = ActivityNote.localPath(path) ?? path
      if media[name] == nil { media[name] = entry }
    }
    self.media = media
  }

  func survey(progress: (_ done: Int, _ total: Int) -> Void) throws(SourceError) -> any SurveyedExport {
    var actor: ActivityActor?
    if let entry = self.actor {
      let value = try parse(entry, atMost: Self.largestActor) { bytes throws(JSONError) in
        try JSONValue(parsing: bytes)
      }
      actor = ActivityActor(value)
      guard actor != nil else {
        throw SourceError(export: path, entry.path, "does not describe an account of the Fediverse")
      }
    }
    if form == .notes, owner == nil {
      throw SourceError(
        export: path,
        "this list of notes does not name its account: import it with --account and the URL of the account's page, such as "
          + "`--account https://social.example/@ada`, or write the URL as `by` beside `archive` in site.yml")
    }
    let size = max(1, (outbox.size ?? 0) >> 20)
    let posts = try parse(outbox, atMost: Self.largestOutbox) { bytes throws(JSONError) in
      switch form {
      case .outbox: try MastodonOutbox(bytes, by: actor)
      case .statuses: try MastodonOutbox(statuses: bytes)
      case .notes: try owner.map { owner throws(JSONError) in try MastodonOutbox(notes: bytes, by: owner) }
      }
    }
    progress(size, size)
    guard let posts else {
      throw SourceError(
        export: path,
        "contains no posts and does not name its account, such as exports of GoToSocial. Pixelfed's posts are in pixelfed-statuses.json"
      )
    }
    return SurveyedMastodonExport(export: self, outbox: posts)
  }

  func of(_ account: AccountReference) throws(SourceError) -> any ThreadExport {
    guard form == .notes else { throw SourceError(namesItsAccount: path) }
    // An account of one server may be given by its page on another.
    let parts = account.handle.split(atBytes: "@")
    guard account.platform == .mastodon, let name = parts.first,
      let host = parts.count == 2 ? String(parts[1]) : account.instance,
      let owner = ActivityActor(address: "https://\(host)/@\(name)")
    else {
      throw SourceError(
        export: path,
        "the account of these notes is on a server of the Fediverse: write its URL, such as https://social.example/@ada"
      )
    }
    var export = self
    export.owner = owner
    return export
  }

  func readingList(_ kind: ReadingList.Kind) throws(SourceError) -> ReadingList {
    try MastodonReadingList(path: path, kind: kind).list()
  }

  private func parse<Value>(
    _ entry: ArchiveEntry, atMost limit: Int, _ body: ([UInt8]) throws(JSONError) -> Value
  ) throws(SourceError) -> Value {
    let bytes = try self.bytes(of: entry, atMost: limit)
    do {
      return try body(bytes)
    } catch {
      throw SourceError(error, in: source == nil ? path : "\(path)/\(entry.path)")
    }
  }

  private func bytes(of entry: ArchiveEntry, atMost limit: Int) throws(SourceError) -> [UInt8] {
    guard let source else {
      do {
        return try FileBytes.read(path, atMost: limit)
      } catch {
        throw SourceError(error)
      }
    }
    var bytes: [UInt8] = []
    try source.read([entry.path]) { (entry, content) throws(SourceError) in
      bytes = try PackedArchive.bytes(of: content, atMost: limit) {
        SourceError(export: path, entry.path, "is too large")
      }
    }
    return bytes
  }
}

/// An export whose posts and account have been read.
struct SurveyedMastodonExport: SurveyedExport {
  let export: MastodonExport
  let outbox: MastodonOutbox

  /// The reserved name of the author's picture among the media ids. No attachment's id consists only of letters.
  fileprivate static let picture = "avatar"

  var author: Author {
    let id = outbox.account
    let fields = MastodonFields(outbox.accountFields)
    // The account created from an actor always has an id and a name.
    var author =
      (try? MastodonAccount(fields))?.author(on: outbox.actor.server, seenAt: nil)
      ?? Author(id: outbox.actor.server.author(id))
    author.archive = ArchiveObservation(date: date)
    return author
  }

  var date: Timestamp? { outbox.date }
  var posts: Int { outbox.count }
  var readPosts: Int { outbox.count }
  /// Unknown: `totalItems` may be wrong.
  var expectedPosts: Int? { nil }
  var shortfalls: [String] { [] }
  var doubts: [String] { [] }
  var advice: String { "Request a new archive in the server's preferences" }

  func by(_ author: AuthorID) -> any SurveyedExport {
    SurveyedMastodonExport(export: export, outbox: outbox.by(author.value))
  }

  func holds(_ id: PostID) -> Bool { outbox.holds(id) }
  func fileNames(of media: Media, in post: Post) -> [String] { [media.id] }

  func plan(
    _ choice: ExportChoice, conversationOf: (PostID) -> PostID?
  ) throws(SourceError) -> any PlannedExport {
    var plan = PlannedMastodonExport(survey: self, fetchIndex: outbox.fetchIndex)
    plan.choose(choice)
    return plan
  }
}

/// An export with the threads and media that the user chose from it.
struct PlannedMastodonExport: PlannedExport {
  let survey: SurveyedMastodonExport
  let fetchIndex: MastodonFetchIndex
  private var threads: [(top: String, part: MastodonFetchIndex)] = []
  /// The first posts of the chosen threads, by the ids of the threads' posts.
  private var tops: [String: String] = [:]
  /// The chosen media files, by the ids of the media.
  private var files: [String: ArchiveEntry] = [:]
  private(set) var mediaMissing: [String] = []
  /// The number of posts in threads that answer other posts.
  private var replies = 0
  /// The number of posts in threads with fewer posts than wanted.
  private var short = 0
  /// The number of unlisted threads.
  private var unlisted = 0
  /// The number of threads outside the wanted period.
  private var outOfRange = 0

  fileprivate init(survey: SurveyedMastodonExport, fetchIndex: MastodonFetchIndex) {
    self.survey = survey
    self.fetchIndex = fetchIndex
  }

  private var account: String { survey.outbox.account }
  private var server: MastodonServer { fetchIndex.server }

  fileprivate mutating func choose(_ choice: ExportChoice) {
    let chains = fetchIndex.chains(by: account).sorted { server.post($0.top) < server.post($1.top) }
    for (top, part) in chains {
      let members = part.chain(from: top, by: account)
      guard !members.isEmpty else { continue }
      let first = part.statuses[top]
      let time = first?.createdAt ?? members.compactMap { part.statuses[$0]?.createdAt }.min()
      if (first?.inReplyTo ?? part.withheld[top]?.inReplyTo) != nil, !choice.includesReplies {
        replies += members.count
      } else if members.count < choice.minPosts {
        short += members.count
      } else if !choice.covers(time) {
        outOfRange += 1
      } else if !choice.includesUnlisted,
        first?.audience == .unlisted
          || !members.contains(where: { part.statuses[$0]?.audience == .everybody })
      {
        unlisted += 1
      } else {
        threads.append((top, part))
        for id in members { tops[id] = top }
        if choice.wantsMedia { chooseMedia(of: members.sorted()) }
      }
    }
    if choice.wantsMedia, !threads.isEmpty, let picture = survey.outbox.actor.picture {
      files[SurveyedMastodonExport.picture] = survey.export.media[picture]
    }
  }

  /// Records the media files of posts, and of the author's posts that they quote, and which of these files are missing from the archive.
  private mutating func chooseMedia(of members: [String]) {
    let quoted = members.compactMap { fetchIndex.statuses[$0].flatMap(MastodonQuote.init)?.id }
    for id in members + quoted {
      guard let status = fetchIndex.statuses[id] else { continue }
      for (position, fields) in status.fields.list("media_attachments").enumerated() {
        guard let path = fields.text(ActivityNote.archivePath) else { continue }
        let media = Media(mastodon: fields, position: position, of: id)
        if let entry = survey.export.media[path] {
          files[media.id] = entry
        } else if media.url == nil {
          mediaMissing.append(path)
        }
      }
    }
  }

  var threadCount: Int { threads.count }
  var posts: Int { tops.count }
  var mediaWanted: Set<String> { Set(files.keys) }

  var mediaAbsence: String? {
    let hasAny = survey.export.media.keys.contains { $0.hasBytePrefix(ActivityNote.mediaFolder) }
    return hasAny || survey.export.source == nil ? nil : "there is no media_attachments folder in it"
  }

  var leftOut: [Omission] {
    let outbox = survey.outbox
    func limited(_ audience: String) -> Int { outbox.limited[audience] ?? 0 }
    return [
      .short(short), .replies(replies),
      Omission(limited("private"), "post for followers only", "posts for followers only"),
      Omission(
        limited("direct"), "direct message",
        "direct messages"),
      Omission(limited("local"), "post for its server only", "posts for their server only"),
      Omission(
        unlisted, "unlisted thread (--unlisted imports it)", "unlisted threads (--unlisted imports them)"),
      Omission(outbox.boosts, "boost of another's post", "boosts of others' posts"),
      .outOfRange(outOfRange),
      Omission(
        outbox.foreign, "entry of another account or server",
        "entries of another account or server"),
      Omission(
        outbox.circles, "post in a cycle of replies, whose first post was treated as the start",
        "posts in cycles of replies, whose first posts were treated as the start"),
    ]
      + outbox.others.sorted { $0.key < $1.key }.map { kind, count in
        Omission(count, "entry that is not a post (\(kind))", "entries that are not posts (\(kind))")
      }
  }

  func conversation(of id: PostID) -> PostID? {
    guard survey.holds(id) else { return nil }
    return tops[id.value].map(server.post)
  }

  func hasLaterVersion(of id: PostID) -> Bool { false }

  func readMedia(
    _ names: Set<String>, _ body: (String, any EntryBytes) throws(SourceError) -> Void
  ) throws(SourceError) {
    let wanted = files.filter { names.contains($0.key) }
    let byPath = Dictionary(grouping: wanted, by: \.value.path).compactMapValues { $0.map(\.key).min() }
    try survey.export.source?.read(Set(byPath.keys)) { (entry, content) throws(SourceError) in
      if let name = byPath[entry.path] { try body(name, content) }
    }
  }

  // MARK: Conversations

  func conversations(
    files: [String: ArchivedMedia], emit: (Conversation) -> Void
  ) throws(SourceError) -> Int {
    var author = survey.author
    author.avatarFile = files[SurveyedMastodonExport.picture]?.file
    for (top, part) in threads {
      var conversation = part.conversation(from: top, by: account, source: .mastodonArchive).conversation
      let members = Set(conversation.posts.map(\.id))
      conversation.posts = conversation.posts.map { archived($0, files) }
      conversation.related = quoted(by: conversation.posts, beside: members).map { archived($0, files) }
      conversation.authors = [author]
      var named = members.union(conversation.related.map(\.id))
      conversation.tombstones = conversation.tombstones.map(archived).filter { named.insert($0.id).inserted }
      for id in conversation.posts.compactMap(\.quotes) where named.insert(id).inserted {
        conversation.tombstones.append(Tombstone(id: id, reason: .notInArchive))
      }
      conversation.provenance = [Provenance(source: .mastodonArchive, fetchedAt: survey.date)]
      emit(conversation)
    }
    return 0
  }

  /// Returns the author's posts that the given posts quote, without known ones.
  private func quoted(by posts: [Post], beside known: Set<PostID>) -> [Post] {
    let ids = Set(posts.compactMap(\.quotes)).subtracting(known)
    return ids.sorted().compactMap { id in
      guard survey.holds(id), let status = fetchIndex.statuses[id.value] else { return nil }
      return try? status.post(on: server, seenAt: nil)  // posts that are too long were left out while reading
    }
  }

  /// Returns a post marked as read from the archive, with its media files, and with the real ids of posts on other servers.
  private func archived(_ post: Post, _ files: [String: ArchivedMedia]) -> Post {
    var facts = post.facts
    facts.archive = ArchiveObservation(date: survey.date)
    facts.observedAt = nil
    facts.inReplyTo = facts.inReplyTo.map(realID)
    facts.quotes = facts.quotes.map(realID)
    for index in facts.media.indices {
      guard let file = files[facts.media[index].id] else { continue }
      facts.media[index].file = file.file
      facts.media[index].isFileFromArchive = true
      if let width = file.width, let height = file.height {
        (facts.media[index].width, facts.media[index].height) = (width, height)
      }
      facts.media[index].durationMilliseconds =
        file.durationMilliseconds ?? facts.media[index].durationMilliseconds
    }
    return Post(facts)
  }

  private func archived(_ stone: Tombstone) -> Tombstone {
    let id = realID(stone.id)
    var result = Tombstone(id: id, reason: stone.reason, detail: stone.detail)
    result.authorID = stone.authorID
    if result.reason == .unknown, result.detail == nil {
      // The archive has all posts of its account, so a post that is missing from it no longer exists.
      result.reason = stone.authorID?.value == account ? .notFound : .notInArchive
    }
    return result
  }

  private func realID(_ id: PostID) -> PostID { survey.outbox.elsewhere[id.value] ?? id }
}

// MARK: From bytes

/// Reads an outbox from bytes instead of a file, and accepts or rejects it without a reason.
package enum MastodonOutboxFile {
  /// Returns all threads in an `outbox.json`, including single posts and replies to others; `nil` if the bytes are not an `outbox.json`.
  package static func conversations(in bytes: [UInt8]) -> [Conversation]? {
    // The reason for an error is not needed here.
    guard let outbox = try? MastodonOutbox(bytes, by: nil) else { return nil }
    return conversations(in: outbox)
  }

  /// Returns the same for a list of notes, of an invented account; `nil` if the bytes are not a list.
  package static func conversations(inNotes bytes: [UInt8]) -> [Conversation]? {
    guard let actor = ActivityActor(address: "https://misskey.example/@ada"),
      let outbox = try? MastodonOutbox(notes: bytes, by: actor)  // as above
    else { return nil }
    return conversations(in: outbox)
  }

  private static func conversations(in outbox: MastodonOutbox) -> [Conversation]? {
    let survey = SurveyedMastodonExport(
      export: MastodonExport(file: "outbox.json", .outbox), outbox: outbox)
    var choice = ExportChoice()
    choice.minPosts = 1
    choice.includesReplies = true
    var result: [Conversation] = []
    guard let plan = try? survey.plan(choice, conversationOf: { _ in nil }),
      (try? plan.conversations(files: [:], emit: { result.append($0) })) != nil
    else { return nil }
    return result
  }
}

/// The rules for the files to read from an archive of Mastodon and related servers: the posts, the account, its picture, and media files of
/// posts. Likes, bookmarks and lists of people are never opened.
struct MastodonArchiveRules: ArchiveRules {
  let owner = "Mastodon"

  static let posts = "outbox.json"
  static let account = "actor.json"
  /// The maximum number of nested folders around the archive.
  static let deepest = 2
  /// The maximum number of folders between the archive and its media folder. They have the names of a server's storage.
  private static let deepestBucket = 2

  func role(of path: String) -> ArchiveRole? {
    let parts = path.split(atBytes: "/")
    guard let name = parts.last, !PathText.isHidden(name) else { return nil }
    if parts.dropLast().contains(where: { $0 == ActivityNote.mediaFolder }) { return .media }
    guard parts.count <= Self.deepest + 1 else { return nil }
    if name == Self.posts || name == Self.account { return .facts }
    return name.hasBytePrefix("avatar.") ? .media : nil
  }

  func enters(_ folder: String, depth: Int, beside names: [String]) -> Bool {
    depth < Self.deepest + Self.deepestBucket
      || folder.split(atBytes: "/").contains { $0 == ActivityNote.mediaFolder }
  }

  func wouldRead(_ path: String, depth: Int) -> Bool {
    role(of: path) != nil || PathText.name(of: path) == ActivityNote.mediaFolder
  }
}
