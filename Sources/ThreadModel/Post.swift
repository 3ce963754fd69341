/// One post, as facts: what its author wrote and attached, and what it answers or quotes, by id.
///
/// The facts are kept in one place that all copies of the post share: they are 650 bytes with dozens of references, and
/// posts go through many hands. Changing one fact copies all; who sets many builds a `Facts` first.
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
}

extension Post {
  /// All that is known of a post, as a plain value.
  package struct Facts: Hashable, Sendable {
    package var id: PostID
    package var authorID: AuthorID
    /// The id of the conversation's first post; `nil` where the network did not say.
    package var conversationID: PostID?
    package var createdAt: Timestamp?
    package var text: InlineText
    /// The headline of a long article, where the network has such a thing.
    package var title: String?
    /// BCP 47, as the network guessed or the author said it.
    package var language: String?
    /// The post on its network.
    package var url: String?
    package var inReplyTo: PostID?
    package var inReplyToAuthor: AuthorID?
    /// The id of the post that this one quotes.
    package var quotes: PostID?
    package var media: [Media]
    package var poll: Poll?
    package var card: LinkCard?
    package var metrics: Metrics
    /// The server's own emoji that stand in the text, the content warning and the poll.
    package var emoji: [CustomEmoji]
    /// Media that the author or the network marked as sensitive.
    package var isSensitive: Bool
    /// What the author put in front of the whole post.
    package var contentWarning: String?
    /// What the network warns of before the whole post, where the author says nothing in words.
    package var warnings: [PostWarning]
    package var editedAt: Timestamp?
    /// Ids of the earlier versions, oldest first, where an edit makes a new id.
    package var earlierVersions: [PostID]
    /// `nil` where the network shows the post to everybody, as far as it says.
    package var withheld: Withholding?
    /// Found gone from the network at some time, and kept all the same; `nil` where it was still there when last seen.
    package var departure: Departure?
    /// When this was seen: what metrics and an open poll refer to.
    package var observedAt: Timestamp?
    /// `nil` where no archive has shown it.
    package var archive: ArchiveSighting?
    /// Fields that the latest sighting did not have, by their names in the store, and when they were seen.
    package var older: [String: SightingTime]
    /// What the network said and this model has no word for.
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
}

/// That a post which is still shown here is no longer on its network.
package struct Departure: Hashable, Sendable {
  package var reason: TombstoneReason
  /// When that was found.
  package var observedAt: Timestamp?

  package init(reason: TombstoneReason, observedAt: Timestamp? = nil) {
    self.reason = reason
    self.observedAt = observedAt
  }
}

/// What readers did with a post; `nil` where the network did not say.
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

/// Why a network shows a post behind a warning that is nobody's words: what it was labelled as.
package struct PostWarning: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Those who watch over the network want readers warned, and do not say of what.
  package static let moderation: PostWarning = "moderation"
  /// Pornography.
  package static let porn: PostWarning = "porn"
  package static let sexual: PostWarning = "sexual"
  /// Without being sexual.
  package static let nudity: PostWarning = "nudity"
  /// Violence, wounds, death.
  package static let graphicMedia: PostWarning = "graphic-media"
}
