package import Basics

/// The facts of one post: its text, its attachments, and the ids of the posts that it answers or quotes.
///
/// All copies of a post share one object with the facts, because posts are copied often and the facts take 650 bytes with dozens of references.
/// Changing one fact copies all facts, so code that sets many facts builds a `Facts` value first.
package struct Post: Hashable, Sendable {
  private(set) var storage: Storage

  final class Storage: Sendable {
    let facts: Facts
    init(_ facts: Facts) { self.facts = facts }
  }

  package init(_ facts: Facts) { storage = Storage(facts) }

  package init(id: PostID, authorID: AuthorID, text: InlineText = InlineText("")) {
    self.init(Facts(id: id, authorID: authorID, text: text))
  }

  package var facts: Facts { storage.facts }

  mutating func change(_ change: (inout Facts) -> Void) {
    var facts = storage.facts
    change(&facts)
    storage = Storage(facts)
  }

  package static func == (lhs: Post, rhs: Post) -> Bool {
    lhs.storage === rhs.storage || lhs.storage.facts == rhs.storage.facts
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(storage.facts) }

  /// All known facts of a post, as a plain value.
  package struct Facts: Hashable, Sendable {
    package var id: PostID
    package var authorID: AuthorID
    /// The id of the conversation's first post; `nil` if the network did not state it.
    package var conversationID: PostID?
    package var createdAt: Timestamp?
    package var text: InlineText
    /// The headline of an article, on networks with articles.
    package var title: String?
    /// A BCP 47 tag, guessed by the network or stated by the author.
    package var language: String?
    /// The URL of the post on its network.
    package var url: String?
    package var inReplyTo: PostID?
    package var inReplyToAuthor: AuthorID?
    /// The id of the post that this one quotes.
    package var quotes: PostID?
    package var media: [Media]
    package var poll: Poll?
    package var card: LinkCard?
    package var metrics: Metrics
    /// The server's custom emoji that occur in the text, the content warning and the poll.
    package var emoji: [CustomEmoji]
    /// Whether the author or the network marked the media as sensitive.
    package var isSensitive: Bool
    /// The author's warning before the whole post.
    package var contentWarning: String?
    /// The network's warnings before the whole post, if the author wrote none.
    package var warnings: [PostWarning]
    package var editedAt: Timestamp?
    /// The ids of the earlier versions, oldest first, on networks where an edit makes a new id.
    package var earlierVersions: [PostID]
    /// `nil` if the network shows the post to everyone, as far as the network states.
    package var withheld: Withholding?
    /// Set if the network deleted the post and the store keeps it; `nil` if the post existed when it was last checked.
    package var removal: Removal?
    /// When this record was observed. Metrics and the votes of an open poll are from this time.
    package var observedAt: Timestamp?
    /// `nil` if the post occurs in no archive.
    package var archive: ArchiveObservation?
    /// The fields that the latest observation lacked, by their names in the store, with the times of their observation.
    package var older: [String: ObservationTime]
    /// Fields from the network that this model does not define.
    package var extra: JSONObject

    package init(id: PostID, authorID: AuthorID, text: InlineText = InlineText("")) {
      self.id = id
      self.authorID = authorID
      self.text = text
      self.media = []
      self.metrics = Metrics()
      self.emoji = []
      self.isSensitive = false
      self.warnings = []
      self.earlierVersions = []
      self.older = [:]
      self.extra = [:]
    }
  }

  // Accessors for the facts of a post; `Post.Facts` documents them.

  package var id: PostID {
    get { storage.facts.id }
    set { change { $0.id = newValue } }
  }

  package var authorID: AuthorID {
    get { storage.facts.authorID }
    set { change { $0.authorID = newValue } }
  }

  package var conversationID: PostID? {
    get { storage.facts.conversationID }
    set { change { $0.conversationID = newValue } }
  }

  package var createdAt: Timestamp? {
    get { storage.facts.createdAt }
    set { change { $0.createdAt = newValue } }
  }

  package var text: InlineText {
    get { storage.facts.text }
    set { change { $0.text = newValue } }
  }

  package var title: String? {
    get { storage.facts.title }
    set { change { $0.title = newValue } }
  }

  package var language: String? {
    get { storage.facts.language }
    set { change { $0.language = newValue } }
  }

  package var url: String? {
    get { storage.facts.url }
    set { change { $0.url = newValue } }
  }

  package var inReplyTo: PostID? {
    get { storage.facts.inReplyTo }
    set { change { $0.inReplyTo = newValue } }
  }

  package var inReplyToAuthor: AuthorID? {
    get { storage.facts.inReplyToAuthor }
    set { change { $0.inReplyToAuthor = newValue } }
  }

  package var quotes: PostID? {
    get { storage.facts.quotes }
    set { change { $0.quotes = newValue } }
  }

  package var media: [Media] {
    get { storage.facts.media }
    set { change { $0.media = newValue } }
  }

  package var poll: Poll? {
    get { storage.facts.poll }
    set { change { $0.poll = newValue } }
  }

  package var card: LinkCard? {
    get { storage.facts.card }
    set { change { $0.card = newValue } }
  }

  package var metrics: Metrics {
    get { storage.facts.metrics }
    set { change { $0.metrics = newValue } }
  }

  package var isSensitive: Bool {
    get { storage.facts.isSensitive }
    set { change { $0.isSensitive = newValue } }
  }

  package var contentWarning: String? {
    get { storage.facts.contentWarning }
    set { change { $0.contentWarning = newValue } }
  }

  package var warnings: [PostWarning] {
    get { storage.facts.warnings }
    set { change { $0.warnings = newValue } }
  }

  /// Whether the content of the post's poll is unknown: X lists the id of a poll, and sends the content only on request.
  package var lacksPoll: Bool { poll == nil && extra["poll_ids"] != nil }

  /// The id in the post's URL, on networks whose URLs do not contain the post's id.
  package var urlID: String? { extra["shortcode"]?.string }

  package var editedAt: Timestamp? {
    get { storage.facts.editedAt }
    set { change { $0.editedAt = newValue } }
  }

  package var earlierVersions: [PostID] {
    get { storage.facts.earlierVersions }
    set { change { $0.earlierVersions = newValue } }
  }

  package var withheld: Withholding? {
    get { storage.facts.withheld }
    set { change { $0.withheld = newValue } }
  }

  package var removal: Removal? {
    get { storage.facts.removal }
    set { change { $0.removal = newValue } }
  }

  package var emoji: [CustomEmoji] {
    get { storage.facts.emoji }
    set { change { $0.emoji = newValue } }
  }

  package var observedAt: Timestamp? {
    get { storage.facts.observedAt }
    set { change { $0.observedAt = newValue } }
  }

  package var archive: ArchiveObservation? {
    get { storage.facts.archive }
    set { change { $0.archive = newValue } }
  }

  package var older: [String: ObservationTime] {
    get { storage.facts.older }
    set { change { $0.older = newValue } }
  }

  package var extra: JSONObject {
    get { storage.facts.extra }
    set { change { $0.extra = newValue } }
  }
}

extension Post {
  /// Returns every text that the post shows beside its card, in the order of the page.
  ///
  /// - Parameter own: the post's own text, in any number of parts.
  package func texts(_ own: [String]) -> [String] {
    [contentWarning, title].compactMap(\.self) + own + media.compactMap(\.altText)
      + (poll?.options.map(\.label) ?? [])
  }
}

/// A record that an account, or a post that the store keeps, is no longer on its network.
package struct Removal: Hashable, Sendable {
  package var reason: TombstoneReason
  /// When the removal was observed.
  package var observedAt: Timestamp?

  package init(reason: TombstoneReason, observedAt: Timestamp? = nil) {
    self.reason = reason
    self.observedAt = observedAt
  }
}

/// The numbers of reactions to a post; `nil` if the network did not state a number.
package struct Metrics: Hashable, Sendable {
  package var likes: Int?
  package var replies: Int?
  package var reposts: Int?
  package var quotes: Int?
  package var bookmarks: Int?
  package var views: Int?

  package init(
    likes: Int? = nil, replies: Int? = nil, reposts: Int? = nil, quotes: Int? = nil, bookmarks: Int? = nil,
    views: Int? = nil
  ) {
    self.likes = likes
    self.replies = replies
    self.reposts = reposts
    self.quotes = quotes
    self.bookmarks = bookmarks
    self.views = views
  }

  package var isEmpty: Bool { self == Metrics() }
}

extension Post.Facts: StoredRecord {
  package static let noun = "post"
  package static func blank(on platform: Platform) -> Self {
    Self(id: PostID("", on: platform), authorID: AuthorID("", on: platform))
  }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("archive", \.archive)
    try visitor.field("author_id", \.authorID, .required)
    try visitor.field("card", \.card)
    try visitor.field("content_warning", \.contentWarning, .words)
    try visitor.field("conversation_id", \.conversationID)
    try visitor.field("created_at", \.createdAt, .ownMerge)
    try visitor.field("earlier_versions", \.earlierVersions, .ownMerge)
    try visitor.field("edited_at", \.editedAt, .ownMerge)
    try visitor.field("emoji", \.emoji)
    try visitor.entities("entities", of: \.text)
    try visitor.field("extra", \.extra)
    try visitor.field("id", \.id, .required)
    try visitor.field("in_reply_to", \.inReplyTo)
    try visitor.field("in_reply_to_author", \.inReplyToAuthor)
    try visitor.field("language", \.language)
    try visitor.field("media", \.media)
    try visitor.field("metrics", \.metrics)
    try visitor.field("observed_at", \.observedAt, .ownMerge)
    try visitor.field("older", \.older, .ownMerge)
    try visitor.field("poll", \.poll)
    try visitor.field("quotes", \.quotes)
    try visitor.field("removal", \.removal, .ownMerge)
    try visitor.field("sensitive", \.isSensitive, .ownMerge)
    try visitor.text("text", \.text, [.words, .ownMerge])
    try visitor.field("title", \.title, .words)
    try visitor.field("url", \.url)
    try visitor.field("warnings", \.warnings)
    try visitor.field("withheld", \.withheld)
  }
}

extension Metrics: StoredRecord {
  package static let noun = "set of metrics"
  package static func blank(on platform: Platform) -> Self { Self() }

  package var isAbsent: Bool { isEmpty }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("bookmarks", \.bookmarks)
    try visitor.field("likes", \.likes)
    try visitor.field("quotes", \.quotes)
    try visitor.field("replies", \.replies)
    try visitor.field("reposts", \.reposts)
    try visitor.field("views", \.views)
  }

  package static func merge(
    _ field: String, _ one: Self?, _ other: Self?, _ merge: inout FieldMerge
  ) -> Self? { mergingFields(one ?? Self(), other ?? Self(), "\(field).", &merge) }
}

extension Removal: StoredRecord {
  package static let noun = "removal"
  package static func blank(on platform: Platform) -> Self { Self(reason: .unknown) }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("observed_at", \.observedAt)
    try visitor.field("reason", \.reason, .required)
  }
}

extension Post: StoredValue {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    self.init(try Facts(reading: &reader, in: &scope))
  }
  package func write(to writer: inout JSONWriter, _ platform: Platform) { facts.write(to: &writer, platform) }
}
