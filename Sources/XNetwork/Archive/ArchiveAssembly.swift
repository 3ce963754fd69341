import Basics
import NetworkSources
import ThreadModel

/// Assembles conversations from posts. Each conversation is complete when its last post has been read.
struct ArchiveAssembly {
  private struct Draft {
    var posts: [Post] = []
    /// The posts to which the posts refer, with their authors if the posts state them.
    var references: [PostID: (author: AuthorID?, handle: String?)] = [:]
    var people: [AuthorID: Author] = [:]
    /// The positions of the author's posts that these posts quote.
    var quotes: [PostID: Int] = [:]
  }

  private let plan: ArchivePlan
  private let survey: ArchiveSurvey
  private let files: [String: ArchivedMedia]
  private let owner: Author
  private var drafts: [Int: Draft] = [:]
  private var finished: [Conversation] = []
  /// Conversations that are complete except for quoted posts.
  private var waiting: [(thread: Int, draft: Draft)] = []
  private var quotedPosts: [Int: Post] = [:]
  private(set) var notesUsed = 0

  init(_ plan: ArchivePlan, _ files: [String: ArchivedMedia]) {
    self.plan = plan
    survey = plan.survey
    self.files = files
    var owner = survey.author
    owner.avatarFile = files[ArchivePlan.avatarName]?.file
    self.owner = owner
  }

  /// The positions of the posts that waiting conversations quote.
  var quoted: Set<Int> { Set(waiting.flatMap { $0.draft.quotes.values }) }

  mutating func takeFinished() -> [Conversation] {
    defer { finished.removeAll(keepingCapacity: true) }
    return finished
  }

  /// Returns the waiting conversations, and the conversations that lack a post which was in the archive when it was first read.
  mutating func takeRest() -> [Conversation] {
    for (thread, draft) in waiting { finished.append(conversation(thread, draft)) }
    for (thread, draft) in drafts.sorted(by: { $0.key < $1.key }) {
      finished.append(conversation(thread, draft))
    }
    (waiting, drafts) = ([], [:])
    return takeFinished()
  }

  // MARK: Posts

  mutating func add(_ object: JSONObject, at position: Int) {
    let thread = Int(plan.threadOf[position])
    var draft = drafts.removeValue(forKey: thread) ?? Draft()
    if let raw = translated(object, at: position) {
      let conversation = plan.threads[thread]
      let post = post(raw, conversation.isConversationKnown ? String(conversation.conversation) : nil)
      note(post, raw, in: &draft)
      draft.posts.append(post)
    }
    guard draft.posts.count == plan.threads[thread].posts else {
      drafts[thread] = draft
      return
    }
    let own = Set(draft.posts.map(\.id))
    draft.quotes = draft.quotes.filter { !own.contains($0.key) }
    if draft.quotes.isEmpty {
      finished.append(conversation(thread, draft))
    } else {
      waiting.append((thread, draft))
    }
  }

  mutating func add(quoted object: JSONObject, at position: Int) {
    guard let raw = translated(object, at: position) else { return }
    quotedPosts[position] = post(raw, nil)
  }

  private mutating func translated(_ object: JSONObject, at position: Int) -> XVersion1Post? {
    guard var raw = XVersion1Post(object), raw.id == String(survey.summaries[position].id) else { return nil }
    let text = raw.fields.string("text") ?? ""
    if let note = survey.notes.note(at: raw.fields.time("created_at"), text: text) {
      raw.take(note: note.core, behind: note.handles)
      notesUsed += 1
    }
    return raw
  }

  private func post(_ raw: XVersion1Post, _ conversation: String?) -> Post {
    var facts = raw.post(by: owner.id, handle: owner.handle, conversation: conversation).facts
    facts.inReplyTo = facts.inReplyTo.map(latest)
    facts.quotes = facts.quotes.map(latest)
    facts.archive = ArchiveObservation(date: survey.date)
    let ids = [facts.id] + facts.earlierVersions.reversed()
    for index in facts.media.indices { attach(&facts.media[index], ids) }
    return Post(facts)
  }

  private func latest(_ id: PostID) -> PostID {
    guard let number = UInt64(id.value) else { return id }
    return PostID(String(plan.latest(number)), on: .x)
  }

  private func attach(_ media: inout Media, _ ids: [PostID]) {
    let names = ArchivePlan.fileNames(
      ids: ids.compactMap { UInt64($0.value) }, MediaNames.names(of: media))
    guard let file = names.lazy.compactMap({ files[$0] }).first else { return }
    media.file = file.file
    media.isFileFromArchive = true
    if let width = file.width, let height = file.height { (media.width, media.height) = (width, height) }
    media.durationMilliseconds = file.durationMilliseconds ?? media.durationMilliseconds
  }

  private func note(_ post: Post, _ raw: XVersion1Post, in draft: inout Draft) {
    if let id = post.inReplyTo {
      draft.references[id] = (post.inReplyToAuthor, raw.answered?.handle ?? draft.references[id]?.handle)
    }
    if let answered = raw.answered, answered.id != owner.id {
      var answered = answered
      answered.archive = ArchiveObservation(date: survey.date)
      draft.people[answered.id] = answered
    }
    guard let quoted = post.quotes else { return }
    if draft.references[quoted] == nil { draft.references[quoted] = (nil, raw.quotedHandle) }
    if let number = UInt64(quoted.value), let position = survey.position(of: number),
      !survey.circle.contains(number)
    {
      draft.quotes[quoted] = position
    }
  }

  // MARK: Conversations

  private func conversation(_ thread: Int, _ draft: Draft) -> Conversation {
    var result = Conversation(
      id: PostID(String(plan.threads[thread].conversation), on: .x), authorID: owner.id)
    result.posts = PostOrder.sorted(draft.posts)
    result.related = PostOrder.sorted(draft.quotes.values.sorted().compactMap { quotedPosts[$0] })
    result.authors = (Array(draft.people.values) + [owner]).sorted { $0.id < $1.id }
    result.provenance = [Provenance(source: .xArchive, fetchedAt: survey.date)]
    let known = Set((result.posts + result.related).map(\.id))
    let missing = draft.references.filter { !known.contains($0.key) }
    result.tombstones = missing.sorted { $0.key < $1.key }.map { id, reference in
      var stone = Tombstone(id: id, reason: .notInArchive)
      stone.authorID = reference.author
      stone.handle = reference.handle
      return stone
    }
    return result
  }
}
