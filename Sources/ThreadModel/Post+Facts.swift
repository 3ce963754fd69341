/// The facts of a post, one by one: see `Post.Facts` for what they mean.
extension Post {
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

  /// Whether the post has a poll that no source gave: X names one by its id, and gives the rest to those alone who ask for it.
  package var lacksPoll: Bool { poll == nil && extra["poll_ids"] != nil }

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

  package var departure: Departure? {
    get { storage.facts.departure }
    set { change { $0.departure = newValue } }
  }

  package var emoji: [CustomEmoji] {
    get { storage.facts.emoji }
    set { change { $0.emoji = newValue } }
  }

  package var observedAt: Timestamp? {
    get { storage.facts.observedAt }
    set { change { $0.observedAt = newValue } }
  }

  package var archive: ArchiveSighting? {
    get { storage.facts.archive }
    set { change { $0.archive = newValue } }
  }

  package var older: [String: SightingTime] {
    get { storage.facts.older }
    set { change { $0.older = newValue } }
  }

  package var extra: JSONObject {
    get { storage.facts.extra }
    set { change { $0.extra = newValue } }
  }
}
